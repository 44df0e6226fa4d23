// Opening hours as rows of days and spans, and as the text that the map keeps of them.
//
// The text is the common part of OpenStreetMap's opening_hours. What has more, such as holidays or
// months, is left as it is written: the picker would lose it.

import { periodsByDay, readHours } from '/app/opening-hours.js';

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const DAY_MINUTES = 1440;
const ALWAYS = '24/7';

/** Minutes of a time such as 08:30; null if it is none. */
export function minutesOf(text) {
  const found = /^(\d{1,2}):(\d{2})$/.exec(String(text).trim());
  if (!found) return null;
  const minutes = Number(found[1]) * 60 + Number(found[2]);
  return Number(found[2]) < 60 && minutes <= DAY_MINUTES ? minutes : null;
}

/** The time of minutes; midnight at the end of a day is 00:00 in a field, and 24:00 in the text. */
export function timeOf(minutes, isEnd) {
  const whole = isEnd && minutes === DAY_MINUTES ? minutes : minutes % DAY_MINUTES;
  const two = (number) => (number < 10 ? '0' : '') + number;
  return two(Math.floor(whole / 60)) + ':' + two(whole % 60);
}

/**
 * How a text is shown: `none`, `always`, `days` with rows, or `text` where it has more than rows
 * can show.
 */
export function pickable(text) {
  const plain = (text || '').trim();
  if (!plain) return { mode: 'none', rows: [] };
  if (plain === ALWAYS) return { mode: 'always', rows: [] };
  const rules = /PH|SH|"|\+/.test(plain) ? null : readHours(plain);
  if (!rules) return { mode: 'text', rows: [] };
  return { mode: 'days', rows: rowsOf(periodsByDay(rules), rules) };
}

/** One row for all days with the same spans. Days that no rule names have none. */
function rowsOf(days, rules) {
  const named = new Set([].concat(...rules.map((rule) => rule.days)));
  const rows = [];
  days.forEach((periods, day) => {
    if (!named.has(day)) return;
    const key = JSON.stringify(periods);
    const row = rows.find((one) => one.key === key);
    if (row) row.days.push(day);
    else rows.push({ key, days: [day], spans: periods.map(spanOf), closed: !periods.length });
  });
  return rows.map((row) => ({ days: row.days, spans: row.spans, closed: row.closed }));
}

function spanOf(period) {
  return { from: timeOf(period[0]), until: timeOf(period[1] % DAY_MINUTES) };
}

/**
 * The faults of rows: each with the key of its sentence, the row, and the span or day where there
 * is one. An empty list: the rows can be kept.
 */
export function faultsOf(rows) {
  const faults = [];
  const taken = new Map();
  if (!rows.length) faults.push({ key: 'hours.fault.none', row: null });
  rows.forEach((row, index) => {
    if (!row.days.length) faults.push({ key: 'hours.fault.days', row: index });
    row.days.forEach((day) => {
      if (taken.has(day)) faults.push({ key: 'hours.fault.twice', row: index, day });
      taken.set(day, index);
    });
    if (row.closed) return;
    if (!row.spans.length) faults.push({ key: 'hours.fault.span', row: index });
    const spans = row.spans.map((span, at) => faultOfSpan(span, index, at, faults));
    spans.filter(Boolean).sort((one, other) => one[0] - other[0]).reduce((before, span) => {
      if (before && span[0] < before[1]) faults.push({ key: 'hours.fault.overlap', row: index });
      return span;
    }, null);
  });
  return faults;
}

/** Minutes of a span, the end after the beginning also past midnight; null and a fault if not. */
function faultOfSpan(span, row, at, faults) {
  const from = minutesOf(span.from);
  const until = minutesOf(span.until);
  if (from === null || until === null) {
    faults.push({ key: 'hours.fault.time', row, span: at });
    return null;
  }
  if (from === until && from !== 0) {
    faults.push({ key: 'hours.fault.empty', row, span: at });
    return null;
  }
  return [from, until > from ? until : until + DAY_MINUTES];
}

/** The text of rows without faults. Days without a row are closed, and are named as such. */
export function textOf(rows) {
  const open = rows.filter((row) => !row.closed);
  const named = new Set([].concat(...open.map((row) => row.days)));
  const left = DAYS.map((name, day) => day).filter((day) => !named.has(day));
  const all = left.length ? open.concat({ days: left, spans: [], closed: true }) : open;
  const first = (row) => Math.min(...row.days);
  return all.sort((one, other) => first(one) - first(other))
    .map((row) => daysText(row.days) + ' ' + spansText(row)).join('; ');
}

function spansText(row) {
  if (row.closed) return 'off';
  return row.spans.map((span) => {
    const until = minutesOf(span.until);
    return timeOf(minutesOf(span.from)) + '-' + timeOf(until === 0 ? DAY_MINUTES : until, true);
  }).join(',');
}

/** Days as ranges, such as Mo-Fr,Su. */
function daysText(days) {
  const sorted = days.slice().sort((one, other) => one - other);
  const ranges = [];
  sorted.forEach((day) => {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === day - 1) last[1] = day;
    else ranges.push([day, day]);
  });
  return ranges.map(([first, last]) => {
    if (first === last) return DAYS[first];
    return DAYS[first] + (last === first + 1 ? ',' : '-') + DAYS[last];
  }).join(',');
}

/** The text of rows that are open at all times. */
export const alwaysText = ALWAYS;
