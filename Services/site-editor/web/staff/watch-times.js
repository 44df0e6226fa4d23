// Times of the watching screen: in the reader's own time zone, as fields of forms have them.

import { currentLanguage } from '/app/words.js';

export const HOUR_MILLISECONDS = 3600000;

function tag() {
  return currentLanguage() === 'en' ? 'en-GB' : currentLanguage();
}

/** Hours, minutes and seconds of an instant. */
export function clockText(instant) {
  return new Intl.DateTimeFormat(tag(), {
    hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23',
  }).format(new Date(instant));
}

/** Day and hour of an instant, short. */
export function hourText(instant) {
  return new Intl.DateTimeFormat(tag(), {
    weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant));
}

/** An instant as the value of a field of day and time: in the reader's own time. */
export function fieldOf(instant) {
  const two = (value) => String(value).padStart(2, '0');
  const date = new Date(instant);
  return date.getFullYear() + '-' + two(date.getMonth() + 1) + '-' + two(date.getDate()) + 'T'
    + two(date.getHours()) + ':' + two(date.getMinutes());
}

/** The instant of such a field, or null. */
export function instantOf(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?/.exec(String(text).trim());
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((one) => Number(one || 0));
  const date = new Date(year, month - 1, day, hour, minute, second);
  return Number.isNaN(date.getTime()) || date.getMonth() !== month - 1 ? null : date.getTime();
}

/** The beginning of the whole hour, of UTC, in which an instant lies. */
export function hourOf(instant) {
  return Math.floor(instant / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
}
