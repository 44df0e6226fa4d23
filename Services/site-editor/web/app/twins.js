// Places of one name, as results of a search or in a list: each says what tells it apart. The page
// without JavaScript says the same, by `PageNames+Twins.swift`.

import { buildingName, floorLine } from './floors.js';
import { namesakes, provideTwins, recordPath } from './places.js';
import { ask, query, sitePath } from './service.js';
import { currentLanguage, nameOf, t } from './words.js';

const MOST_FLOORS = 3;
/** As many records are asked for one by one as a search gives results. */
const MOST_ASKED = 24;
const MOST_TWINS = 240;
const MOST_LISTS = 40;
/** As many lists are asked for at once, so that what the reader does next is answered, too. */
const LISTS_AT_ONCE = 4;
const MOST_FOUND = 50;
const MOST_TURNS = 8;
const MOST_BUILDINGS = 8;
const MOST_SPOTS = 128;
const MOST_KNOWN = 48;
const MOST_PAGES = 4;

/** The floors of a result, with the building where there are several. */
function whereOf(site, place) {
  return (place.floors || []).slice(0, MOST_FLOORS).map((id) => floorLine(site, id))
    .filter(Boolean).join(', ');
}

/** The buildings of results whose names have not come yet. */
function unnamed(site, results) {
  if (site.storeyedBuildings().length < 2) return [];
  const floors = [].concat(...results.map((place) => place.floors || []));
  const buildings = floors.map((id) => site.floorOf(id)).filter(Boolean)
    .map((floor) => floor.building);
  return Array.from(new Set(buildings)).filter((id) => !site.buildingOf(id));
}

/**
 * Gives each namesake its `where`. One without a floor says its building, and twins in one place
 * say what is near. `changed()` is called when something came that was not known at once; `signal`
 * stops what is still asked for.
 */
export async function tellApart(site, results, changed, signal) {
  const alike = namesakes(results);
  if (!alike.length) return;
  const draw = () => alike.forEach((place) => { place.where = whereOf(site, place); });
  const isBare = alike.some((place) => !place.floors);
  if (isBare) await readFloors(site, alike, signal);
  draw();
  if (isBare) changed();
  const lacking = unnamed(site, alike).slice(0, MOST_BUILDINGS);
  if (lacking.length) {
    await Promise.all(lacking.map((id) => site.readBuilding(id).catch(() => null)));
    draw();
    changed();
  }
  const floating = alike.filter((place) => !place.where).slice(0, MOST_ASKED);
  const spots = await spotsOf(site, floating, signal);
  spots.forEach((spot, place) => { place.where = spot.where; });
  if (floating.length) changed();
  const key = (one) => String(one.name).toLowerCase() + '|' + one.where;
  const counts = new Map();
  alike.forEach((one) => counts.set(key(one), (counts.get(key(one)) || 0) + 1));
  const twins = alike.filter((place) => !place.where || counts.get(key(place)) > 1)
    .slice(0, MOST_TWINS);
  if (!twins.length) return;
  await nameNear(site, twins, key, signal);
  changed();
}

/**
 * Gives the floors of namesakes that come without them, as the directory lists its entries. The
 * lists of the floors have them, or searches for the names, whichever are fewer.
 */
async function readFloors(site, alike, signal) {
  const bare = alike.filter((place) => !place.floors);
  const names = Array.from(new Set(bare.map((place) => place.name.toLowerCase())));
  const read = names.length < site.floors.length
    ? (index) => entriesCalled(site, names[index], signal)
    : (index) => entriesOn(site, site.floors[index].id, signal);
  const count = Math.min(names.length, site.floors.length, MOST_LISTS);
  const floors = new Map();
  let next = 0;
  const readOn = async () => {
    while (next < count && !(signal && signal.aborted)) {
      const found = await read((next += 1) - 1);
      found.forEach((one) => floors.set(one[0], one[1]));
    }
  };
  await Promise.all(Array.from({ length: LISTS_AT_ONCE }, readOn));
  bare.forEach((place) => { place.floors = floors.get(place.id) || []; });
}

/** Ids and floors of the entries of a name. */
async function entriesCalled(site, q, signal) {
  const members = { q, kind: 'directory', language: currentLanguage(), limit: MOST_FOUND };
  const path = sitePath(site.id, 'search') + query(members);
  const answer = await askPatiently(path, signal).catch(() => ({ results: [] }));
  return answer.results.map((one) => [one.id, one.floors]);
}

async function entriesOn(site, floor, signal) {
  const entries = await listOf(site, 'directory', floor, signal);
  return entries.map((one) => [one.id, [floor]]);
}

/** An answer, also where so much is asked that some of it has to wait. */
async function askPatiently(path, signal) {
  for (let turn = 1; ; turn += 1) {
    try {
      return await ask(path, { signal });
    } catch (fault) {
      if (fault.status !== 429 || turn === MOST_TURNS) throw fault;
      await pause(1000 * (fault.retryAfter || turn), signal);
      if (signal && signal.aborted) throw fault;
    }
  }
}

/** Waits so many milliseconds, or until `signal` stops it. */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    if (signal) signal.addEventListener('abort', resolve, { once: true });
  });
}

const spotsKnown = new Map();

/** Where each of these is, by its record: `floor`, `at` in metres, its `own` id, its line. */
async function spotsOf(site, places, signal) {
  const found = await Promise.all(places.map((place) => {
    const key = [site.id, site.version, place.kind, place.id].join(' ');
    if (!spotsKnown.has(key)) {
      if (spotsKnown.size >= MOST_SPOTS) spotsKnown.delete(spotsKnown.keys().next().value);
      spotsKnown.set(key, spotOf(site, place, signal).catch(() => {
        spotsKnown.delete(key);
        return {};
      }));
    }
    return spotsKnown.get(key);
  }));
  return new Map(places.map((place, index) => [
    place, Object.assign({}, found[index], { where: lineOf(site, place, found[index]) }),
  ]));
}

async function spotOf(site, place, signal) {
  const record = place.record || await recordOf(site, place, signal);
  if (place.kind === 'directory') {
    const first = (record.places || [])[0];
    const kind = first && Object.keys(first)[0];
    return kind ? spotOf(site, { kind, id: first[kind], floors: place.floors }, signal) : {};
  }
  const outline = record.outline || [];
  const at = outline.length ? middleOf(record) : [record.x, record.y];
  return {
    floor: record.floor || '', own: place.kind === 'location' ? record.room : place.id,
    at: Number.isFinite(at[0]) ? at : null,
    building: place.kind === 'building' ? record : null,
  };
}

/** The record of a place in metres: of a list of its floor, which is asked for once. */
async function recordOf(site, place, signal) {
  const lists = { room: 'rooms', directory: 'directory', location: 'locations' };
  const list = lists[place.kind];
  for (let i = 0; list && i < Math.min(MOST_FLOORS, (place.floors || []).length); i += 1) {
    const listed = await listOf(site, list, place.floors[i], signal);
    const own = listed.find((one) => one.id === place.id);
    if (own) return own;
  }
  return askPatiently(recordPath(site, place), signal);
}

/** The floor, or the building; a building that is a namesake itself has its address. */
function lineOf(site, place, spot) {
  if (place.kind === 'building') return spot.building ? spot.building.address || '' : '';
  return spot.building ? buildingName(spot.building) : floorLine(site, spot.floor);
}

const known = new Map();

/** The rooms of a floor, or the buildings for none. */
function around(site, floor, signal) {
  return listOf(site, floor ? 'rooms' : 'buildings', floor, signal);
}

/** The records of a floor; asked for once for a version of the site. */
function listOf(site, list, floor, signal) {
  const key = [site.id, site.version, list, floor].join(' ');
  if (!known.has(key)) {
    if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value);
    known.set(key, readPages(site, list, floor, signal).catch(() => {
      known.delete(key);
      return [];
    }));
  }
  return known.get(key);
}

/** Some pages of a list: a large floor has more rooms than one. */
async function readPages(site, list, floor, signal) {
  const all = [];
  for (let page = 0, after = ''; page < MOST_PAGES && (page === 0 || after); page += 1) {
    const path = sitePath(site.id, list) + query({ limit: 1000, floor, after });
    const answer = await askPatiently(path, signal);
    all.push(...answer[list]);
    after = answer.next;
  }
  return all;
}

/** Adds to each twin the nearest room of its floor, or the nearest building outdoors. */
async function nameNear(site, twins, key, signal) {
  const spots = await spotsOf(site, twins, signal);
  const placed = twins.filter((place) => spots.get(place).at);
  const floors = Array.from(new Set(placed.map((place) => spots.get(place).floor)));
  const lists = await Promise.all(floors.map((floor) => around(site, floor, signal)));
  const groups = new Map();
  twins.forEach((place) => groups.set(key(place), (groups.get(key(place)) || []).concat(place)));
  groups.forEach((group) => {
    const pairs = [].concat(...group.map((place, twin) => {
      const rooms = lists[floors.indexOf(spots.get(place).floor)] || [];
      return nearestOf(place, spots.get(place), rooms).slice(0, group.length)
        .map((one) => Object.assign(one, { place, twin }));
    }));
    shareOut(pairs).forEach((near, place) => {
      place.where = [place.where, t('search.near', { place: near })].filter(Boolean).join(' · ');
    });
  });
}

/** The other names around a twin, each once, with their distances in metres; nearest first. */
function nearestOf(place, spot, rooms) {
  if (!spot.at) return [];
  const own = String(place.name).toLowerCase();
  const far = new Map();
  rooms.forEach((room) => {
    const near = nameOf(room);
    // A kept list has no outlines.
    if (!near || !(room.outline && room.outline.length) || room.id === spot.own) return;
    if (near.toLowerCase() === own) return;
    const middle = middleOf(room);
    const metres = Math.hypot(middle[0] - spot.at[0], middle[1] - spot.at[1]);
    if (!(far.get(near) <= metres)) far.set(near, metres);
  });
  return Array.from(far, ([near, metres]) => ({ near, metres })).sort((one, other) => (
    one.metres - other.metres || (one.near < other.near ? -1 : 1)));
}

/** The nearest name for each place; two get the same one only where there is no other. */
function shareOut(pairs) {
  const sorted = pairs.slice().sort((one, other) => (
    one.metres - other.metres || one.twin - other.twin));
  const given = new Map();
  const taken = new Set();
  [true, false].forEach((once) => sorted.forEach(({ place, near }) => {
    if (given.has(place) || (once && taken.has(near))) return;
    given.set(place, near);
    taken.add(near);
  }));
  return given;
}

/** The middle of a record's outline, weighted by area as the service has it. */
function middleOf(record) {
  const corners = record.outline;
  const origin = corners[0];
  let area = 0;
  let x = 0;
  let y = 0;
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % corners.length];
    const [ax, ay] = [corner[0] - origin[0], corner[1] - origin[1]];
    const [bx, by] = [next[0] - origin[0], next[1] - origin[1]];
    const cross = ax * by - bx * ay;
    area += cross / 2;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  });
  if (Math.abs(area) < 1e-9) return origin;
  return [origin[0] + x / (6 * area), origin[1] + y / (6 * area)];
}

provideTwins(tellApart);
