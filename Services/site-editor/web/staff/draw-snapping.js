// Where a hand that draws meant to point: corners, walls, right angles, and lines with others.

import { distanceOf, nearestOn, rounded } from './draw-geometry.js';
import { turned } from './draw-shapes.js';

// Corners that a rounding has parted.
const WELD_METRES = 0.05;
// Walls that are parallel but for the hand that drew them, in radians.
const SAME_ANGLE = 0.003;

/**
 * The point that is meant.
 *
 * `around` has rings: those of rooms near it; `from`: the corners drawn so far; `angle`: the
 * direction of walls; `radius` in metres. Gives point, kind (corner, wall, line or free) and the
 * guides: pairs of points to be shown.
 */
export function snapped(point, around) {
  const { rings, from, angle, radius } = around;
  const corners = [].concat(...rings).concat(from);
  const corner = nearest(corners, point, radius);
  if (corner) return { point: corner, kind: 'corner', guides: [] };
  const lines = alignments(point, corners, from, angle, radius);
  const wall = nearestWall(rings, point, radius);
  if (wall) return onWall(point, wall, lines, angle, radius);
  if (lines.u || lines.v) {
    const at = turned(point, -angle);
    const moved = rounded(turned([lines.u ? lines.u.value : at[0],
      lines.v ? lines.v.value : at[1]], angle));
    return { point: moved, kind: 'line', guides: guidesOf(lines, moved) };
  }
  // Nobody draws more exactly than a centimetre by hand.
  return { point: point.map((value) => Math.round(value * 100) / 100), kind: 'free', guides: [] };
}

function nearest(points, point, radius) {
  let best = null;
  let least = radius;
  points.forEach((one) => {
    const distance = distanceOf(one, point);
    if (distance <= least) {
      best = one;
      least = distance;
    }
  });
  return best;
}

/** The wall that is nearest to a point, within a radius: its ends and the point on it. */
export function nearestWall(rings, point, radius) {
  let best = null;
  rings.forEach((ring) => ring.forEach((start, i) => {
    const end = ring[(i + 1) % ring.length];
    const on = nearestOn(point, start, end);
    const distance = distanceOf(on, point);
    if (distance <= radius && (!best || distance < best.distance)) {
      best = { start, end, point: on, distance, ring };
    }
  }));
  return best;
}

/** A ring whose corners are those of its neighbours, or on their walls, where these are as near. */
export function welded(ring, rings) {
  const corners = [].concat(...rings);
  return ring.map((one) => {
    const corner = nearest(corners, one, WELD_METRES);
    if (corner) return corner;
    const wall = nearestWall(rings, one, WELD_METRES);
    return wall ? rounded(wall.point) : one;
  });
}

/** The corners with which the point is on one line, along the walls' two directions. */
function alignments(point, corners, from, angle, radius) {
  const at = turned(point, -angle);
  const found = { u: null, v: null };
  const look = (one, weight) => {
    const other = turned(one, -angle);
    ['u', 'v'].forEach((name, axis) => {
      const gap = Math.abs(other[axis] - at[axis]) * weight;
      if (gap <= radius && (!found[name] || gap < found[name].gap)) {
        found[name] = { value: other[axis], gap, corner: one };
      }
    });
  };
  corners.forEach((one) => look(one, 1));
  // A right angle with the last corner, or a close with the first, counts for more.
  if (from.length) look(from[from.length - 1], 0.5);
  if (from.length > 1) look(from[0], 0.7);
  return found;
}

/** On a wall, and there in line with a corner that is not on this wall. */
function onWall(point, wall, lines, angle, radius) {
  const start = turned(wall.start, -angle);
  const end = turned(wall.end, -angle);
  let best = { point: rounded(wall.point), kind: 'wall', guides: [] };
  let least = radius;
  ['u', 'v'].forEach((name, axis) => {
    const line = lines[name];
    const span = end[axis] - start[axis];
    if (!line || Math.abs(span) < 1e-6) return;
    const share = (line.value - start[axis]) / span;
    if (share < 0 || share > 1) return;
    const on = turned([start[0] + share * (end[0] - start[0]),
      start[1] + share * (end[1] - start[1])], angle);
    const distance = distanceOf(on, point);
    if (distance > least) return;
    least = distance;
    best = { point: rounded(on), kind: 'wall', guides: [[line.corner, on]] };
  });
  return best;
}

function guidesOf(lines, point) {
  return ['u', 'v'].map((name) => lines[name]).filter(Boolean)
    .map((line) => [line.corner, point]);
}

/** The direction of most walls in radians, up to a quarter turn; `usual` where there is none. */
export function directionOf(rings, usual) {
  const quarter = Math.PI / 2;
  const sums = [0, 0];
  rings.forEach((ring) => ring.forEach((start, i) => {
    const end = ring[(i + 1) % ring.length];
    const length = distanceOf(start, end);
    const angle = 4 * Math.atan2(end[1] - start[1], end[0] - start[0]);
    sums[0] += length * Math.cos(angle);
    sums[1] += length * Math.sin(angle);
  }));
  if (Math.hypot(sums[0], sums[1]) < 1e-6) return usual;
  const angle = Math.atan2(sums[1], sums[0]) / 4;
  const away = angle - usual - quarter * Math.round((angle - usual) / quarter);
  if (Math.abs(away) < SAME_ANGLE) return usual;
  const least = angle - quarter * Math.floor(angle / quarter);
  return quarter - least < SAME_ANGLE || least < SAME_ANGLE ? 0 : least;
}
