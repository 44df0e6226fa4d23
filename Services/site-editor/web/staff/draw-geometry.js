// Polygons of the drawing: points are [x, y] in metres, rings have no repeated first corner.

// What a hand can't mean: corners nearer than this are one.
const SAME_METRES = 0.001;

const minus = (one, other) => [one[0] - other[0], one[1] - other[1]];
const cross = (one, other) => one[0] * other[1] - one[1] * other[0];

export function distanceOf(one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

/** A point in whole millimetres. */
export function rounded(point) {
  return point.map((value) => Math.round(value * 1000) / 1000 + 0);
}

/** The area of a ring: positive where it goes against the clock. */
export function areaOf(ring) {
  return ring.reduce((sum, corner, i) => sum + cross(corner, ring[(i + 1) % ring.length]), 0) / 2;
}

/** The middle of a ring's corners, weighted by area where it has one. */
export function middleOf(ring) {
  const area = areaOf(ring);
  const start = ring[0];
  if (Math.abs(area) < 1e-9) {
    return [0, 1].map((axis) => ring.reduce((sum, one) => sum + one[axis], 0) / ring.length);
  }
  const sums = [0, 0];
  ring.forEach((corner, i) => {
    const one = minus(corner, start);
    const other = minus(ring[(i + 1) % ring.length], start);
    const part = cross(one, other);
    sums[0] += (one[0] + other[0]) * part;
    sums[1] += (one[1] + other[1]) * part;
  });
  return [start[0] + sums[0] / (6 * area), start[1] + sums[1] / (6 * area)];
}

/** West, south, east and north of a ring. */
export function boxOf(ring) {
  const xs = ring.map((one) => one[0]);
  const ys = ring.map((one) => one[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

export function isInside(ring, point) {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const one = ring[i];
    const other = ring[j];
    if (one[1] > point[1] !== other[1] > point[1]) {
      const at = ((other[0] - one[0]) * (point[1] - one[1])) / (other[1] - one[1]) + one[0];
      if (point[0] < at) inside = !inside;
    }
  }
  return inside;
}

/** The point of a segment that is nearest. */
export function nearestOn(point, start, end) {
  const along = minus(end, start);
  const length = along[0] * along[0] + along[1] * along[1];
  const from = minus(point, start);
  const share = length ? (from[0] * along[0] + from[1] * along[1]) / length : 0;
  const kept = Math.max(0, Math.min(1, share));
  return [start[0] + kept * along[0], start[1] + kept * along[1]];
}

/** The edge of a ring that is nearest to a point: its index, the point on it and the distance. */
export function nearestEdge(ring, point) {
  let best = null;
  ring.forEach((corner, index) => {
    const on = nearestOn(point, corner, ring[(index + 1) % ring.length]);
    const distance = distanceOf(on, point);
    if (!best || distance < best.distance) best = { index, point: on, distance };
  });
  return best;
}

/** Where two segments meet, or null; touching counts. */
export function meeting(one, end, other, far) {
  const along = minus(end, one);
  const across = minus(far, other);
  const turn = cross(along, across);
  const gap = minus(other, one);
  if (Math.abs(turn) < 1e-12) {
    // Parallel ones meet where they lie on one line and overlap.
    if (Math.abs(cross(gap, along)) > 1e-9 * (Math.hypot(...along) + 1)) return null;
    const on = [[other, one, end], [far, one, end], [one, other, far], [end, other, far]]
      .find((three) => distanceOf(nearestOn(three[0], three[1], three[2]), three[0]) < 1e-9);
    return on ? on[0] : null;
  }
  const share = cross(gap, across) / turn;
  const further = cross(gap, along) / turn;
  if (share < -1e-9 || share > 1 + 1e-9 || further < -1e-9 || further > 1 + 1e-9) return null;
  return [one[0] + share * along[0], one[1] + share * along[1]];
}

/** Where a ring crosses or touches itself, or null. `isOpen`: its last edge is not drawn yet. */
export function selfCrossing(ring, isOpen) {
  const count = isOpen ? ring.length - 1 : ring.length;
  const at = (index) => ring[index % ring.length];
  for (let i = 0; i < count; i += 1) {
    if (distanceOf(at(i), at(i + 1)) < SAME_METRES) return at(i);
    for (let j = i + 1; j < count; j += 1) {
      const isNext = j === i + 1;
      const isBefore = !isOpen && i === 0 && j === count - 1;
      if (isNext || isBefore) {
        // Neighbours share a corner; they clash where one runs back over the other.
        const corner = isNext ? at(j) : at(0);
        const one = minus(isNext ? at(i) : at(1), corner);
        const other = minus(isNext ? at(j + 1) : at(j), corner);
        const isBack = Math.abs(cross(one, other)) < 1e-9
          && one[0] * other[0] + one[1] * other[1] > 0;
        if (isBack && (count > 2 || isOpen)) return corner;
      } else {
        const met = meeting(at(i), at(i + 1), at(j), at(j + 1));
        if (met) return met;
      }
    }
  }
  return null;
}

/** A ring without repeated corners, and without those on a straight edge. */
export function tidied(ring) {
  let kept = ring.filter((one, i) => (
    distanceOf(one, ring[(i + ring.length - 1) % ring.length]) >= SAME_METRES));
  kept = kept.filter((one, i) => {
    const before = kept[(i + kept.length - 1) % kept.length];
    const next = kept[(i + 1) % kept.length];
    return distanceOf(nearestOn(one, before, next), one) >= SAME_METRES;
  });
  return kept;
}

// MARK: Rooms across each other

/** Triangles that make up a ring, by cutting ears. */
export function triangles(ring) {
  const left = areaOf(ring) < 0 ? ring.slice().reverse() : ring.slice();
  const found = [];
  let guard = left.length * left.length;
  while (left.length > 3 && guard > 0) {
    guard -= 1;
    const ear = left.findIndex((corner, i) => isEar(left, i));
    // A ring that crosses itself has no ear: what is left counts as one.
    const cut = ear < 0 ? 0 : ear;
    found.push([left[(cut + left.length - 1) % left.length], left[cut],
      left[(cut + 1) % left.length]]);
    left.splice(cut, 1);
  }
  if (left.length === 3) found.push(left);
  return found;
}

function isEar(ring, i) {
  const before = ring[(i + ring.length - 1) % ring.length];
  const next = ring[(i + 1) % ring.length];
  if (cross(minus(ring[i], before), minus(next, ring[i])) < 0) return false;
  const within = (point) => (
    cross(minus(ring[i], before), minus(point, before)) > 1e-12
      && cross(minus(next, ring[i]), minus(point, ring[i])) > 1e-12
      && cross(minus(before, next), minus(point, next)) > 1e-12);
  return !ring.some(within);
}

/** What a convex ring has in common with a triangle that goes against the clock. */
function clipped(ring, triangle) {
  return triangle.reduce((left, start, i) => {
    const end = triangle[(i + 1) % 3];
    const side = (point) => cross(minus(end, start), minus(point, start));
    const kept = [];
    left.forEach((one, at) => {
      const other = left[(at + 1) % left.length];
      const here = side(one);
      const there = side(other);
      if (here >= 0) kept.push(one);
      if (here > 0 !== there > 0 && here !== there) {
        const share = here / (here - there);
        kept.push([one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])]);
      }
    });
    return kept;
  }, ring);
}

/** What two rings have in common, as convex pieces. */
export function sharedPieces(one, other) {
  const a = boxOf(one);
  const b = boxOf(other);
  if (a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]) return [];
  const pieces = [];
  const further = triangles(other);
  triangles(one).forEach((piece) => further.forEach((triangle) => {
    const common = clipped(piece, triangle);
    if (common.length > 2 && areaOf(common) > 1e-6) pieces.push(common);
  }));
  return pieces;
}

/** The square metres that two rings share. */
export function sharedArea(one, other) {
  return sharedPieces(one, other).reduce((sum, piece) => sum + areaOf(piece), 0);
}

/** Whether two rooms lie across each other, by the rule of the service's review. */
export function areAcross(one, other) {
  const shared = sharedArea(one, other);
  const areas = [Math.abs(areaOf(one)), Math.abs(areaOf(other))].sort((a, b) => a - b);
  if (shared <= Math.max(0.25, areas[0] * 0.02)) return false;
  return !(shared >= areas[0] * 0.97 && areas[0] < areas[1] * 0.97);
}
