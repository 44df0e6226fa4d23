// A route as one line: where one is along it, where it turns next, and in which direction that is.
//
// Nothing here asks or shows anything. Lengths are metres, directions degrees from true north.

import { bearing, metresBetween, nearestOn, turned } from './measuring.js';

// So far a line may bend before it counts as a turn: a door's jamb, a chair that is passed.
const BEND_METRES = 0.8;
const CORNER_METRES = 1.5;
// A shorter leg says nothing about the pace.
const LEAST_METRES = 0.5;

/**
 * The line of a route of the service. Each point has `along`, the metres from the beginning;
 * `starts` has the same for each leg. From floor to floor no metres pass.
 */
export function trackOf(route) {
  const points = [];
  const starts = [];
  let along = 0;
  route.legs.forEach((leg, index) => {
    leg.paths.forEach((path) => path.wgs84.forEach((pair) => {
      const point = {
        latitude: pair[1], longitude: pair[0], floor: path.floor || null, leg: index,
      };
      const last = points[points.length - 1];
      if (last && last.floor === point.floor) along += metresBetween(last, point);
      point.along = along;
      if (starts[index] === undefined) starts[index] = along;
      points.push(point);
    }));
    if (starts[index] === undefined) starts[index] = along;
  });
  return { points, starts, length: along };
}

/** Where on the line each step of a list begins. None is before the one before it. */
export function stepStarts(track, steps) {
  let least = 0;
  return steps.map((step) => {
    const own = track.points.filter((point) => point.leg === step.leg);
    let along = track.starts[step.leg];
    if (own.length > 1) {
      const part = { points: own };
      const near = locate(part, Object.assign({ floor: null }, step));
      if (near) along = near.along;
    }
    least = Math.max(least, along === undefined ? least : along);
    return least;
  });
}

/** The legs that a step leads through: all until the next one begins. */
function legsOfStep(route, index) {
  const steps = route.spoken;
  const first = steps[index].leg;
  // Steps that begin in one leg share its legs: the first of them has them.
  if (index > 0 && steps[index - 1].leg === first) return [];
  const next = steps.find((one) => one.leg > first);
  return route.legs.slice(first, next ? next.leg : route.legs.length);
}

function sumOf(list, member) {
  return list.reduce((sum, one) => sum + (one[member] || 0), 0);
}

/** The steps that begin in the same leg as one of them. */
function sisters(route, index) {
  return route.spoken.filter((one) => one.leg === route.spoken[index].leg);
}

/**
 * The metres that each spoken step leads, which may be along walls. A step that states none, such
 * as stairs, has those of its legs.
 */
export function stepLengths(route) {
  return route.spoken.map((step, index) => (
    sumOf(sisters(route, index), 'distanceMetres') > 0 ? step.distanceMetres
      : sumOf(legsOfStep(route, index), 'distanceMetres')));
}

/** The seconds of each spoken step: as many more than those of its legs as it is longer. */
export function stepTimes(route, lengths) {
  return route.spoken.map((step, index) => {
    const legs = legsOfStep(route, index);
    const seconds = sumOf(legs, 'seconds');
    const metres = sumOf(legs, 'distanceMetres');
    const told = route.spoken.reduce((sum, one, at) => (
      one.leg === step.leg ? sum + lengths[at] : sum), 0);
    return metres > LEAST_METRES && told > metres ? (seconds * told) / metres : seconds;
  });
}

/**
 * The nearest place of the line on the position's floor: `along` and `metresOff`; null if the line
 * is not on that floor. Where it passes twice, what is near `before` counts.
 */
export function locate(track, position, before) {
  let best = null;
  for (let i = 0; i < track.points.length; i += 1) {
    const from = track.points[Math.max(0, i - 1)];
    const to = track.points[i];
    const single = track.points.length === 1;
    const usable = from.floor === to.floor && (single || i > 0);
    const sameFloor = !position.floor || to.floor === position.floor;
    if (usable && sameFloor) {
      const near = nearestOf(from, to, position);
      const jump = before === undefined ? 0 : Math.abs(near.along - before);
      near.cost = near.metresOff + jump / 10;
      if (!best || near.cost < best.cost) best = near;
    }
  }
  return best;
}

function nearestOf(from, to, position) {
  const near = nearestOn(from, to, position);
  return {
    along: from.along + (to.along - from.along) * near.share, metresOff: near.metresOff,
  };
}

/** The place so many metres along the line, and the index of the point after it. */
export function placeAt(track, along) {
  const points = track.points;
  let index = points.findIndex((point) => point.along > along);
  if (index < 0) index = points.length - 1;
  const from = points[Math.max(0, index - 1)];
  const to = points[index];
  const length = to.along - from.along;
  const share = length > 0 ? Math.max(0, Math.min(1, (along - from.along) / length)) : 0;
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
    floor: to.floor, index,
  };
}

/**
 * Where the line turns next, seen from a place on it: the last point to which it is straight, on
 * the same floor. `from` may be where somebody stands beside the line.
 */
export function nextTurn(track, along, from) {
  const start = placeAt(track, along);
  const stand = from || start;
  let target = track.points[start.index];
  for (let i = start.index; i < track.points.length; i += 1) {
    const point = track.points[i];
    if (point.floor !== start.floor) break;
    const between = track.points.slice(start.index, i);
    const far = metresBetween(stand, point) >= 1;
    if (far && !straight(stand, point, between)) break;
    target = point;
  }
  const more = track.points[track.points.indexOf(target) + 1];
  if (more && more.floor === target.floor && metresBetween(stand, target) < CORNER_METRES) {
    // Who stands at the corner already is shown the way behind it.
    if (target.along + 0.05 > along) return nextTurn(track, target.along + 0.05, stand);
  }
  return {
    latitude: target.latitude, longitude: target.longitude, floor: target.floor,
    along: target.along, metres: Math.max(0, target.along - along),
    bearing: bearing(stand, target),
  };
}

function straight(from, to, between) {
  const ends = [Object.assign({ along: 0 }, from), Object.assign({ along: 1 }, to)];
  return between.every((point) => nearestOf(ends[0], ends[1], point).metresOff <= BEND_METRES);
}

/** The direction of the line just before a place of it, or just after; null if it has none. */
export function directionAt(track, along, before) {
  if (!track.points.length) return null;
  const reach = 2;
  const ends = before ? [along - reach, along - 0.2] : [along + 0.2, along + reach];
  const from = placeAt(track, Math.max(0, ends[0]));
  const to = placeAt(track, Math.min(track.length, ends[1]));
  if (from.floor !== to.floor || metresBetween(from, to) < 0.3) return null;
  return bearing(from, to);
}

/** A direction seen by somebody who looks along another, as an hour of the clock: 12 is ahead. */
export function clockHour(heading, direction) {
  const hour = Math.round(turned(direction - heading) / 30) % 12;
  return hour === 0 ? 12 : hour;
}

/** The same in one of eight words: ahead, ahead-right, right, behind-right, behind, and so on. */
export function sideWord(heading, direction) {
  const sides = ['ahead', 'ahead-right', 'right', 'behind-right', 'behind', 'behind-left', 'left',
    'ahead-left'];
  return sides[Math.round(turned(direction - heading) / 45) % 8];
}

/** One of eight points of the compass: n, ne, e, and so on. */
export function compassPoint(direction) {
  return ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'][Math.round(turned(direction) / 45) % 8];
}
