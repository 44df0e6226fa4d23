// Rooms that are made of others: rectangles, rows of equal rooms, halves, and two that become one.

import {
  areaOf, distanceOf, isInside, nearestOn, rounded, selfCrossing, tidied,
} from './draw-geometry.js';

// A wall between two rooms that are drawn along its faces.
const WALL_METRES = 0.6;
// How near two walls are that are one: as drawn, by two hands, and with a wall between them.
const NEAR_METRES = [0.002, 0.05, WALL_METRES];
const LEAST_AREA = 0.05;

/** A point turned by an angle about the origin. */
export function turned(point, angle) {
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  return [point[0] * cosine - point[1] * sine, point[0] * sine + point[1] * cosine];
}

/** The rectangle between two opposite corners, whose sides have this direction. */
export function rectangle(one, other, angle) {
  const a = turned(one, -angle);
  const b = turned(other, -angle);
  const west = Math.min(a[0], b[0]);
  const east = Math.max(a[0], b[0]);
  const south = Math.min(a[1], b[1]);
  const north = Math.max(a[1], b[1]);
  return [[west, south], [east, south], [east, north], [west, north]]
    .map((corner) => rounded(turned(corner, angle)));
}

/** A room of four corners as a row of equal ones, along its longer sides; null for others. */
export function divided(ring, count) {
  if (ring.length !== 4 || count < 2) return null;
  const isAcross = distanceOf(ring[0], ring[1]) + distanceOf(ring[2], ring[3])
    < distanceOf(ring[1], ring[2]) + distanceOf(ring[3], ring[0]);
  const [a, b, c, d] = isAcross ? [ring[1], ring[2], ring[3], ring[0]] : ring;
  const on = (start, end, share) => rounded([
    start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share]);
  const rooms = [];
  for (let i = 0; i < count; i += 1) {
    rooms.push([on(a, b, i / count), on(a, b, (i + 1) / count), on(d, c, (i + 1) / count),
      on(d, c, i / count)]);
  }
  return inReadingOrder(rooms);
}

/** From left to right, or from the top down, as the numbers of rooms are read. */
function inReadingOrder(rooms) {
  const first = rooms[0][0];
  const last = rooms[rooms.length - 1][0];
  const isAlong = Math.abs(last[0] - first[0]) >= Math.abs(last[1] - first[1]);
  const isReversed = isAlong ? last[0] < first[0] : last[1] > first[1];
  return isReversed ? rooms.reverse() : rooms;
}

/** The two parts of a room on both sides of a line through two points; null where it cuts none. */
export function split(ring, one, other) {
  const along = [other[0] - one[0], other[1] - one[1]];
  const length = Math.hypot(along[0], along[1]);
  const middle = [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
  if (length < 0.01 || !isInside(ring, middle)) return null;
  const side = (point) => {
    const value = (along[0] * (point[1] - one[1]) - along[1] * (point[0] - one[0])) / length;
    return Math.abs(value) < 1e-6 ? 0 : value;
  };
  const crossings = [];
  ring.forEach((corner, index) => {
    const next = ring[(index + 1) % ring.length];
    const here = side(corner);
    const there = side(next);
    if (here >= 0 === there >= 0) return;
    const share = here / (here - there);
    const point = [corner[0] + share * (next[0] - corner[0]),
      corner[1] + share * (next[1] - corner[1])];
    const at = ((point[0] - middle[0]) * along[0] + (point[1] - middle[1]) * along[1]) / length;
    crossings.push({ index, point: rounded(point), at });
  });
  const before = crossings.filter((each) => each.at <= 0).sort((a, b) => b.at - a.at)[0];
  const after = crossings.filter((each) => each.at > 0).sort((a, b) => a.at - b.at)[0];
  if (!before || !after || before.index === after.index) return null;
  const walk = (from, to) => {
    const part = [from.point];
    for (let i = (from.index + 1) % ring.length; ; i = (i + 1) % ring.length) {
      part.push(ring[i]);
      if (i === to.index) break;
    }
    return tidied(part.concat([to.point]));
  };
  const parts = [walk(before, after), walk(after, before)];
  const fine = parts.every((part) => part.length > 2 && Math.abs(areaOf(part)) > LEAST_AREA);
  return fine ? parts : null;
}

// MARK: Two that become one

/** The outline of two rooms that share a wall, with holes; null where they share none. */
export function merged(one, other) {
  const a = areaOf(one) < 0 ? one.slice().reverse() : one;
  const b = areaOf(other) < 0 ? other.slice().reverse() : other;
  return NEAR_METRES.reduce((found, near) => found || joined(a, b, near), null);
}

function joined(one, other, near) {
  const second = other.map((corner) => pulled(corner, one, near));
  const a = withCornersOf(one, second);
  const b = withCornersOf(second, a);
  const key = (point) => rounded(point).join(',');
  const edges = new Map();
  const add = (ring) => ring.forEach((corner, i) => {
    const next = ring[(i + 1) % ring.length];
    if (key(corner) !== key(next)) edges.set(key(corner) + ' ' + key(next), [corner, next]);
  });
  add(a);
  add(b);
  let shared = 0;
  Array.from(edges.keys()).forEach((name) => {
    const back = name.split(' ').reverse().join(' ');
    if (!edges.has(name) || !edges.has(back)) return;
    const [start, end] = edges.get(name);
    shared += distanceOf(start, end);
    edges.delete(name);
    edges.delete(back);
  });
  if (shared < 0.1) return null;
  const rings = ringsOf(Array.from(edges.values()), key);
  if (!rings) return null;
  const outer = rings.filter((ring) => areaOf(ring) > 0);
  if (outer.length !== 1 || selfCrossing(outer[0])) return null;
  return {
    outline: outer[0],
    holes: rings.filter((ring) => areaOf(ring) < 0 && Math.abs(areaOf(ring)) > LEAST_AREA),
  };
}

/** A corner on the other room's corner or wall, where it is near to one. */
function pulled(corner, ring, near) {
  const same = ring.filter((one) => distanceOf(one, corner) <= near)
    .sort((a, b) => distanceOf(a, corner) - distanceOf(b, corner))[0];
  if (same) return same;
  const places = ring.map((one, i) => nearestOn(corner, one, ring[(i + 1) % ring.length]))
    .filter((on) => distanceOf(on, corner) <= near)
    .sort((a, b) => distanceOf(a, corner) - distanceOf(b, corner));
  return places[0] || corner;
}

/** A ring with the corners of another that lie on its edges. */
function withCornersOf(ring, other) {
  return [].concat(...ring.map((corner, i) => {
    const next = ring[(i + 1) % ring.length];
    const between = other.filter((one) => distanceOf(nearestOn(one, corner, next), one) < 0.002
      && distanceOf(one, corner) > 0.002 && distanceOf(one, next) > 0.002);
    return [corner].concat(between.sort((a, b) => distanceOf(a, corner) - distanceOf(b, corner)));
  }));
}

/** The rings that edges make, end to end; null where one does not close. */
function ringsOf(edges, key) {
  const from = new Map();
  edges.forEach((edge) => {
    const start = key(edge[0]);
    from.set(start, (from.get(start) || []).concat([edge]));
  });
  const rings = [];
  for (let guard = edges.length; from.size && guard > 0; guard -= 1) {
    const start = from.keys().next().value;
    const ring = [];
    let at = start;
    do {
      const choices = from.get(at);
      if (!choices) return null;
      const edge = choices.pop();
      if (!choices.length) from.delete(at);
      ring.push(edge[0]);
      at = key(edge[1]);
    } while (at !== start);
    const clean = tidied(ring.map(rounded));
    if (clean.length > 2) rings.push(clean);
  }
  return rings;
}
