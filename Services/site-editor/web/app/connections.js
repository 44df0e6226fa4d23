// Doors, lifts, stairs and ways in words: by their own names, or by the rooms that they join.

import { floorLine } from './floors.js';
import { placeName } from './places.js';
import { ask, query, sitePath } from './service.js';
import { currentLanguage, kindName, nameOf } from './words.js';

/** The connections that are known, with their names: by site, language and id. */
const known = new Map();

/** The name of a connection: its own, or its kind with two rooms that it joins. */
export async function connectionName(site, connection, from) {
  const own = nameOf(connection);
  if (own) return own;
  const rooms = connection.stops.map((stop) => stop.room)
    .filter((room, index, all) => room && room !== from && all.indexOf(room) === index);
  const places = rooms.slice(0, 2).map((id) => (
    placeName(site, { kind: 'room', id }).catch(() => '')));
  const names = [kindName(connection.kind)].concat(await Promise.all(places));
  // A room without a name has that of its kind, as a lift's rooms often have.
  return names.filter((name, index) => name && names.indexOf(name) === index).join(' · ');
}

/**
 * The first stop of a connection, its name and its floor. They are asked for once. Where there is
 * no answer the name is empty.
 */
export async function connectionOf(site, id) {
  const key = [site.id, currentLanguage(), id].join(' ');
  if (known.has(key)) return known.get(key);
  const path = sitePath(site.id, 'connections', id) + query({ coordinates: 'wgs84' });
  const record = await ask(path).catch(() => null);
  if (!record) return { stop: null, name: '', floor: '' };
  const stop = record.stops[0];
  const found = {
    stop, name: await connectionName(site, record),
    floor: stop && stop.floor ? floorLine(site, stop.floor) : '',
  };
  known.set(key, found);
  return found;
}

/** A connection and its floor in one line, such as `Door · Lab 3 · Level 1`. */
export async function connectionLine(site, id) {
  const found = await connectionOf(site, id);
  return [found.name, found.floor].filter(Boolean).join(' · ');
}

/** The connections of a room, and whether there are more of them. */
export async function connectionsOfRoom(site, room) {
  const answer = await ask(sitePath(site.id, 'connections')
    + query({ room, limit: 100, coordinates: 'wgs84' }));
  return { connections: answer.connections, more: Boolean(answer.next) };
}

/** The connections of a floor; null for a floor with more than one answer holds. */
export async function connectionsOfFloor(site, floor) {
  const answer = await ask(sitePath(site.id, 'connections')
    + query({ floor, limit: 1000, coordinates: 'wgs84' }));
  return answer.next ? null : answer.connections;
}
