// The places of a floor with their surveys: how many, how old, how good; and what is covered.

import { metresBetween } from '/app/measuring.js';

export const OLD_MILLISECONDS = 180 * 86400000;
// Surveys at points without a location count as one place within this distance.
const SAME_METRES = 1.5;
/** A spot within this distance of a survey counts as covered. */
export const COVERED_METRES = 5;
const COUNTING = ['taken', 'accepted'];

/** An affine map between metres of the site and degrees, by pairs of both (least squares). */
export function fitFrame(pairs) {
  if (pairs.length < 3) return null;
  const mean = (value) => pairs.reduce((sum, one) => sum + value(one), 0) / pairs.length;
  const x0 = mean((one) => one.x);
  const y0 = mean((one) => one.y);
  const sums = pairs.reduce((all, one) => {
    const [x, y] = [one.x - x0, one.y - y0];
    return { xx: all.xx + x * x, xy: all.xy + x * y, yy: all.yy + y * y };
  }, { xx: 0, xy: 0, yy: 0 });
  const det = sums.xx * sums.yy - sums.xy * sums.xy;
  // Points on one line say nothing about what is beside it.
  if (!(det > 1e-6 * (sums.xx + sums.yy) * (sums.xx + sums.yy))) return null;
  const fit = (name) => {
    const middle = mean((one) => one[name]);
    const [bx, by] = pairs.reduce(([x, y], one) => [
      x + (one.x - x0) * (one[name] - middle), y + (one.y - y0) * (one[name] - middle),
    ], [0, 0]);
    return [(bx * sums.yy - by * sums.xy) / det, (by * sums.xx - bx * sums.xy) / det, middle];
  };
  const latitude = fit('latitude');
  const longitude = fit('longitude');
  const turn = latitude[0] * longitude[1] - latitude[1] * longitude[0];
  return {
    degrees: (x, y) => ({
      latitude: latitude[0] * (x - x0) + latitude[1] * (y - y0) + latitude[2],
      longitude: longitude[0] * (x - x0) + longitude[1] * (y - y0) + longitude[2],
    }),
    metres: (place) => {
      const up = place.latitude - latitude[2];
      const right = place.longitude - longitude[2];
      return {
        x: x0 + (up * longitude[1] - right * latitude[1]) / turn,
        y: y0 + (right * latitude[0] - up * longitude[0]) / turn,
      };
    },
  };
}

/** The place of a record: its degrees, or its metres in `frame`; null without both. */
export function placeOfRecord(record, frame) {
  if (typeof record.latitude === 'number') {
    return { latitude: record.latitude, longitude: record.longitude };
  }
  return frame && typeof record.x === 'number' ? frame.degrees(record.x, record.y) : null;
}

/**
 * Whether a survey is in the radio map, or will be. `cleared` has for a location the moment from
 * which on the draft counts its surveys, in milliseconds.
 */
export function counts(survey, cleared) {
  if (COUNTING.indexOf(survey.state) < 0) return false;
  const since = survey.location && cleared ? cleared.get(survey.location) : 0;
  return !since || Date.parse(survey.at) >= since;
}

function add(place, survey) {
  place.surveys += 1;
  place.readings += survey.readings || 0;
  const at = Date.parse(survey.at);
  if (!(at <= place.newest)) place.newest = at;
}

/** How a place is marked: by colour and by shape. */
export function stateOf(place, now) {
  if (place.waiting) return 'waiting';
  if (!place.surveys) return 'none';
  if (now - place.newest > OLD_MILLISECONDS) return 'old';
  return place.weak.length ? 'weak' : 'good';
}

/**
 * The places of a floor. `parts` has `locations` (with degrees), `published` (ids), `surveys` as
 * listed, `quality` (of places), `waiting` (surveys of this browser that the list lacks),
 * `cleared`, `frame` and `now`.
 */
export function placesOf(parts) {
  const { frame } = parts;
  const places = new Map();
  parts.locations.forEach((location) => places.set(location.id, {
    id: location.id, record: location, name: location.name || '', room: location.room || '',
    place: placeOfRecord(location, frame), surveys: 0, readings: 0, newest: 0, waiting: 0,
    weak: [], error: null, isPublished: parts.published.has(location.id),
  }));
  const loose = [];
  const placeAt = (at) => {
    const near = loose.find((one) => metresBetween(one.place, at) <= SAME_METRES);
    if (near) return near;
    const own = {
      id: '', record: null, name: '', room: '', place: at, surveys: 0, readings: 0, newest: 0,
      waiting: 0, weak: [], error: null, isPublished: true,
    };
    loose.push(own);
    return own;
  };
  const find = (survey) => {
    if (survey.location) return places.get(survey.location) || null;
    const at = placeOfRecord(survey, frame);
    return at ? placeAt(at) : null;
  };
  parts.surveys.filter((survey) => counts(survey, parts.cleared)).forEach((survey) => {
    const place = find(survey);
    if (place) add(place, survey);
  });
  parts.waiting.forEach((survey) => {
    const place = find(survey);
    if (!place) return;
    add(place, survey);
    place.waiting += 1;
  });
  parts.quality.forEach((one) => {
    const known = places.get(one.place)
      || (frame && loose.find((own) => (
        metresBetween(own.place, frame.degrees(one.x, one.y)) <= SAME_METRES)));
    if (!known) return;
    known.weak = one.weak || [];
    known.error = typeof one.expectedError === 'number' ? one.expectedError : null;
  });
  return Array.from(places.values()).concat(loose).filter((one) => one.place)
    .map((one) => Object.assign(one, { state: stateOf(one, parts.now) }));
}

/** The distance from each place to the nearest surveyed one, in metres; Infinity without any. */
export function distances(cells, surveyed) {
  return cells.map((cell) => surveyed.reduce((least, place) => (
    Math.min(least, metresBetween(cell, place))), Infinity));
}

/** The share of squares that are near a survey, by their distances to the nearest. */
export function coveredShare(away) {
  return away.length ? away.filter((metres) => metres <= COVERED_METRES).length / away.length : 0;
}

/** The points of a list that no surveyed place covers yet. */
export function pointsLeft(points, surveyed, metres) {
  return points.filter((point) => !surveyed.some((place) => (
    metresBetween(point.place, place) <= metres)));
}

/** The class of a distance or an error, 0 (best) up to the number of limits. */
export function classOf(value, limits) {
  const found = limits.findIndex((limit) => value <= limit);
  return found < 0 ? limits.length : found;
}
