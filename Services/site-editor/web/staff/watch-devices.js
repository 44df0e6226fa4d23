// Where devices are, as the map shows them: each glides from place to place, and is counted by
// floor. Nothing here touches the page, so that 500 devices cost a frame little.

import { toWorld } from '/app/prepared-map.js';

const GLIDE_MILLISECONDS = 900;
/** A device that jumps further does not glide, as one that changes its floor. */
const FAR_METRES = 80;
/** After this time without a position a device is shown as one that was there. */
export const FRESH_MILLISECONDS = 60000;
/** After this time it is no longer on the map. */
export const GONE_MILLISECONDS = 300000;
/** The most devices that are kept; the oldest go. */
const MOST_DEVICES = 20000;

/** One device on the map; `x` and `y` are metres of Web Mercator from the world's corner. */
function newMark(id) {
  return {
    id, x: 0, y: 0, fromX: 0, fromY: 0, toX: 0, toY: 0, begun: 0, radius: 0, stretch: 1,
    floor: '', building: '', room: '', state: 'lost', at: 0, position: '', isPlaced: false,
  };
}

/** Sets a mark's place; `now` is null if it must not glide. */
function move(mark, latitude, longitude, floor, now) {
  const [x, y] = toWorld(latitude, longitude);
  const stretch = 1 / Math.cos((latitude * Math.PI) / 180);
  const far = Math.abs(x - mark.x) + Math.abs(y - mark.y) > FAR_METRES * stretch;
  const jumps = now === null || !mark.isPlaced || far || mark.floor !== floor;
  mark.fromX = jumps ? x : mark.x;
  mark.fromY = jumps ? y : mark.y;
  mark.toX = x;
  mark.toY = y;
  mark.stretch = stretch;
  mark.begun = jumps ? -Infinity : now;
  mark.isPlaced = true;
  if (jumps) {
    mark.x = x;
    mark.y = y;
  }
}

/** The devices that are live. */
export class Devices {
  constructor() {
    this.marks = new Map();
    this.list = [];
    this.glides = true;
  }

  /** Takes a position as the service gives it. False if a newer one is known. */
  take(position, now) {
    const at = Date.parse(position.at);
    if (Number.isNaN(at)) return false;
    let mark = this.marks.get(position.device);
    if (!mark) {
      mark = newMark(position.device);
      this.marks.set(position.device, mark);
      this.list.push(mark);
      if (this.list.length > MOST_DEVICES) this.dropOldest();
    } else if (at < mark.at) return false;
    mark.at = at;
    mark.position = position.id;
    mark.state = position.state;
    if (typeof position.latitude === 'number' && position.state !== 'lost') {
      move(mark, position.latitude, position.longitude, position.floor || '',
        this.glides ? now : null);
      mark.radius = position.radius68 || 0;
      mark.floor = position.floor || '';
      mark.building = position.building || '';
      mark.room = position.room || '';
    }
    return true;
  }

  /** Leaves out whom the service has no more, such as an erased device; newer ones stay. */
  keepOnly(ids, since) {
    this.list = this.list.filter((mark) => ids.has(mark.id) || mark.at >= since);
    this.marks = new Map(this.list.map((mark) => [mark.id, mark]));
  }

  dropOldest() {
    const sorted = this.list.slice().sort((one, other) => one.at - other.at);
    sorted.slice(0, Math.ceil(MOST_DEVICES / 10)).forEach((mark) => this.marks.delete(mark.id));
    this.list = Array.from(this.marks.values());
  }

  /** Moves all to where they are at `now`. True while one still glides. */
  advance(now) {
    let moves = false;
    const { list } = this;
    for (let i = 0; i < list.length; i += 1) {
      const mark = list[i];
      if (mark.begun !== -Infinity) {
        const share = Math.min(1, Math.max(0, (now - mark.begun) / GLIDE_MILLISECONDS));
        const rest = 1 - share;
        const eased = 1 - rest * rest * rest;
        mark.x = mark.fromX + (mark.toX - mark.fromX) * eased;
        mark.y = mark.fromY + (mark.toY - mark.fromY) * eased;
        if (share < 1) moves = true;
        else mark.begun = -Infinity;
      }
    }
    return moves;
  }

  /** The devices with a place that is not too old. */
  shown(clock) {
    return this.list.filter((mark) => mark.isPlaced && clock - mark.at < GONE_MILLISECONDS);
  }
}

/** How many of these marks are on each floor, by its id. */
export function countFloors(marks) {
  const counts = new Map();
  for (let i = 0; i < marks.length; i += 1) {
    const floor = marks[i].floor;
    counts.set(floor, (counts.get(floor) || 0) + 1);
  }
  return counts;
}

/** The mark nearest to a point of the world within a reach in metres of the world, or null. */
export function nearestMark(marks, x, y, reach, floor) {
  let best = null;
  let least = reach * reach;
  for (let i = 0; i < marks.length; i += 1) {
    const mark = marks[i];
    if (!mark.floor || mark.floor === floor || mark.floor === 'outdoors') {
      const away = (mark.x - x) * (mark.x - x) + (mark.y - y) * (mark.y - y);
      if (away < least) {
        least = away;
        best = mark;
      }
    }
  }
  return best;
}
