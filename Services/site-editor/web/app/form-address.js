// Addresses of the page without JavaScript: its form sends names as they were typed, and the ids
// behind those that it showed. Here they become places of the app's address.

import { address, rewrite } from './address.js';
import { floorName } from './floors.js';
import {
  findPlace, findPlaces, isOnMap, nearestOf, placeName, placeRecord, placeText, readPlace,
} from './places.js';
import { hasWord, t } from './words.js';

const ENDS = ['from', 'to'];
const IDS = ['fromId', 'toId'];
/** What the form always sends. */
const FORM = ['from', 'to', 'profile', 'lang'];
const SHOWN = [['room', ''], ['entry', 'directory:'], ['building', 'building:'], ['point', '']];
/** The field that is still empty on a wide screen gets the focus before. */
const PAUSE_MILLISECONDS = 120;

/** The texts of ends that several places have, or none: still a question. */
let open = {};

/** A panel of a way, once the ends of its address are places. `showRoute` is the one that asks. */
export function readingForm(panel, showRoute) {
  return async (app, focus) => {
    const asked = address();
    const query = new URLSearchParams(location.search);
    const isName = isOfForm(query) || await hasName(app.site, asked);
    if (address() !== asked) return;
    if (isName) {
      app.shell.waiting(t('wait.place'));
      if (!await readForm(app.site, query, asked)) return;
    }
    const names = ENDS.filter((name) => open[name] && !address()[name]);
    if (names.length && address().panel) rewrite({ panel: null });
    const shown = (names.length ? showRoute : panel)(app, focus);
    if (names.length) askFor(app, names);
    await shown;
  };
}

/** Whether the form made the address, or somebody wrote a name where a place belongs. */
function isOfForm(query) {
  const isName = (name) => {
    const text = query.get(name);
    return text !== null && (text.trim() === '' || !readPlace(text));
  };
  const has = (name) => query.has(name);
  return IDS.some(has) || ENDS.some(isName) || FORM.every(has);
}

/** Whether an end is an id of nothing here: then somebody wrote it, as people write a name. */
async function hasName(site, asked) {
  const lacks = async (name) => {
    const place = readPlace(asked[name]);
    if (!isBare(place, asked[name])) return false;
    const found = await findPlace(site, asked[name], name === 'to');
    return !await isOnMap(site, found);
  };
  // Without the service nobody knows, and the panel says what fails.
  const lacking = await Promise.all(ENDS.map((name) => lacks(name).catch(() => false)));
  return lacking.indexOf(true) >= 0;
}

/** Whether a place is an id without a kind: of a room, of something else, or of nothing. */
function isBare(place, text) {
  return place !== null && place.kind === 'room' && text.indexOf(':') < 0;
}

/** Writes the address anew; false if the reader has gone on meanwhile. */
async function readForm(site, query, asked) {
  const texts = ENDS.map((name) => (query.get(name) || '').trim().slice(0, 200));
  const ids = IDS.map((name) => query.get(name) || '');
  const places = await Promise.all(texts.map((text, index) => (
    // Without the service an id stays what it is.
    text ? placeOf(site, text, ids[index], index === 1)
      .catch(() => (readPlace(text) ? text : '')) : '')));
  if (address() !== asked) return false;
  const shown = SHOWN.find((one) => asked[one[0]]);
  if (!texts[1] && shown) places[1] = shown[1] + asked[shown[0]];
  if (!texts[0] && places[1] && query.has('from') && asked.at) places[0] = 'here';
  const changes = texts[1] || !shown ? {} : { [shown[0]]: null };
  open = {};
  ENDS.forEach((name, index) => {
    changes[name] = places[index] || null;
    if (texts[index] && !places[index]) open[name] = texts[index];
  });
  rewrite(changes);
  return true;
}

/**
 * The place that a text stands for, as the page finds it: the one behind the name that the form
 * showed, that of a link, the nearest of a kind where one is `sought`, or the only one of the
 * name. Empty where that is a question.
 */
async function placeOf(site, text, id, sought) {
  const known = readPlace(id);
  if (known && await isNamed(site, known, text).catch(() => false)) return id;
  const linked = readPlace(text);
  if (linked && !isBare(linked, text)) return text;
  // A word of other letters than those of ids, such as that for a kind, is no id.
  const place = linked ? await findPlace(site, text, sought)
    : sought && await nearestOf(site, text);
  if (place && await isOnMap(site, place)) return placeText(place.kind, place.id);
  const found = await findPlaces(site, text);
  const small = text.toLowerCase();
  const named = found.filter((one) => one.name.toLowerCase() === small);
  const left = named.length ? named : found;
  const isLike = left.length === 1 && ['exact', 'prefix'].indexOf(left[0].match) >= 0;
  return isLike ? placeText(left[0].kind, left[0].id) : '';
}

/** Whether the page calls the place so. */
async function isNamed(site, place, text) {
  if (place.kind === 'point') return text.indexOf(t('place.point')) === 0;
  if (place.kind === 'kind' && hasWord('nearest.' + place.id)) {
    return text === t('nearest.' + place.id);
  }
  if (place.kind === 'floor') {
    // The page has its building before it.
    const name = floorName(await placeRecord(site, place));
    return text.slice(-name.length) === name;
  }
  const found = place.kind === 'room' ? await findPlace(site, place.id) : place;
  return await placeName(site, found) === text;
}

/** Puts the texts into the fields, and searches for the first. */
function askFor(app, names) {
  const fields = app.shell.content.querySelectorAll('.fields [role=combobox]');
  const inputs = names.map((name) => {
    const input = fields[ENDS.indexOf(name)];
    if (input) input.value = open[name];
    return input;
  });
  const leave = app.leave;
  app.leave = () => {
    if (leave) leave();
    // Who begins another way is not asked again.
    if (!address().from && !address().to) open = {};
  };
  setTimeout(() => {
    if (!inputs[0] || !document.body.contains(inputs[0])) return;
    inputs[0].focus();
    inputs[0].dispatchEvent(new Event('input', { bubbles: true }));
  }, PAUSE_MILLISECONDS);
}
