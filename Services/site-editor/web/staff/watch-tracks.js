// A part of a replay, as the service sends it (`Replay` of the API's description), and the places
// of all devices at any instant of it.

import { toWorld } from '/app/prepared-map.js';

const NUMBERS = 4;
const UNITS_OF_DEGREE = 1e6;
/** Between positions further apart in time or place a device does not glide. */
const LONGEST_GLIDE_MILLISECONDS = 15000;
const FARTHEST_GLIDE_METRES = 80;
/** So long after its last position a device is still shown. */
export const KEPT_MILLISECONDS = 30000;

/** The tracks of a part: typed arrays for each device, since a part has thousands of positions. */
export class Part {
  constructor(answer) {
    this.from = Date.parse(answer.from);
    this.until = Date.parse(answer.until);
    this.count = answer.positions;
    this.tracks = new Map();
    answer.devices.forEach((one) => {
      this.tracks.set(one.device, decoded(one, answer, this.from));
    });
  }
}

function decoded(one, answer, from) {
  const count = Math.floor(one.track.length / NUMBERS);
  const track = {
    at: new Float64Array(count), x: new Float64Array(count), y: new Float64Array(count),
    radius: new Float32Array(count), place: new Uint16Array(count), places: answer.places,
    stretch: 1,
  };
  let tenths = 0;
  let latitude = 0;
  let longitude = 0;
  let decimetres = 0;
  let entry = 0;
  let place = 0;
  for (let i = 0; i < count; i += 1) {
    tenths += one.track[NUMBERS * i];
    latitude += one.track[NUMBERS * i + 1];
    longitude += one.track[NUMBERS * i + 2];
    decimetres += one.track[NUMBERS * i + 3];
    while (entry < one.places.length && one.places[entry] <= i) {
      place = one.places[entry + 1];
      entry += 2;
    }
    const degrees = answer.origin.latitude + latitude / UNITS_OF_DEGREE;
    const world = toWorld(degrees, answer.origin.longitude + longitude / UNITS_OF_DEGREE);
    track.at[i] = from + tenths * 100;
    track.x[i] = world[0];
    track.y[i] = world[1];
    track.radius[i] = decimetres / 10;
    track.place[i] = place;
    track.stretch = 1 / Math.cos((degrees * Math.PI) / 180);
  }
  return track;
}

/** The number of the last position at or before an instant, or -1. */
export function lastAt(track, instant) {
  let low = 0;
  let high = track.at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track.at[middle] <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The marks of all devices at an instant. `parts` are those around it in the order of time; `kept`
 * has a mark for each device, so that a frame makes no new objects.
 */
export function marksAt(parts, instant, kept, glides) {
  const marks = [];
  const seen = new Set();
  for (let number = parts.length - 1; number >= 0; number -= 1) {
    const part = parts[number];
    if (part.from <= instant) {
      part.tracks.forEach((track, id) => {
        if (seen.has(id)) return;
        const last = lastAt(track, instant);
        if (last < 0) return;
        seen.add(id);
        if (instant - track.at[last] > KEPT_MILLISECONDS) return;
        const mark = kept.get(id) || newMark(id, kept);
        place(mark, track, last);
        if (glides) glide(mark, track, last, nextOf(parts, number, id, track, last), instant);
        if (mark.state !== 'lost') marks.push(mark);
      });
    }
  }
  return marks;
}

function newMark(id, kept) {
  const mark = { id, x: 0, y: 0, radius: 0, stretch: 1, at: 0, isPlaced: true };
  kept.set(id, mark);
  return mark;
}

function place(mark, track, last) {
  const where = track.places[track.place[last]] || {};
  mark.x = track.x[last];
  mark.y = track.y[last];
  mark.radius = track.radius[last];
  mark.stretch = track.stretch;
  mark.at = track.at[last];
  mark.floor = where.floor || '';
  mark.building = where.building || '';
  mark.room = where.room || '';
  mark.state = where.state || 'lost';
}

/** The position after this one: of the same part, or the first of the next. */
function nextOf(parts, number, id, track, last) {
  if (last + 1 < track.at.length) return { track, at: last + 1 };
  const after = parts[number + 1];
  const further = after && after.tracks.get(id);
  return further && further.at.length ? { track: further, at: 0 } : null;
}

function glide(mark, track, last, next, instant) {
  if (!next) return;
  const time = next.track.at[next.at] - track.at[last];
  if (time <= 0 || time > LONGEST_GLIDE_MILLISECONDS) return;
  const there = next.track.places[next.track.place[next.at]] || {};
  if ((there.floor || '') !== mark.floor || there.state === 'lost') return;
  const x = next.track.x[next.at] - track.x[last];
  const y = next.track.y[next.at] - track.y[last];
  if (Math.abs(x) + Math.abs(y) > FARTHEST_GLIDE_METRES * mark.stretch) return;
  const share = Math.min(1, (instant - track.at[last]) / time);
  mark.x += x * share;
  mark.y += y * share;
}
