// The words of the page: a language is a file, and no sentence stands in the code.

import { twice } from './fetching.js';

const LANGUAGES = ['en', 'cy', 'de'];
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

let words = {};
let english = {};
let language = 'en';

/** The languages that have a file. */
export const languages = LANGUAGES.slice();

/** The language of the page. */
export function currentLanguage() {
  return language;
}

/** The best language for a reader who asked for `wished`, or whom the browser speaks for. */
export function chooseLanguage(wished) {
  const asked = [wished].concat(navigator.languages || [navigator.language]).filter(Boolean);
  const plain = asked.map((tag) => String(tag).toLowerCase().split('-')[0]);
  return plain.find((tag) => LANGUAGES.indexOf(tag) >= 0) || 'en';
}

/**
 * Reads a language's file; what it lacks is said in English. `further` are the beginnings of the
 * names of more files, whose words are added.
 */
export async function loadWords(wanted, further) {
  const files = wanted === 'en' ? ['en'] : [wanted, 'en'];
  const sets = ['languages/'].concat(further || []);
  const read = await Promise.all(files.map(async (name) => (
    Object.assign({}, ...await Promise.all(sets.map((set) => readFile(set + name)))))));
  english = read[read.length - 1];
  words = read[0];
  language = wanted;
  document.documentElement.lang = wanted;
  document.documentElement.dir = RIGHT_TO_LEFT.indexOf(wanted) >= 0 ? 'rtl' : 'ltr';
}

async function readFile(name) {
  return twice(async () => {
    const answer = await fetch('/app/' + name + '.json');
    if (!answer.ok) throw new Error(name);
    return answer.json();
  });
}

/**
 * The text of a key with its `{name}`s filled in. A name that ends in a full stop ends its sentence
 * with it.
 */
export function t(key, values) {
  const text = Object.prototype.hasOwnProperty.call(words, key) ? words[key] : english[key];
  if (text === undefined) return key;
  if (!values) return text;
  const filled = (whole, name, stop) => {
    if (!(name in values)) return whole;
    const value = String(values[name]);
    return value.slice(-1) === '.' ? value : value + stop;
  };
  return text.replace(/\{(\w+)\}(\.?)/g, filled);
}

/** Whether a language has a text of this key. */
export function hasWord(key) {
  return key in words || key in english;
}

/** A text by number: its keys end in `.one` and `.other`, and `.two`, `.few`, `.many` if needed. */
export function tn(key, count, values) {
  const rule = new Intl.PluralRules(language).select(count);
  const exact = hasWord(key + '.' + rule) ? rule : 'other';
  return t(key + '.' + exact, Object.assign({ count: number(count) }, values || {}));
}

/** A number as the reader writes it. */
export function number(value, digits) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits || 0 }).format(value);
}

/**
 * A distance, rounded by the rule of the service's sentences (`SpokenDistance`): a heading that
 * rounds otherwise contradicts its steps.
 */
export function distance(metres) {
  if (metres >= 995) return t('unit.kilometres', { number: number(metres / 1000, 1) });
  const unit = metres < 19.5 ? 1 : metres < 97.5 ? 5 : 10;
  const rounded = Math.max(1, Math.round(metres / unit) * unit);
  return t('unit.metres', { number: number(rounded) });
}

/** A time of travel in whole minutes. */
export function duration(seconds) {
  if (seconds < 45) return t('unit.lessThanMinute');
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return t('unit.minutes', { number: number(minutes) });
  return t('unit.hours', {
    hours: number(Math.floor(minutes / 60)), minutes: number(minutes % 60),
  });
}

/** A time to wait, in words; rounded up, as who comes too early is sent away again. */
export function waitTime(seconds) {
  return seconds < 100 ? tn('unit.seconds', Math.max(1, Math.ceil(seconds)))
    : duration(60 * Math.ceil(seconds / 60));
}

/** How long ago something was, in words. */
export function ago(milliseconds) {
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 20) return t('age.now');
  if (seconds < 90) return t('age.minute');
  if (seconds < 3600) return tn('age.minutes', Math.round(seconds / 60));
  return tn('age.hours', Math.round(seconds / 3600));
}

/** The time of day of an instant; `zone` is a building's time zone. */
export function timeOfDay(instant, zone) {
  return format(instant, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, zone);
}

/** The day of an instant, such as Monday 30 November. */
export function dayOf(instant, zone) {
  return format(instant, { weekday: 'long', day: 'numeric', month: 'long' }, zone);
}

/** The name of a day of the week; 0 is Monday. */
export function weekday(index, short) {
  const monday = new Date(Date.UTC(2024, 0, 1 + index, 12));
  return format(monday, { weekday: short ? 'short' : 'long' }, 'UTC');
}

function format(instant, options, zone) {
  const all = Object.assign({}, options, zone ? { timeZone: zone } : {});
  // American English would write the month first, as no other text here does.
  const tag = language === 'en' ? 'en-GB' : language;
  try {
    return new Intl.DateTimeFormat(tag, all).format(new Date(instant));
  } catch (unknownZone) {
    return new Intl.DateTimeFormat(tag, options).format(new Date(instant));
  }
}

/**
 * A kind in the reader's words: its own, or those of the wider kind before a full stop, or the
 * site's own word made readable. The first of several kinds counts.
 */
export function kindName(kind) {
  if (!kind) return '';
  const parts = String(kind).toLowerCase().split(';')[0].split('.');
  for (let most = parts.length; most > 0; most -= 1) {
    const key = 'kind.' + parts.slice(0, most).join('.');
    if (hasWord(key)) return t(key);
  }
  const readable = String(kind).replace(/[_.-]+/g, ' ').trim();
  return readable.charAt(0).toUpperCase() + readable.slice(1);
}

/** The name of a record in the reader's language; empty if it has none but its id. */
export function nameOf(record) {
  if (!record) return '';
  const own = record.names && record.names[language];
  const name = own || record.name || '';
  return name === record.id ? '' : name;
}
