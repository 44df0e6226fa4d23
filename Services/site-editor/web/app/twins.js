// Results of a search that look alike: each says what tells it apart from the others.

import { floorLine } from './floors.js';
import { ask, query, sitePath } from './service.js';
import { nameOf, t } from './words.js';

const MOST_FLOORS = 3;
/** Twins for which the rooms beside them are asked for. */
const MOST_ASKED = 8;
const MOST_KNOWN = 16;

/** The results of which another one has the same name. */
export function namesakes(results) {
  const counts = new Map();
  const key = (place) => String(place.name).toLowerCase();
  results.forEach((place) => counts.set(key(place), (counts.get(key(place)) || 0) + 1));
  return results.filter((place) => place.name && counts.get(key(place)) > 1);
}

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
 * Gives each namesake its `where`. Twins on one floor say what is near. `changed()` is called when
 * something came that was not known at once; `signal` stops what is still asked for.
 */
export async function tellApart(site, results, changed, signal) {
  const alike = namesakes(results);
  if (!alike.length) return;
  const draw = () => alike.forEach((place) => { place.where = whereOf(site, place); });
  draw();
  const lacking = unnamed(site, alike).slice(0, MOST_ASKED);
  if (lacking.length) {
    await Promise.all(lacking.map((id) => site.readBuilding(id).catch(() => null)));
    draw();
    changed();
  }
  const same = (one) => alike.filter((other) => (
    other.where === one.where && String(other.name).toLowerCase()
      === String(one.name).toLowerCase())).length > 1;
  const twins = alike.filter((place) => place.kind === 'room' && place.floors.length && same(place))
    .slice(0, MOST_ASKED);
  await nameNear(site, twins, signal);
  if (twins.length) changed();
}

const known = new Map();

/** The rooms of a floor, asked for once for a version of the site. */
async function roomsOf(site, floor, signal) {
  const key = [site.id, site.version, floor].join(' ');
  if (!known.has(key)) {
    const path = sitePath(site.id, 'rooms') + query({ limit: 1000, floor });
    const answer = await ask(path, { signal });
    if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value);
    known.set(key, answer.rooms);
  }
  return known.get(key);
}

/** Adds to each room the nearest one of its floor that has another name. */
async function nameNear(site, twins, signal) {
  const floors = Array.from(new Set(twins.map((place) => place.floors[0])));
  const lists = await Promise.all(floors.map((floor) => (
    roomsOf(site, floor, signal).catch(() => []))));
  twins.forEach((place) => {
    const near = nearestName(place, lists[floors.indexOf(place.floors[0])]);
    if (near) place.where = [place.where, t('search.near', { place: near })].join(' · ');
  });
}

/** The name of the room nearest to another one; outlines are in metres. */
function nearestName(place, rooms) {
  // A kept list has no outlines.
  const drawn = rooms.filter((room) => room.outline && room.outline.length);
  const own = drawn.find((room) => room.id === place.id);
  if (!own) return '';
  const middle = middleOf(own);
  const far = (room) => Math.hypot(middleOf(room)[0] - middle[0], middleOf(room)[1] - middle[1]);
  const others = drawn.filter((room) => (
    nameOf(room) && nameOf(room) !== nameOf(own) && nameOf(room) !== place.name));
  const best = others.reduce((found, room) => (
    !found || far(room) < far(found) ? room : found), null);
  return best ? nameOf(best) : '';
}

function middleOf(room) {
  const corners = room.outline;
  const sum = (index) => corners.reduce((all, corner) => all + corner[index], 0);
  return [sum(0) / corners.length, sum(1) / corners.length];
}
