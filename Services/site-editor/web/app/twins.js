// Results of a search that look alike: each says what tells it apart from the others.

import { buildingName, floorLine } from './floors.js';
import { namesakes, provideTwins, recordPath } from './places.js';
import { ask, query, sitePath } from './service.js';
import { t } from './words.js';

const MOST_FLOORS = 3;
/** As many namesakes are asked for as a search gives. */
const MOST_ASKED = 24;
const MOST_BUILDINGS = 8;
const MOST_SPOTS = 128;
const MOST_KNOWN = 16;

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
  draw();
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
  const same = (one) => alike.filter((other) => key(other) === key(one));
  const twins = alike.filter((place) => !place.where || same(place).length > 1)
    .slice(0, MOST_ASKED);
  if (!twins.length) return;
  await nameNear(site, twins, key, signal);
  changed();
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
  const record = await recordOf(site, place, signal);
  if (place.kind === 'directory') {
    const first = (record.places || [])[0];
    const kind = first && Object.keys(first)[0];
    return kind ? spotOf(site, { kind, id: first[kind] }, signal) : {};
  }
  const outline = record.outline || [];
  const at = outline.length ? middleOf(record) : [record.x, record.y];
  return {
    floor: record.floor || '', own: place.kind === 'location' ? record.room : place.id,
    at: Number.isFinite(at[0]) ? at : null,
    building: place.kind === 'building' ? record : null,
  };
}

/** The record of a place in metres. Most rooms are in the list of their floor. */
async function recordOf(site, place, signal) {
  const listed = place.kind === 'room' && place.floors && place.floors.length
    ? (await around(site, place.floors[0], signal)).find((room) => room.id === place.id) : null;
  return listed || ask(recordPath(site, place), { signal });
}

/** The floor, or the building; a building that is a namesake itself has its address. */
function lineOf(site, place, spot) {
  if (place.kind === 'building') return spot.building ? spot.building.address || '' : '';
  return spot.building ? buildingName(spot.building) : floorLine(site, spot.floor);
}

const known = new Map();

/** The rooms of a floor, or the buildings for none; asked for once for a version of the site. */
function around(site, floor, signal) {
  const key = [site.id, site.version, floor].join(' ');
  if (!known.has(key)) {
    if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value);
    const path = sitePath(site.id, floor ? 'rooms' : 'buildings')
      + query({ limit: 1000, floor });
    known.set(key, ask(path, { signal }).then((answer) => answer.rooms || answer.buildings, () => {
      known.delete(key);
      return [];
    }));
  }
  return known.get(key);
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
    const pairs = [].concat(...group.map((place) => (
      pairsOf(place, spots.get(place), lists[floors.indexOf(spots.get(place).floor)] || []))));
    shareOut(pairs).forEach((near, place) => {
      place.where = [place.where, t('search.near', { place: near })].filter(Boolean).join(' · ');
    });
  });
}

/** The names around a twin with their distances in metres. */
function pairsOf(place, spot, rooms) {
  if (!spot.at) return [];
  const own = String(place.name).toLowerCase();
  // A kept list has no outlines.
  return rooms.filter((room) => room.outline && room.outline.length && room.id !== spot.own
    && buildingName(room) && buildingName(room).toLowerCase() !== own).map((room) => {
    const middle = middleOf(room);
    const far = Math.hypot(middle[0] - spot.at[0], middle[1] - spot.at[1]);
    return { place, near: buildingName(room), far };
  });
}

/** The nearest name for each place; two get the same one only where there is no other. */
function shareOut(pairs) {
  const sorted = pairs.slice().sort((one, other) => one.far - other.far);
  const given = new Map();
  const taken = new Set();
  [true, false].forEach((once) => sorted.forEach(({ place, near }) => {
    if (given.has(place) || (once && taken.has(near))) return;
    given.set(place, near);
    taken.add(near);
  }));
  return given;
}

function middleOf(room) {
  const corners = room.outline;
  const sum = (index) => corners.reduce((all, corner) => all + corner[index], 0);
  return [sum(0) / corners.length, sum(1) / corners.length];
}

provideTwins(tellApart);
