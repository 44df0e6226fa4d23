// Where to survey on a floor that nobody has surveyed: from the outlines of its rooms alone.
//
// Places are latitude and longitude. Geometry is done in metres around the first corner.

import { offset } from '/app/measuring.js';

// A room gets one point, and a larger one a point for every so many metres.
const HALL_METRES = 7;
const SMALL_SQUARE_METRES = 60;
const CORRIDOR_METRES = 5;
const LEAST_SQUARE_METRES = 1.5;
const CORRIDORS = ['corridor', 'hallway', 'walkway', 'passage', 'concourse'];
// Nobody stands there long enough to be located.
const NO_STANDING = ['lift', 'elevator', 'escalator', 'shaft', 'void'];
export const MOST_CELLS = 1500;
const LEAST_STEP_METRES = 2;

/** A flat frame of metres around a place: `to` gives east and north, `back` the place of these. */
export function frameAt(origin) {
  const one = offset(origin, {
    latitude: origin.latitude + 1, longitude: origin.longitude + 1,
  });
  return {
    to: (place) => {
      const way = offset(origin, place);
      return [way.east, way.north];
    },
    back: (point) => ({
      latitude: origin.latitude + point[1] / one.north,
      longitude: origin.longitude + point[0] / one.east,
    }),
  };
}

/** Whether a point is in an outline of [x, y]. */
export function isInside(outline, point) {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i, i += 1) {
    const [xi, yi] = outline[i];
    const [xj, yj] = outline[j];
    if (yi > point[1] !== yj > point[1]
      && point[0] < ((xj - xi) * (point[1] - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

/** The area of an outline, in square metres. */
export function areaOf(outline) {
  return Math.abs(outline.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = outline[(index + 1) % outline.length];
    return sum + x * nextY - nextX * y;
  }, 0)) / 2;
}

function awayFromEdges(outline, point) {
  return outline.reduce((least, one, index) => {
    const other = outline[(index + 1) % outline.length];
    const line = [other[0] - one[0], other[1] - one[1]];
    const own = [point[0] - one[0], point[1] - one[1]];
    const square = line[0] * line[0] + line[1] * line[1];
    const share = square === 0 ? 0
      : Math.max(0, Math.min(1, (own[0] * line[0] + own[1] * line[1]) / square));
    return Math.min(least, Math.hypot(own[0] - share * line[0], own[1] - share * line[1]));
  }, Infinity);
}

function boxOf(outline) {
  const xs = outline.map((one) => one[0]);
  const ys = outline.map((one) => one[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** A point well inside an outline: the farthest from its edges among a grid of points. */
export function innerPoint(outline) {
  const box = boxOf(outline);
  let best = null;
  let most = 0;
  for (let i = 1; i < 20; i += 1) {
    for (let j = 1; j < 20; j += 1) {
      const point = [box[0] + ((box[2] - box[0]) * i) / 20, box[1] + ((box[3] - box[1]) * j) / 20];
      if (isInside(outline, point)) {
        const away = awayFromEdges(outline, point);
        if (away > most + 1e-9) {
          most = away;
          best = point;
        }
      }
    }
  }
  return best || outline[0];
}

/** The direction of the longest edge: rooms are laid out along it. */
function mainDirection(outline) {
  let longest = 0;
  let direction = [1, 0];
  outline.forEach((one, index) => {
    const other = outline[(index + 1) % outline.length];
    const length = Math.hypot(other[0] - one[0], other[1] - one[1]);
    if (length > longest) {
      longest = length;
      direction = [(other[0] - one[0]) / length, (other[1] - one[1]) / length];
    }
  });
  return direction;
}

/** Points in rows along the main direction, about so many metres from each other. */
function spread(outline, metres) {
  const [cos, sin] = mainDirection(outline);
  const turned = outline.map(([x, y]) => [x * cos + y * sin, y * cos - x * sin]);
  const box = boxOf(turned);
  const across = Math.max(1, Math.round((box[2] - box[0]) / metres));
  const down = Math.max(1, Math.round((box[3] - box[1]) / metres));
  const points = [];
  for (let j = 0; j < down; j += 1) {
    for (let i = 0; i < across; i += 1) {
      const point = [
        box[0] + ((box[2] - box[0]) * (i + 0.5)) / across,
        box[1] + ((box[3] - box[1]) * (j + 0.5)) / down,
      ];
      if (isInside(turned, point)) {
        points.push([point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos]);
      }
    }
  }
  return points;
}

/** Rooms with outlines in metres, and the frame of all; null where no room has one. */
function inMetres(rooms) {
  const drawn = rooms.filter((room) => room.outline && room.outline.length > 2);
  if (!drawn.length) return null;
  const frame = frameAt(drawn[0].outline[0]);
  return {
    frame,
    rooms: drawn.map((room) => ({
      room, outline: room.outline.map(frame.to),
      holes: (room.holes || []).map((hole) => hole.map(frame.to)),
    })),
  };
}

/** Points to survey: of each the place, and the room that it is in. */
export function planPoints(rooms) {
  const plan = inMetres(rooms);
  if (!plan) return [];
  return [].concat(...plan.rooms.map(({ room, outline, holes }) => {
    const kind = String(room.kind || '').toLowerCase();
    const area = areaOf(outline);
    if (NO_STANDING.indexOf(kind) >= 0 || area < LEAST_SQUARE_METRES) return [];
    const isCorridor = CORRIDORS.some((one) => kind.indexOf(one) === 0);
    let points = [];
    if (isCorridor) points = spread(outline, CORRIDOR_METRES);
    else if (area > SMALL_SQUARE_METRES) points = spread(outline, HALL_METRES);
    points = points.filter((point) => !holes.some((hole) => isInside(hole, point)));
    if (!points.length) points = [innerPoint(outline)];
    return points.map((point) => ({ room: room.id, place: plan.frame.back(point) }));
  }));
}

/** Squares all over the rooms of a floor: their middles, and their side in metres. */
export function gridOf(rooms) {
  const plan = inMetres(rooms);
  if (!plan) return { step: LEAST_STEP_METRES, cells: [] };
  const area = plan.rooms.reduce((sum, one) => sum + areaOf(one.outline), 0);
  const step = Math.max(LEAST_STEP_METRES, Math.sqrt(area / MOST_CELLS));
  const cells = new Map();
  plan.rooms.forEach(({ outline, holes }) => {
    const box = boxOf(outline);
    // One lattice for all rooms, so that rooms that overlap share their squares.
    for (let i = Math.floor(box[0] / step); i * step <= box[2]; i += 1) {
      for (let j = Math.floor(box[1] / step); j * step <= box[3]; j += 1) {
        const point = [(i + 0.5) * step, (j + 0.5) * step];
        const key = i + ',' + j;
        if (!cells.has(key) && cells.size < 4 * MOST_CELLS && isInside(outline, point)
          && !holes.some((hole) => isInside(hole, point))) {
          cells.set(key, plan.frame.back(point));
        }
      }
    }
  });
  return { step, cells: Array.from(cells.values()) };
}
