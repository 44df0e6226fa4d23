// A survey on the way: taps at its beginning, each turn and its end; scans stand between by time.

import { metresBetween } from '/app/measuring.js';

// Faster than anybody walks: a tap was forgotten, or put at a wrong place.
export const FASTEST = 2.5;

/**
 * Places scans between taps. A tap has `at` (milliseconds), `place` and `floor`, a scan `at`. A
 * scan before the first tap, after the last one, or between two floors has no place.
 */
export function placeScans(taps, scans) {
  const inOrder = taps.slice().sort((one, other) => one.at - other.at);
  const placed = [];
  let left = 0;
  scans.forEach((scan) => {
    const index = inOrder.findIndex((tap, at) => (
      at + 1 < inOrder.length && tap.at <= scan.at && scan.at <= inOrder[at + 1].at));
    const from = index >= 0 ? inOrder[index] : null;
    const to = index >= 0 ? inOrder[index + 1] : null;
    if (!from || from.floor !== to.floor) {
      left += 1;
      return;
    }
    const share = to.at === from.at ? 0 : (scan.at - from.at) / (to.at - from.at);
    const along = (name) => from.place[name] + share * (to.place[name] - from.place[name]);
    placed.push({
      scan, floor: from.floor,
      place: { latitude: along('latitude'), longitude: along('longitude') },
    });
  });
  return { placed, left };
}

/** The number of the first stretch that nobody walks so fast, from 1; 0 if there is none. */
export function tooFast(taps) {
  for (let i = 1; i < taps.length; i += 1) {
    const seconds = (taps[i].at - taps[i - 1].at) / 1000;
    const metres = metresBetween(taps[i - 1].place, taps[i].place);
    if (taps[i].floor === taps[i - 1].floor && metres > 3 + FASTEST * seconds) return i;
  }
  return 0;
}

/** The length of a path in metres, without its changes of floor. */
export function pathLength(taps) {
  return taps.slice(1).reduce((sum, tap, index) => (
    tap.floor === taps[index].floor ? sum + metresBetween(taps[index].place, tap.place) : sum), 0);
}
