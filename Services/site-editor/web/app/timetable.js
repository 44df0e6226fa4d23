// A room's bookings of the week, day by day, from today on.

import { el } from './elements.js';
import { ask, query, sitePath } from './service.js';
import { ago, currentLanguage, dayOf, t, timeOfDay } from './words.js';

/** The section of a card, or null if no calendar is known for the room. */
export async function timetable(site, room) {
  const members = { language: currentLanguage() };
  const week = await ask(sitePath(site.id, 'rooms', room.id, 'timetable') + query(members));
  if (!week.bookings.length && !week.known) return null;
  const now = Date.now();
  const days = week.days.filter((day) => Date.parse(day.until) > now);
  return el('section', { class: 'timetable' }, [
    el('h2', { text: t('timetable') }),
    week.old && week.asOf ? el('p', { class: 'quiet', text: t('timetable.old', {
      age: ago(now - Date.parse(week.asOf)),
    }) }) : null,
    stateLine(week, now),
    days.map((day) => dayList(day, week)),
  ]);
}

function stateLine(week, now) {
  const current = week.bookings.find((one) => Date.parse(one.starts) <= now
    && Date.parse(one.ends) > now);
  if (current) {
    const time = timeOfDay(current.ends, week.timeZone);
    return el('p', { class: 'shut', text: t('timetable.taken', { time }) });
  }
  if (!week.known) return null;
  const next = week.bookings.find((one) => Date.parse(one.starts) > now);
  if (!next) return el('p', { class: 'open', text: t('timetable.free') });
  return el('p', { class: 'open', text: t('timetable.freeUntil', {
    time: timeOfDay(next.starts, week.timeZone), day: dayOf(next.starts, week.timeZone),
  }) });
}

function dayList(day, week) {
  const from = Date.parse(day.from);
  const until = Date.parse(day.until);
  const bookings = week.bookings.filter((one) => Date.parse(one.starts) < until
    && Date.parse(one.ends) > from);
  if (!bookings.length) return null;
  return el('div', {}, [
    el('h3', { text: dayOf(from, week.timeZone) }),
    el('ul', { class: 'bookings' }, bookings.map((one) => el('li', {}, [
      el('span', { class: 'time', text: one.allDay ? t('timetable.allDay') : t('hours.period', {
        from: timeOfDay(one.starts, week.timeZone), until: timeOfDay(one.ends, week.timeZone),
      }) }),
      el('span', { text: one.title || t('timetable.booked') }),
    ]))),
  ]);
}
