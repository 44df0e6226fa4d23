// A place in the address and in a request: a room is its id alone, all else has its kind before it.

import { query, sitePath, ask } from './service.js';
import { currentLanguage, kindName, nameOf, t } from './words.js';
import { floorName } from './floors.js';
import { kindOfWord, learnKinds, nearestPlace } from './nearest-kinds.js';

const RECORDS = {
  room: 'rooms', location: 'locations', directory: 'directory', building: 'buildings',
  floor: 'floors', zone: 'zones',
};

/** The text of a place for the address. */
export function placeText(kind, id) {
  return kind === 'room' ? id : kind + ':' + id;
}

/** The text of a point: degrees, and the level where it is inside. */
export function pointText(latitude, longitude, floor) {
  const numbers = latitude.toFixed(6) + ',' + longitude.toFixed(6);
  return 'point:' + numbers + (floor ? ',' + floor : '');
}

/** Kind and id of a text, or a point's degrees and floor; null if it is none of them. */
export function readPlace(text) {
  if (!text) return null;
  if (text === 'here') return { kind: 'here', id: '' };
  const plain = /^(?:point:)?(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,([A-Za-z0-9._-]{1,64}))?$/;
  const point = plain.exec(text);
  if (point) {
    const latitude = Number(point[1]);
    const longitude = Number(point[2]);
    if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
    return { kind: 'point', id: text, latitude, longitude, floor: point[3] || null };
  }
  const parts = /^(?:([a-z]+):)?([A-Za-z0-9._-]{1,64})$/.exec(text);
  if (!parts) return null;
  const kind = parts[1] || 'room';
  if (kind !== 'kind' && !(kind in RECORDS)) return null;
  return { kind, id: parts[2] };
}

/** The members of a route's end. */
export function placeQuestion(place, floors) {
  if (place.kind === 'point') {
    const floor = floors.find((one) => one.id === place.floor);
    const result = { latitude: place.latitude, longitude: place.longitude };
    if (floor) result.level = floor.level;
    return result;
  }
  return { [place.kind]: place.id };
}

/**
 * The place of a text. An id alone may be that of another thing than a room, as on the page without
 * JavaScript: then the first kind counts that has it. Where a place is sought, not stood at, a
 * kind's word stands for the nearest one.
 */
export function findPlace(site, text, isSought) {
  const key = (isSought ? '>' : '') + text;
  if (!found.has(key)) {
    const finding = lookFor(site, text, isSought).catch((fault) => {
      found.delete(key);
      throw fault;
    });
    found.set(key, finding);
  }
  return found.get(key);
}

const found = new Map();

async function lookFor(site, text, isSought) {
  const place = readPlace(text);
  if (!place || place.kind !== 'room' || text.indexOf(':') >= 0) return place;
  const kinds = ['room', 'directory', 'building', 'zone', 'floor'];
  for (let i = 0; i < kinds.length; i += 1) {
    const one = { kind: kinds[i], id: place.id };
    try {
      const name = await placeName(site, one);
      if (name) return one;
    } catch (fault) {
      if (fault.status !== 404 && fault.status !== 403) throw fault;
    }
  }
  return (isSought && await nearestOf(site, text)) || { kind: 'location', id: place.id };
}

/**
 * The place of a kind's word: the only one of that name, else the nearest of the kind. Null for
 * other words.
 */
export async function nearestOf(site, text) {
  await learnKinds(site);
  if (!kindOfWord(text)) return null;
  const results = await findPlaces(site, text);
  const exact = results.filter((one) => one.match === 'exact' && one.name);
  const only = exact.length === 1 ? exact[0] : { kind: 'kind', id: kindOfWord(text) };
  return { kind: only.kind, id: only.id };
}

const known = new Map();

/** Remembers a name that an answer gave, so that it is not asked for again. */
export function rememberName(kind, id, name) {
  if (name && name !== id) known.set(kind + ':' + id, name);
}

/** The name of a place in the reader's language. */
export async function placeName(site, place) {
  if (place.kind === 'here') return t('place.here');
  if (place.kind === 'point') return t('place.point');
  if (place.kind === 'kind') return nearestPlace(place.id).name;
  const key = place.kind + ':' + place.id;
  if (known.has(key)) return known.get(key);
  const record = await placeRecord(site, place);
  let name = nameOf(record);
  if (!name && place.kind === 'floor') name = floorName(record);
  if (!name) name = kindName(record.kind || place.kind);
  known.set(key, name);
  return name;
}

/** Whether the site has the place for this reader. */
export async function isOnMap(site, place) {
  if (!place || place.kind === 'here') return Boolean(place);
  try {
    await placeName(site, place);
    return true;
  } catch (fault) {
    if (fault.status === 404 || fault.status === 403) return false;
    throw fault;
  }
}

/** The address of a place's record at the service. */
export function recordPath(site, place) {
  return sitePath(site.id, RECORDS[place.kind], place.id);
}

/** The record of a place. */
export function placeRecord(site, place) {
  const coordinates = place.kind === 'directory' ? '' : 'wgs84';
  return ask(recordPath(site, place) + query({ coordinates }));
}

/** Places with a name like `text`, best first. */
export async function findPlaces(site, text, signal) {
  const kind = 'room,directory,building,location,zone,floor';
  const members = { q: text, language: currentLanguage(), kind, limit: 24 };
  const answer = await ask(sitePath(site.id, 'search') + query(members), { signal });
  answer.results.forEach((one) => rememberName(one.kind, one.id, one.name));
  return withoutDoubles(answer.results);
}

/**
 * A room and its entry of the directory are one result: the first of them. Of one name on one floor
 * there are as many things as there are rooms, or as entries, whichever are more.
 */
export function withoutDoubles(results) {
  const able = results.filter(mayDouble);
  return results.filter((one) => {
    if (!mayDouble(one)) return true;
    const group = able.filter((other) => keyOf(other) === keyOf(one));
    const count = (kind) => group.filter((other) => other.kind === kind).length;
    const first = group[0].kind;
    const second = first === 'room' ? 'directory' : 'room';
    return one.kind === (count(second) > count(first) ? second : first);
  });
}

/** The results of which another one has the same name. */
export function namesakes(results) {
  const counts = new Map();
  const key = (place) => String(place.name).toLowerCase();
  results.forEach((place) => counts.set(key(place), (counts.get(key(place)) || 0) + 1));
  return results.filter((place) => place.name && counts.get(key(place)) > 1);
}

let twins = null;
let twinsArrived = null;
let teller = null;

/**
 * Takes the function that tells namesakes apart: its module comes when results have any. It is
 * kept, as a module runs only once.
 */
export function provideTwins(tell) {
  teller = tell;
  if (twinsArrived) twinsArrived(tell);
}

/** Tells the namesakes of results apart, as twins.js says. */
export async function tellApart(site, results, changed, signal) {
  if (!namesakes(results).length) return;
  twins = teller || twins || new Promise((resolve) => {
    twinsArrived = resolve;
    window.loading.module('/app/twins.js', () => {
      twins = null;
      resolve(() => null);
    });
  });
  const tell = await twins;
  if (signal.aborted) return;
  const done = tell(site, results, changed, signal);
  changed();
  await done;
}

function mayDouble(one) {
  return one.floors.length > 0 && (one.kind === 'room' || one.kind === 'directory');
}

function keyOf(one) {
  return one.name.toLowerCase() + '|' + one.floors.join();
}
