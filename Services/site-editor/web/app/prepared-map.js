// A prepared map: what the worker made, with paths made when they are first drawn.

import { Fault, openNewSession } from './service.js';

export const EQUATOR = 40075016.686;

let worker = null;
let jobs = 0;
const waiting = new Map();

/**
 * Reads and prepares a map. `urls` are addresses of the same map: the next is asked where one can't
 * be reached or is unknown. `skip` names layers to leave out. A failure is tried once more.
 */
export function prepareMap(urls, skip) {
  return prepareTwice({ urls, skip });
}

/** Reads and prepares a part of a map, in metres from an origin. */
export function preparePart(url, origin) {
  return prepareTwice({ urls: [url], origin });
}

async function prepareTwice(job) {
  let answer = await prepare(job);
  if (answer.status === 0) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    answer = await prepare(job);
  }
  if (answer.status === 401) {
    // A page that is open for longer than a session, such as a kiosk's.
    await openNewSession();
    answer = await prepare(job);
  }
  if (answer.status === 200) return new PreparedMap(answer.map);
  throw new Fault(answer.status);
}

function prepare(wish) {
  if (!worker) startWorker();
  jobs += 1;
  const job = jobs;
  return new Promise((resolve) => {
    waiting.set(job, resolve);
    worker.postMessage(Object.assign({ job }, wish));
  });
}

function startWorker() {
  worker = new Worker('/app/preparing-worker.js');
  worker.onmessage = (event) => {
    const done = waiting.get(event.data.job);
    waiting.delete(event.data.job);
    if (done) done(event.data);
  };
  // A worker whose file did not arrive answers nothing.
  worker.onerror = () => {
    const left = Array.from(waiting.values());
    waiting.clear();
    worker = null;
    left.forEach((done) => done({ status: 0 }));
  };
}

/** Metres of Web Mercator from the world's corner. */
export function toWorld(latitude, longitude) {
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [((longitude + 180) / 360) * EQUATOR, y * EQUATOR];
}

/** Latitude and longitude of a point of the world. */
export function fromWorld(x, y) {
  const longitude = (x / EQUATOR) * 360 - 180;
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / EQUATOR))) * 180) / Math.PI;
  return [latitude, longitude];
}

/** Pixels to a metre of Web Mercator at a zoom. */
export function scaleAt(zoom) {
  return (256 * Math.pow(2, zoom)) / EQUATOR;
}

class PreparedMap {
  constructor(members) {
    Object.assign(this, members);
    this.byID = new Map();
    this.records.forEach((record) => this.byID.set(record.layer + '/' + record.id, record));
    this.areas = this.records.filter((record) => record.lastRing);
  }

  get empty() {
    return !(this.bounds[0] <= this.bounds[2]);
  }

  /** Whether it is drawn lightly from afar. */
  get large() {
    return this.chunks.length > 60;
  }

  /** Latitude and longitude of a point of this map. */
  degrees(point) {
    return fromWorld(point[0] + this.origin[0], point[1] + this.origin[1]);
  }

  /** South-west and north-east corner of a box. */
  corners(box) {
    return [this.degrees([box[0], box[3]]), this.degrees([box[2], box[1]])];
  }

  /** The smallest area around a place, or null. */
  areaAt(latitude, longitude) {
    const world = toWorld(latitude, longitude);
    const x = world[0] - this.origin[0];
    const y = world[1] - this.origin[1];
    let best = null;
    this.areas.forEach((area) => {
      const box = area.box;
      if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) return;
      if ((!best || area.area < best.area) && this.isInside(area, x, y)) best = area;
    });
    return best;
  }

  isInside(area, x, y) {
    let inside = false;
    for (let ring = area.firstRing; ring < area.lastRing; ring += 1) {
      const begin = ring ? this.ringEnds[ring - 1] : 0;
      const end = this.ringEnds[ring];
      for (let i = begin, j = end - 2; i < end; j = i, i += 2) {
        const yi = this.rings[i + 1];
        const yj = this.rings[j + 1];
        if (yi > y !== yj > y) {
          const crossing = ((this.rings[j] - this.rings[i]) * (y - yi)) / (yj - yi) + this.rings[i];
          if (x < crossing) inside = !inside;
        }
      }
    }
    return inside;
  }

  /** The path of one area alone, to light it. */
  pathOf(area) {
    const path = new Path2D();
    for (let ring = area.firstRing; ring < area.lastRing; ring += 1) {
      const begin = ring ? this.ringEnds[ring - 1] : 0;
      line(path, this.rings, begin, this.ringEnds[ring]);
      path.closePath();
    }
    return path;
  }

  /** The box in which most named things are; of a large map that of its densest part. */
  heart() {
    const points = this.areas.map((area) => area.label);
    if (points.length < 8) return this.bounds;
    if (points.length > 300) return densest(points, this.bounds);
    const cut = (axis, share) => {
      const sorted = points.map((point) => point[axis]).sort((one, other) => one - other);
      return sorted[Math.floor(share * (sorted.length - 1))];
    };
    return [cut(0, 0.1), cut(1, 0.1), cut(0, 0.9), cut(1, 0.9)];
  }
}

/** The square with the most points, with half a square around. */
function densest(points, bounds) {
  const side = Math.max(bounds[2] - bounds[0], bounds[3] - bounds[1]) / 24;
  const counts = new Map();
  let best = null;
  points.forEach((point) => {
    const x = Math.floor((point[0] - bounds[0]) / side);
    const y = Math.floor((point[1] - bounds[1]) / side);
    const key = x + ',' + y;
    const cell = counts.get(key) || { x, y, count: 0 };
    cell.count += 1;
    counts.set(key, cell);
    if (!best || cell.count > best.count) best = cell;
  });
  const left = bounds[0] + best.x * side;
  const top = bounds[1] + best.y * side;
  return [left - side / 4, top - side / 4, left + 1.25 * side, top + 1.25 * side];
}

function line(path, points, begin, end) {
  path.moveTo(points[begin], points[begin + 1]);
  for (let i = begin + 2; i < end; i += 2) path.lineTo(points[i], points[i + 1]);
}

/** The path of a part of a chunk; it is made once. */
export function partPath(part) {
  if (!part.path) {
    part.path = new Path2D();
    let begin = 0;
    for (let i = 0; i < part.ends.length; i += 1) {
      line(part.path, part.points, begin, part.ends[i]);
      begin = part.ends[i];
    }
    part.points = null;
  }
  return part.path;
}
