// Lengths and directions between places: metres, and degrees clockwise from true north.
//
// The earth counts as flat within a site: at 5 km that is off by less than 0.1 degrees.

const METRES_PER_DEGREE = 111320;

/** A place of a pair of GeoJSON: longitude, latitude. */
export function placeOf(pair) {
  return { latitude: pair[1], longitude: pair[0] };
}

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

/** The place of a stretch nearest to a position: its share of the stretch, and `metresOff`. */
export function nearestOn(from, to, position) {
  const line = offset(from, to);
  const own = offset(from, position);
  const square = line.east * line.east + line.north * line.north;
  const share = square === 0 ? 0
    : Math.max(0, Math.min(1, (own.east * line.east + own.north * line.north) / square));
  return {
    share, metresOff: Math.hypot(own.east - line.east * share, own.north - line.north * share),
  };
}
