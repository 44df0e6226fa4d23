// A walk by ear: which step is the present one, and what is to be said when. Nothing is said here.

import { bearing, metresBetween } from './measuring.js';
import {
  clockHour, directionAt, locate, placeAt, stepLengths, stepStarts, stepTimes, trackOf,
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
// The direction of a walk is that of its last metres.
const COURSE_METRES = 2;
// A wall may lead round: who has not followed most of it is not at its end, however near that is.
const ROUND_SHARE = 0.7;

export class EarWalk {
  constructor(route) {
    this.route = route;
    this.steps = route.spoken;
    this.track = trackOf(route);
    this.starts = stepStarts(this.track, this.steps);
    this.lengths = stepLengths(route);
    this.anchor = null;
    this.course = null;
    this.walked = 0;
    this.present = 0;
    this.first = 0;
    this.along = 0;
    this.pace = 0;
    this.fixed = null;
    this.off = 0;
    this.held = false;
    this.dotAt = null;
    this.said = new Set();
    this.owes = false;
  }

  /** The metres along the line at which a step ends. */
  end(index) {
    return index + 1 < this.starts.length ? this.starts[index + 1] : this.track.length;
  }

  /** The text that is to be heard now: steps that begin at one place are heard together. */
  text() {
    return this.steps.slice(this.first, this.present + 1).map((step) => step.text).join(' ');
  }

  /**
   * What is said of the step at a time: without the warning that its announcements have for who
   * `hears` them, but only while the dot really leads. A warning that is said twice does no harm.
   */
  told(hears, at) {
    const own = this.steps[this.present];
    this.owes = Boolean(hears && own.announcedText && !this.said.size && this.isWalking(at));
    if (!this.owes) return this.text();
    const before = this.steps.slice(this.first, this.present).map((step) => step.text);
    return before.concat(own.announcedText).join(' ');
  }

  /** Whether a warning was left to announcements of which none has come. */
  get owesWarning() {
    return this.owes && !this.said.size;
  }

  /** The metres of the line of a step: straight, while the words may lead along walls. */
  lineMetres(index) {
    return this.end(index) - this.starts[index];
  }

  /** All metres that the words lead. */
  get metres() {
    return this.lengths.reduce((sum, one) => sum + one, 0);
  }

  /** The time for them: a longer way along a wall takes longer. */
  get seconds() {
    return stepTimes(this.route, this.lengths).reduce((sum, one) => sum + one, 0);
  }

  /** Metres to walk until the present step ends, as its words lead. */
  metresLeft() {
    const line = this.lineMetres(this.present);
    const left = Math.max(0, this.end(this.present) - this.along);
    return line > LEFT_METRES ? (this.lengths[this.present] * left) / line : 0;
  }

  /** By how many metres a step's words lead farther than its line; 0 unless it leads round. */
  detour(index) {
    const line = this.lineMetres(index);
    return this.lengths[index] > 1.5 * line + 4 ? this.lengths[index] - line : 0;
  }

  /** So far from a step's line its words may lead: half the height of the ellipse around it. */
  aside(index) {
    const line = this.lineMetres(index);
    const length = this.lengths[index];
    return length > line ? Math.sqrt(length * length - line * line) / 2 : 0;
  }

  /** Whether the present step can be near its end. */
  get mayEnd() {
    return this.walked >= ROUND_SHARE * this.detour(this.present);
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
    this.anchor = null;
    this.course = null;
    this.along = this.starts[index];
    this.enter(index, index);
    return { kind: this.isLast ? 'arrived' : 'step', text: this.text() };
  }

  enter(first, index) {
    this.first = first;
    this.present = index;
    this.said = new Set();
    this.owes = false;
    this.walked = 0;
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
    this.noteCourse(position, at);
    const most = Math.max(OFF_METRES, position.radius || 0, this.aside(this.present));
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
    const along = this.detour(this.present) ? this.alongAround(position) : found.along;
    const stands = this.measure(along, at);
    this.along = along;
    const reach = stands ? Math.min(STANDING_METRES, (position.radius || 0) / 2) : 0;
    return this.stepAt(along, Math.max(REACHED_METRES, reach)) || this.nearAt(along);
  }

  /** The place on the line of a step that leads round: as far from its end as the reader is. */
  alongAround(position) {
    const end = this.end(this.present);
    const left = metresBetween(position, placeAt(this.track, end));
    return Math.max(this.starts[this.present], end - left);
  }

  /** Notes the direction of the walk, and the metres since the step began. */
  noteCourse(position, at) {
    const before = this.anchor;
    const sameFloor = before && before.floor === position.floor;
    const metres = sameFloor ? metresBetween(before, position) : 0;
    if (sameFloor && metres < COURSE_METRES) return;
    this.anchor = position;
    this.courseAt = at;
    this.course = sameFloor ? bearing(before, position) : null;
    this.walked += metres;
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

  /** Whether the dot has moved lately: else no announcement comes. Clocks may be set back. */
  isWalking(at) {
    return this.fixed !== null && this.pace > SLOW_PACE && !this.held && this.off === 0
      && Math.abs(at - this.fixed) <= MOST_SECONDS * 1000;
  }

  /** Whether a warning was left to announcements, and the dot leads no more. */
  isWarningDue(at) {
    return this.owesWarning && !this.isWalking(at);
  }

  stepAt(along, reach) {
    let index = this.present;
    while (index + 1 < this.starts.length && this.starts[index + 1] <= along + reach
      && (index === this.present ? this.mayEnd : !this.detour(index))) {
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
    if (!this.mayEnd) return null;
    const left = this.end(this.present) - along;
    const due = this.steps[this.present].announcements
      .filter((one) => left <= one.metresBefore && !this.said.has(one.metresBefore));
    if (!due.length) return null;
    due.forEach((one) => this.said.add(one.metresBefore));
    const nearest = due.reduce((one, other) => (
      other.metresBefore < one.metresBefore ? other : one));
    return { kind: 'near', metres: nearest.metresBefore, text: nearest.text };
  }

  /** The direction that one faces where a step begins: as the service has it, else the line's. */
  headingAt(index) {
    const known = this.steps[index].headingDegrees;
    return typeof known === 'number' ? known : directionAt(this.track, this.starts[index], true);
  }

  /**
   * The hour of the clock at which the present step goes on, for somebody who looks along
   * `heading`; without one, for somebody who has come along the way. Null if it has no direction,
   * or if its words lead another way than its line.
   */
  hour(heading) {
    const at = this.starts[this.present];
    const length = this.lengths[this.present];
    if (length > 1.25 * this.lineMetres(this.present) + 2) return null;
    const onward = directionAt(this.track, at, false);
    const looks = typeof heading === 'number' ? heading : this.headingAt(this.present);
    return onward === null || looks === null ? null : clockHour(looks, onward);
  }

  /**
   * The direction in which the reader faces, and by what that is known: by the `walk` of the last
   * metres, by the `compass` (`looking`, if there is one), or by the way that they `came`. Null in
   * the first room: nobody knows it there.
   */
  facing(looking, at) {
    const lately = at - this.courseAt <= MOST_SECONDS * 1000;
    if (lately && this.course !== null) return { degrees: this.course, by: 'walk' };
    if (typeof looking === 'number') return { degrees: looking, by: 'compass' };
    const came = this.headingAt(this.present);
    return came === null ? null : { degrees: came, by: 'came' };
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
