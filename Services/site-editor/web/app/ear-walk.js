// A walk by ear: which step is the present one, and what is to be said when. Nothing is said here.

import {
  clockHour, directionAt, locate, placeAt, stepStarts, trackOf,
} from './route-track.js';

const REACHED_METRES = 1;
// Who stands still so near to a step's end, and within the dot's error, is at its end.
const STANDING_METRES = 4;
const SLOW_PACE = 0.3;
const OFF_METRES = 8;
const OFF_TIMES = 3;
const HELD_METRES = 5;
const MOST_JOINED = 3;
// Between two places of the dot a walker goes on as before, but for so long and so far only.
const MOST_PACE = 1.6;
const MOST_SECONDS = 6;
const LEFT_METRES = 0.5;

export class EarWalk {
  constructor(route) {
    this.route = route;
    this.steps = route.spoken;
    this.track = trackOf(route);
    this.starts = stepStarts(this.track, this.steps);
    this.present = 0;
    this.first = 0;
    this.along = 0;
    this.pace = 0;
    this.fixed = null;
    this.off = 0;
    this.held = false;
    this.dotAt = null;
    this.said = new Set();
  }

  /** The metres along the line at which a step ends. */
  end(index) {
    return index + 1 < this.starts.length ? this.starts[index + 1] : this.track.length;
  }

  /** The text that is to be heard now: steps that begin at one place are heard together. */
  text() {
    return this.steps.slice(this.first, this.present + 1).map((step) => step.text).join(' ');
  }

  /** Metres until the present step ends. */
  metresLeft() {
    return Math.max(0, this.end(this.present) - this.along);
  }

  get isLast() {
    return this.present === this.steps.length - 1;
  }

  /** The traveller goes on, or back, by hand. Gives what happens, or null at an end. */
  go(by) {
    const index = this.present + by;
    if (index < 0 || index >= this.steps.length) return null;
    this.held = true;
    this.dotAt = null;
    this.along = this.starts[index];
    this.enter(index, index);
    return { kind: this.isLast ? 'arrived' : 'step', text: this.text() };
  }

  enter(first, index) {
    this.first = first;
    this.present = index;
    this.said = new Set();
  }

  /**
   * The dot is at a new place, at a time in milliseconds. Gives what is to be said, or null: a
   * `step` that begins, what comes `near` with its metres, that one has `arrived`, or that one is
   * `off` the way.
   */
  move(position, at) {
    // Who is at the target already has no way to go.
    if (!this.track.points.length) return null;
    const found = locate(this.track, position, this.along);
    const most = Math.max(OFF_METRES, position.radius || 0);
    if (!found || found.metresOff > most) {
      this.off += 1;
      return this.off % OFF_TIMES === 0 ? { kind: 'off', text: '' } : null;
    }
    this.off = 0;
    if (this.held) {
      // Who chose a step by hand keeps it until the dot has really moved.
      if (this.dotAt === null) this.dotAt = found.along;
      if (Math.abs(found.along - this.dotAt) < HELD_METRES) return null;
      this.held = false;
    }
    const stands = this.measure(found.along, at);
    this.along = found.along;
    const reach = stands ? Math.min(STANDING_METRES, (position.radius || 0) / 2) : 0;
    return this.stepAt(found.along, Math.max(REACHED_METRES, reach)) || this.nearAt(found.along);
  }

  /** Measures the pace; true if the walker stands still. */
  measure(along, at) {
    if (at === undefined) return false;
    const seconds = this.fixed === null ? 0 : (at - this.fixed) / 1000;
    const usable = seconds > 0 && seconds <= 15;
    const pace = usable ? Math.max(0, Math.min(MOST_PACE, (along - this.along) / seconds)) : 0;
    this.pace = usable && this.pace ? (this.pace + pace) / 2 : pace;
    this.fixed = at;
    return seconds > 0 && pace < SLOW_PACE && this.pace < SLOW_PACE;
  }

  /**
   * The announcement that is due between two places of the dot, if the walker goes on at the same
   * pace. It ends no step: only the dot does. Null if there is nothing to say.
   */
  between(at) {
    if (!this.isWalking(at)) return null;
    const gone = (this.pace * (at - this.fixed)) / 1000;
    return this.nearAt(Math.min(this.along + gone, this.end(this.present) - LEFT_METRES));
  }

  /** Whether the dot has moved lately. */
  isWalking(at) {
    return this.fixed !== null && this.pace > SLOW_PACE && !this.held && this.off === 0
      && at - this.fixed <= MOST_SECONDS * 1000;
  }

  stepAt(along, reach) {
    let index = this.present;
    while (index + 1 < this.starts.length && this.starts[index + 1] <= along + reach) {
      index += 1;
    }
    if (index === this.present) return null;
    let first = this.present + 1;
    if (index - first >= MOST_JOINED) {
      first = index;
      while (first > 0 && this.starts[index] - this.starts[first - 1] < REACHED_METRES
        && index - first < MOST_JOINED - 1) first -= 1;
    }
    this.enter(first, index);
    return { kind: this.isLast ? 'arrived' : 'step', text: this.text() };
  }

  nearAt(along) {
    const left = this.end(this.present) - along;
    const due = this.steps[this.present].announcements
      .filter((one) => left <= one.metresBefore && !this.said.has(one.metresBefore));
    if (!due.length) return null;
    due.forEach((one) => this.said.add(one.metresBefore));
    const nearest = due.reduce((one, other) => (
      other.metresBefore < one.metresBefore ? other : one));
    return { kind: 'near', metres: nearest.metresBefore, text: nearest.text };
  }

  /**
   * The hour of the clock at which the present step goes on, for somebody who looks along
   * `heading`; without one, for somebody who has come along the line. Null if it has no direction.
   */
  hour(heading) {
    const at = this.starts[this.present];
    const onward = directionAt(this.track, at, false);
    const looks = typeof heading === 'number' ? heading : directionAt(this.track, at, true);
    return onward === null || looks === null ? null : clockHour(looks, onward);
  }

  /** The place of the present step, or the dot's place on the line. */
  place() {
    if (!this.track.points.length) return this.steps[this.present];
    const place = placeAt(this.track, this.along);
    return { latitude: place.latitude, longitude: place.longitude, floor: place.floor };
  }

  /** The id of the room that the present step is in, and of the room before it. */
  rooms() {
    const legs = this.route.legs.slice(0, this.steps[this.present].leg + 1);
    const own = legs.map((leg) => leg.room).filter(Boolean);
    const here = own[own.length - 1] || null;
    const before = own.filter((room) => room !== here);
    return { here, before: before[before.length - 1] || null };
  }
}
