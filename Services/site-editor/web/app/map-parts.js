// The map outdoors in parts: squares of the world as they come into view, as fine as the zoom is.
//
// It has the members of a prepared map, so that the layer draws both alike. Until a zoom's squares
// are there, those of the zoom before stay in sight.

import { fromWorld, preparePart, toWorld, EQUATOR } from './prepared-map.js';

const COARSEST = 8;
const FINEST = 15;
// A screen of 1,720 x 1,220 pixels with its margins needs 20 squares at most.
const MOST_WANTED = 60;
const MOST_KEPT = 150;
const MOST_EMPTY = 1000;
// From this number of features on, a map seen from afar is drawn lightly.
const LARGE = 13500;

/** Whether there is nothing on a part. */
function isEmpty(part) {
  return part.chunks.length === 0 && part.byID.size === 0;
}

export class MapParts {
  /**
   * `outdoors` is that of the overview, `urlOf(zoom, x, y)` the address of a part. `changed` is
   * called when there is more to see, and `failed` with a part's fault.
   */
  constructor(outdoors, urlOf, changed, failed) {
    this.urlOf = urlOf;
    this.changed = changed;
    this.failed = failed;
    const corner = toWorld(outdoors.box[3], outdoors.box[0]);
    this.origin = [Math.floor(corner[0]), Math.floor(corner[1])];
    this.bounds = this.boxOf(outdoors.box);
    this.heartBox = this.boxOf(outdoors.heart);
    this.large = outdoors.features > LARGE;
    this.parts = new Map();
    this.asked = new Map();
    this.wanted = [];
    this.shown = [];
    this.compile();
  }

  get empty() {
    return false;
  }

  /** Metres from the origin of west, south, east and north in degrees. */
  boxOf(degrees) {
    const first = toWorld(degrees[3], degrees[0]);
    const last = toWorld(degrees[1], degrees[2]);
    return [first[0] - this.origin[0], first[1] - this.origin[1],
      last[0] - this.origin[0], last[1] - this.origin[1]];
  }

  heart() {
    return this.heartBox;
  }

  degrees(point) {
    return fromWorld(point[0] + this.origin[0], point[1] + this.origin[1]);
  }

  corners(box) {
    return [this.degrees([box[0], box[3]]), this.degrees([box[2], box[1]])];
  }

  /** The smallest area around a place, or null. */
  areaAt(latitude, longitude) {
    const found = this.shown.map((part) => part.areaAt(latitude, longitude)).filter(Boolean);
    found.sort((one, other) => one.area - other.area);
    return found.length ? this.byID.get(found[0].layer + '/' + found[0].id) : null;
  }

  pathOf(record) {
    return record.part.pathOf(record);
  }

  /**
   * Asks for what is missing of a view: its box in pixels of the world at a zoom. Done when all of
   * it is there or has failed.
   */
  see(box, zoom) {
    const level = Math.max(COARSEST, Math.min(FINEST, Math.floor(zoom) - 1));
    this.wanted = this.squares(box, zoom, level);
    const missing = this.wanted.filter((one) => !this.parts.has(one.key));
    const asked = missing.map((one) => this.ask(one));
    if (!missing.length) this.arrived();
    return Promise.all(asked);
  }

  /** The squares of a view, those in its middle first. */
  squares(box, zoom, level) {
    const side = EQUATOR / Math.pow(2, level);
    const metre = EQUATOR / (256 * Math.pow(2, zoom));
    const seen = box.map((at) => at * metre);
    const whole = this.bounds.map((at, index) => at + this.origin[index % 2]);
    const left = Math.floor(Math.max(seen[0], whole[0]) / side);
    const top = Math.floor(Math.max(seen[1], whole[1]) / side);
    const right = Math.floor(Math.min(seen[2], whole[2]) / side);
    const bottom = Math.floor(Math.min(seen[3], whole[3]) / side);
    const middle = [(seen[0] + seen[2]) / (2 * side), (seen[1] + seen[3]) / (2 * side)];
    const all = [];
    for (let x = left; x <= right; x += 1) {
      for (let y = top; y <= bottom; y += 1) {
        const away = Math.hypot(x + 0.5 - middle[0], y + 0.5 - middle[1]);
        all.push({ key: level + '/' + x + '/' + y, level, x, y, away });
      }
    }
    return all.sort((one, other) => one.away - other.away).slice(0, MOST_WANTED);
  }

  ask(square) {
    if (!this.asked.has(square.key)) {
      const url = this.urlOf(square.level, square.x, square.y);
      this.asked.set(square.key, preparePart(url, this.origin).then((part) => {
        this.asked.delete(square.key);
        this.parts.set(square.key, part);
        part.level = square.level;
        part.records.forEach((record) => { record.part = part; });
        if (this.wanted.some((one) => one.key === square.key)) this.arrived();
      }, (fault) => {
        this.asked.delete(square.key);
        this.failed(fault);
      }));
    }
    return this.asked.get(square.key);
  }

  /** Shows what is there of the view; what else is there goes once the view is complete. */
  arrived() {
    const there = this.wanted.map((one) => this.parts.get(one.key)).filter(Boolean);
    const complete = there.length === this.wanted.length;
    const before = complete ? [] : this.shown.filter((part) => there.indexOf(part) < 0);
    const now = there.concat(before);
    const same = now.length === this.shown.length
      && now.every((part) => this.shown.indexOf(part) >= 0);
    if (same) return;
    this.shown = now;
    this.forgetOld();
    this.compile();
    this.changed();
  }

  /** Keeps the parts that came last, and those in view. Empty ones push out none of the others. */
  forgetOld() {
    const all = Array.from(this.parts.keys());
    const empty = all.filter((key) => isEmpty(this.parts.get(key)));
    empty.slice(0, Math.max(0, empty.length - MOST_EMPTY)).forEach((key) => this.parts.delete(key));
    const keys = all.filter((key) => empty.indexOf(key) < 0);
    keys.slice(0, Math.max(0, keys.length - MOST_KEPT)).forEach((key) => {
      if (this.shown.indexOf(this.parts.get(key)) < 0) this.parts.delete(key);
    });
  }

  /** One list of all that is shown. Neighbours repeat areas that lie in both: one is enough. */
  compile() {
    const drawn = new Set();
    this.chunks = [].concat(...this.shown.map((part) => part.chunks)).filter((chunk) => {
      if (!chunk.key) return true;
      return !drawn.has(chunk.key) && drawn.add(chunk.key) !== null;
    });
    this.byID = new Map();
    this.shown.forEach((part) => part.byID.forEach((record, key) => {
      if (!this.byID.has(key)) this.byID.set(key, record);
    }));
    this.records = Array.from(this.byID.values());
    this.areas = this.records.filter((record) => record.lastRing);
  }
}
