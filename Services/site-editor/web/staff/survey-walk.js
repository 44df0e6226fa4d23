// The order in which a surveyor walks from point to point, and how long that takes.

import { metresBetween } from '/app/measuring.js';

const METRES_PER_SECOND = 1.1;
// The way out of one room and into another, beyond the straight line.
const DOOR_METRES = 4;
const MOST_IMPROVED = 300;

/** The length of the way from one point to another, about. */
export function between(one, other) {
  const straight = metresBetween(one.place, other.place);
  return one.room && other.room && one.room !== other.room ? straight + DOOR_METRES : straight;
}

/** The length of a walk through points, from `start` if that is given. */
export function lengthOf(points, start) {
  const all = start ? [start].concat(points) : points;
  return all.slice(1).reduce((sum, point, index) => sum + between(all[index], point), 0);
}

/** The points in an order of a short walk from `start`, or from the first point. */
export function walkingOrder(points, start) {
  if (points.length < 2) return points.slice();
  const left = points.slice();
  const order = [];
  let here = start || left[0];
  while (left.length) {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < left.length; i += 1) {
      const way = between(here, left[i]);
      if (way < least) {
        least = way;
        best = i;
      }
    }
    here = left.splice(best, 1)[0];
    order.push(here);
  }
  return order.length > MOST_IMPROVED ? order : improved(order, start);
}

/** Turns stretches of the walk around as long as that makes it shorter (2-opt, Croes 1958). */
function improved(order, start) {
  const walk = start ? [start].concat(order) : order.slice();
  // The end of the walk is free, so a stretch up to it may be turned, too.
  for (let round = 0; round < 20; round += 1) {
    let shorter = false;
    for (let i = 0; i < walk.length - 2; i += 1) {
      for (let j = i + 2; j < walk.length; j += 1) {
        const after = walk[j + 1];
        const now = between(walk[i], walk[i + 1]) + (after ? between(walk[j], after) : 0);
        const then = between(walk[i], walk[j]) + (after ? between(walk[i + 1], after) : 0);
        if (then < now - 1e-6) {
          const turned = walk.slice(i + 1, j + 1).reverse();
          walk.splice(i + 1, turned.length, ...turned);
          shorter = true;
        }
      }
    }
    if (!shorter) break;
  }
  return start ? walk.slice(1) : walk;
}

/** The seconds for a walk with a survey of so many seconds at each point. */
export function secondsOf(points, start, surveySeconds) {
  return lengthOf(points, start) / METRES_PER_SECOND + points.length * surveySeconds;
}
