// Opening hours in words: the common part of OpenStreetMap's opening_hours, else the text itself.

import { el } from './elements.js';
import { t, timeOfDay, weekday } from './words.js';

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const HOURS = /^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})(\+)?$/;

/** Rules of days and periods in minutes; null if the text has more than we understand. */
export function readHours(text) {
  if (!text) return null;
  if (/^24\/7$/.test(text.trim())) return [{ days: [0, 1, 2, 3, 4, 5, 6], periods: [[0, 1440]] }];
  const rules = text.split(';').map((part) => part.trim()).filter(Boolean).map(readRule);
  return rules.indexOf(null) >= 0 || !rules.length ? null : rules;
}

function readRule(text) {
  const parts = /^((?:(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)[-,]?\s*)*)\s*(.*)$/.exec(text);
  const names = parts[1].replace(/\s/g, '').replace(/,$/, '');
  const holidays = /PH/.test(names);
  const days = readDays(names.replace(/,?PH,?/g, ''), holidays);
  if (!days) return null;
  const rest = parts[2].replace(/"[^"]*"/g, '').trim();
  if (/^(off|closed)$/i.test(rest)) return { days, periods: [], holidays };
  const periods = rest.split(',').map((one) => HOURS.exec(one.trim()));
  if (periods.indexOf(null) >= 0) return null;
  return {
    days, holidays,
    periods: periods.map((one) => [one[1] * 60 + Number(one[2]), one[3] * 60 + Number(one[4])]),
  };
}

function readDays(names, holidays) {
  if (!names) return holidays ? [] : [0, 1, 2, 3, 4, 5, 6];
  const result = [];
  const parts = names.split(',');
  for (let i = 0; i < parts.length; i += 1) {
    const ends = parts[i].split('-').map((name) => DAYS.indexOf(name));
    if (ends.indexOf(-1) >= 0) return null;
    const last = ends[ends.length - 1];
    for (let day = ends[0]; ; day = (day + 1) % 7) {
      result.push(day);
      if (day === last) break;
    }
  }
  return result;
}

/** The periods of each day of the week: a later rule replaces an earlier one. */
export function periodsByDay(rules) {
  const result = [[], [], [], [], [], [], []];
  rules.forEach((rule) => rule.days.forEach((day) => {
    result[day] = rule.periods;
  }));
  return result;
}

/** Day of the week from Monday and minute of a time, in a building's zone. */
function localMoment(now, zone) {
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  if (zone) options.timeZone = zone;
  const parts = new Intl.DateTimeFormat('en-GB', options).formatToParts(now);
  const value = (type) => parts.find((part) => part.type === type).value;
  return {
    day: DAYS.indexOf(value('weekday').slice(0, 2)),
    minute: (Number(value('hour')) % 24) * 60 + Number(value('minute')),
  };
}

/** Until which minute it is open, or null. */
export function openUntil(days, moment) {
  const yesterday = days[(moment.day + 6) % 7];
  const late = yesterday.find((one) => one[1] <= one[0] && moment.minute < one[1]);
  if (late) return late[1];
  const now = days[moment.day].find((one) => moment.minute >= one[0]
    && (moment.minute < one[1] || one[1] <= one[0]));
  return now ? now[1] : null;
}

function clock(minutes) {
  const instant = Date.UTC(2024, 0, 1, Math.floor(minutes / 60) % 24, minutes % 60);
  return timeOfDay(instant, 'UTC');
}

/** The hours in words, with whether it is open now. */
export function openingHours(text, zone) {
  if (!text) return null;
  const rules = readHours(text);
  if (!rules) return el('span', { text: t('hours.asWritten', { text }) });
  const days = periodsByDay(rules);
  if (days.every((one) => one.length === 1 && one[0][0] === 0 && one[0][1] >= 1440)) {
    return el('span', { text: t('hours.always') });
  }
  const until = openUntil(days, localMoment(new Date(), zone));
  const state = until === null ? t('hours.closed') : t('hours.openUntil', { time: clock(until) });
  const list = el('dl', { class: 'hours' });
  runs(days).forEach((run) => {
    list.appendChild(el('dt', { text: dayNames(run) }));
    const periods = days[run[0]].map((one) => t('hours.period', {
      from: clock(one[0]), until: clock(one[1]),
    }));
    list.appendChild(el('dd', { text: periods.length ? periods.join(', ') : t('hours.shut') }));
  });
  return el('div', {}, [
    el('strong', { text: state, class: until === null ? 'shut' : 'open' }), list,
  ]);
}

/** Days in a row with the same periods, by first and last. */
function runs(days) {
  const result = [];
  days.forEach((periods, day) => {
    const last = result[result.length - 1];
    if (last && JSON.stringify(days[last[0]]) === JSON.stringify(periods)) last[1] = day;
    else result.push([day, day]);
  });
  return result;
}

function dayNames(run) {
  if (run[0] === 0 && run[1] === 6) return t('hours.daily');
  if (run[0] === run[1]) return weekday(run[0]);
  return t('hours.days', { from: weekday(run[0]), until: weekday(run[1]) });
}
