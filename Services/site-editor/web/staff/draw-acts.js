// What one stroke changes: the edits of rooms, and of what hangs on them. Nothing is sent here.
//
// An edit has do, kind, record, value and name, as the queue of edits takes them.

import { areaOf, distanceOf, isInside, nearestEdge, rounded } from './draw-geometry.js';
import { merged, split } from './draw-shapes.js';

// A door may stand in the middle of a wall.
const WALL_METRES = 0.6;
// Corners that are one, drawn by two hands.
const SAME_METRES = 0.02;
/** Kinds that may name a room, and what of them is changed where it becomes another. */
export const HANGING = ['connections', 'locations', 'directory', 'zones', 'contents'];

const put = (kind, record) => ({
  do: 'put', kind, record: record.id, value: record, name: record.name || '',
});
const patch = (kind, record, value) => ({
  do: 'patch', kind, record: record.id, value, name: record.name || '',
});
const remove = (kind, record, cascade) => ({
  do: 'remove', kind, record: record.id, value: { cascade: cascade === true },
  name: record.name || '',
});

/** The point of a location or of a stop. */
const pointOf = (thing) => [thing.x, thing.y];

/** How far a point is from a room: 0 inside. */
export function awayFrom(ring, point) {
  return isInside(ring, point) ? 0 : nearestEdge(ring, point).distance;
}

/** A record's value with one room in the place of another, wherever it is named; null if not. */
export function renamedRoom(value, from, to) {
  const changed = {};
  const walk = (part) => {
    if (Array.isArray(part)) return part.map(walk);
    if (!part || typeof part !== 'object') return part;
    const copy = {};
    Object.keys(part).forEach((name) => {
      const isList = name === 'rooms' && Array.isArray(part[name]);
      if (name === 'room' && part[name] === from) copy[name] = to;
      else if (isList && part[name].indexOf(from) >= 0) {
        copy[name] = part[name].map((one) => (one === from ? to : one))
          .filter((one, i, all) => all.indexOf(one) === i);
      } else copy[name] = walk(part[name]);
    });
    return copy;
  };
  const after = walk(value);
  Object.keys(after).forEach((name) => {
    if (JSON.stringify(after[name]) !== JSON.stringify(value[name])) changed[name] = after[name];
  });
  return Object.keys(changed).length ? changed : null;
}

/** Whether a record names a room. */
export function namesRoom(record, room) {
  return renamedRoom(record, room, '') !== null;
}

/** What hangs on a room, by kind: `lists` has the records of each kind. */
export function hangingOn(room, lists) {
  return [].concat(...HANGING.map((kind) => (lists[kind] || [])
    .filter((record) => namesRoom(record, room)).map((record) => ({ kind, record }))));
}

/** Removes a room with what can't be without it. */
export function removal(room) {
  return [remove('rooms', room, true)];
}

export function removalOf(kind, record) {
  return [remove(kind, record, true)];
}

// MARK: Doors and locations follow their rooms

/** The edits that move stops and locations of `from` to `room` where they lie in its ring. */
function moved(from, room, outline, stays, lists) {
  const isThere = (point) => awayFrom(outline, point) < awayFrom(stays, point) - 1e-6
    || (awayFrom(outline, point) <= SAME_METRES && awayFrom(stays, point) > SAME_METRES);
  const connections = (lists.connections || []).filter((one) => (
    one.stops.some((stop) => stop.room === from && isThere(pointOf(stop)))));
  const locations = (lists.locations || []).filter((one) => (
    one.room === from && typeof one.x === 'number' && isThere(pointOf(one))));
  return connections.map((one) => patch('connections', one, {
    stops: one.stops.map((stop) => (stop.room === from && isThere(pointOf(stop))
      ? Object.assign({}, stop, { room }) : stop)),
  })).concat(locations.map((one) => patch('locations', one, { room })));
}

// MARK: Split, merge, row, copy

/** A room cut in two by a line: the larger part keeps its name. Null where nothing is cut. */
export function splitting(room, line, id, lists) {
  const parts = split(room.outline, line[0], line[1]);
  if (!parts || (room.holes || []).length) return null;
  parts.sort((one, other) => Math.abs(areaOf(other)) - Math.abs(areaOf(one)));
  const second = { id, floor: room.floor, name: '', kind: room.kind, outline: parts[1] };
  copyFacts(room, second);
  return [put('rooms', second), patch('rooms', room, { outline: parts[0] })]
    .concat(moved(room.id, id, parts[1], parts[0], lists));
}

/** What a part of a room has in common with the whole. */
function copyFacts(from, to) {
  ['restricted', 'visibility', 'surface', 'accessible', 'proposed'].forEach((name) => {
    if (from[name] !== undefined) to[name] = from[name];
  });
  return to;
}

/** Two rooms that become the first; null where they share no wall. */
export function merging(first, second, lists) {
  const both = merged(first.outline, second.outline);
  if (!both) return null;
  const holes = (first.holes || []).concat(second.holes || [], both.holes);
  const value = { outline: both.outline };
  if (holes.length) value.holes = holes;
  if (!first.name && second.name) value.name = second.name;
  const edits = [patch('rooms', first, value)];
  hangingOn(second.id, lists).forEach(({ kind, record }) => {
    const change = renamedRoom(record, second.id, first.id);
    const stops = change.stops || [];
    const isWithin = kind === 'connections' && record.kind === 'door' && stops.length === 2
      && stops.every((stop) => stop.room === first.id);
    // A door between the two is none any more.
    edits.push(isWithin ? remove(kind, record) : patch(kind, record, change));
  });
  return edits.concat([remove('rooms', second)]);
}

/** A room that becomes a row: the first keeps the record; `names` has one for each. */
export function rowing(room, rings, names, newID, lists) {
  const edits = [];
  const others = rings.slice(1).map((outline, i) => copyFacts(room, {
    id: newID(), floor: room.floor, name: names[i + 1], kind: room.kind, outline,
  }));
  others.forEach((one) => edits.push(put('rooms', one)));
  edits.push(patch('rooms', room, { outline: rings[0], name: names[0], kind: room.kind }));
  others.forEach((one) => {
    const mine = (lists.connections || []).filter((each) => each.stops.some((stop) => (
      stop.room === room.id && awayFrom(one.outline, pointOf(stop)) <= SAME_METRES
        && awayFrom(rings[0], pointOf(stop)) > SAME_METRES)));
    edits.push(...mine.map((each) => patch('connections', each, {
      stops: each.stops.map((stop) => (stop.room === room.id
        ? Object.assign({}, stop, { room: one.id }) : stop)),
    })));
  });
  return edits;
}

/** Rooms of one floor again on another, and the doors between them. */
export function copying(rooms, connections, floor, newID) {
  const ids = new Map(rooms.map((room) => [room.id, newID('room')]));
  const copies = rooms.map((room) => put('rooms', Object.assign({}, room, {
    id: ids.get(room.id), floor,
  })));
  const doors = connections.filter((one) => one.kind === 'door'
    && one.stops.every((stop) => ids.has(stop.room)));
  return copies.concat(doors.map((one) => put('connections', Object.assign({}, one, {
    id: newID('door'),
    stops: one.stops.map((stop) => Object.assign({}, stop, { floor, room: ids.get(stop.room) })),
  }))));
}

// MARK: Corners

/**
 * A corner of a room that moves, with the same corner of other rooms, and doors in the walls that
 * move with it. `to` null takes the corner away from this room alone.
 */
export function cornering(room, index, to, others, connections) {
  const from = room.outline[index];
  if (!to) {
    if (room.outline.length < 4) return null;
    return [patch('rooms', room, { outline: room.outline.filter((one, i) => i !== index) })];
  }
  const target = rounded(to);
  const isHere = (one) => distanceOf(one, from) <= SAME_METRES;
  const touched = [room].concat(others.filter((one) => one.id !== room.id
    && one.outline.some(isHere)));
  const edits = touched.map((one) => patch('rooms', one, {
    outline: one.outline.map((corner) => (isHere(corner) ? target : corner)),
  }));
  return edits.concat(doorsAlong(touched, edits, connections));
}

/** Doors stay where they were along a wall that moves. */
function doorsAlong(rooms, edits, connections) {
  const before = new Map(rooms.map((room) => [room.id, room.outline]));
  const after = new Map(edits.map((edit) => [edit.record, edit.value.outline]));
  return connections.map((one) => {
    if (one.kind !== 'door') return null;
    const own = one.stops.find((stop) => before.has(stop.room));
    if (!own) return null;
    const point = pointOf(own);
    const ring = before.get(own.room);
    const edge = nearestEdge(ring, point);
    const now = after.get(own.room);
    if (edge.distance > WALL_METRES || now.length !== ring.length) return null;
    const ends = [edge.index, (edge.index + 1) % ring.length];
    const length = distanceOf(ring[ends[0]], ring[ends[1]]);
    if (!length || ends.every((at) => distanceOf(ring[at], now[at]) < 1e-9)) return null;
    const share = distanceOf(ring[ends[0]], edge.point) / length;
    const place = rounded([0, 1].map((axis) => (
      now[ends[0]][axis] + share * (now[ends[1]][axis] - now[ends[0]][axis]))));
    return patch('connections', one, { stops: one.stops.map((stop) => (
      Object.assign({}, stop, { x: place[0], y: place[1] }))) });
  }).filter(Boolean);
}

/** A corner more in a wall of a room. */
export function insertion(room, index, point) {
  const outline = room.outline.slice();
  outline.splice(index + 1, 0, rounded(point));
  return [patch('rooms', room, { outline })];
}

/** A whole room that moves, with its doors, locations, stairs and lifts in it. */
export function shifting(room, by, lists) {
  const shift = (point) => rounded([point[0] + by[0], point[1] + by[1]]);
  const value = { outline: room.outline.map(shift) };
  if ((room.holes || []).length) value.holes = room.holes.map((hole) => hole.map(shift));
  const edits = [patch('rooms', room, value)];
  (lists.connections || []).forEach((one) => {
    const isDoor = one.kind === 'door';
    if (!one.stops.some((stop) => stop.room === room.id)) return;
    const stops = one.stops.map((stop) => {
      if (!isDoor && stop.room !== room.id) return stop;
      const [x, y] = shift(pointOf(stop));
      return Object.assign({}, stop, { x, y });
    });
    edits.push(patch('connections', one, { stops }));
  });
  (lists.locations || []).forEach((one) => {
    if (one.room !== room.id || typeof one.x !== 'number') return;
    const [x, y] = shift(pointOf(one));
    edits.push(patch('locations', one, { x, y }));
  });
  return edits;
}

// MARK: Doors

/** Doors that stand in no wall of the rooms that they join. */
export function doorsInTheAir(connections, ringOf) {
  return connections.filter((one) => one.kind === 'door' && one.stops.some((stop) => {
    const ring = stop.room && ringOf(stop.room);
    return ring && nearestEdge(ring, pointOf(stop)).distance > WALL_METRES;
  }));
}

/**
 * The rooms on both sides of a wall at a point, and where a door between them stands: in the
 * middle of the wall. A side without a room is null.
 */
export function sidesOf(wall, rooms) {
  const along = [wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]];
  const length = Math.hypot(along[0], along[1]) || 1;
  const across = [-along[1] / length, along[0] / length];
  const at = (metres) => [
    wall.point[0] + across[0] * metres, wall.point[1] + across[1] * metres];
  const smallest = (point) => rooms.filter((room) => isInside(room.outline, point))
    .sort((one, other) => Math.abs(areaOf(one.outline)) - Math.abs(areaOf(other.outline)))[0];
  const find = (sign) => {
    for (let metres = 0.05; metres <= WALL_METRES + 0.05; metres += 0.1) {
      const room = smallest(at(sign * metres));
      if (room) return { room, metres };
    }
    return null;
  };
  const left = find(1);
  const right = find(-1);
  // Rooms are drawn at the faces of a wall: the door stands between them.
  const gap = left && right ? (left.metres - right.metres) / 2 : 0;
  return {
    left: left && left.room, right: right && right.room,
    point: rounded(Math.abs(gap) > 0.06 ? at(gap) : wall.point),
  };
}
