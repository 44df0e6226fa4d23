// A route as one line: where one is along it, where it turns next, and in which direction that is.
//
// Nothing here asks or shows anything. Lengths are metres, directions degrees clockwise from true
// north. The earth counts as flat within a site: at 5 km that is off by less than 0.1 degrees.

const METRES_PER_DEGREE = 111320;
// So far a line may bend before it counts as a turn: a door's jamb, a chair that is passed.
const BEND_METRES = 0.8;
const CORNER_METRES = 1.5;

/** East and north of one place from another, in metres. */
export function offset(from, to) {
  const narrower = Math.cos((from.latitude * Math.PI) / 180);
  return {
    east: (to.longitude - from.longitude) * METRES_PER_DEGREE * narrower,
    north: (to.latitude - from.latitude) * METRES_PER_DEGREE,
  };
}

/** The distance between two places. */
export function metresBetween(one, other) {
  const way = offset(one, other);
  return Math.hypot(way.east, way.north);
}

/** The direction from one place to another, 0 up to 360. */
export function bearing(from, to) {
  const way = offset(from, to);
  return turned((Math.atan2(way.east, way.north) * 180) / Math.PI);
}

/** A direction as 0 up to 360. */
export function turned(degrees) {
  return ((degrees % 360) + 360) % 360;
}

/** How far one turns from one direction to another: -180 up to 180, positive to the right. */
export function turnBetween(from, to) {
  return turned(to - from + 180) - 180;
}

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
  const line = offset(from, to);
  const own = offset(from, position);
  const square = line.east * line.east + line.north * line.north;
  const share = square === 0 ? 0
    : Math.max(0, Math.min(1, (own.east * line.east + own.north * line.north) / square));
  return {
    along: from.along + (to.along - from.along) * share,
    metresOff: Math.hypot(own.east - line.east * share, own.north - line.north * share),
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
