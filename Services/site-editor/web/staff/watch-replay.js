// The parts of a replay: asked for around the slider, kept while they may be needed, and no longer
// asked for when the slider has gone elsewhere.

import { ask, query, sitePath } from '/app/service.js';
import { KEPT_MILLISECONDS, Part, marksAt } from './watch-tracks.js';

/** What is asked for at once. The service may answer with less, where it has more devices. */
const ASKED_MILLISECONDS = 60000;
/** Where somebody waits, less is asked for, and alone. */
const FIRST_MILLISECONDS = 10000;
const STEP_MILLISECONDS = 10000;
/** The most positions that are kept, some 40 bytes each. */
const MOST_POSITIONS = 400000;
const MOST_REQUESTS = 3;
const PAUSE_MILLISECONDS = 2000;
/** The newest past may still get positions, so it is asked for again. */
const SETTLED_MILLISECONDS = 120000;

/** The beginning of the step in which an instant lies. */
export function stepOf(instant) {
  return Math.floor(instant / STEP_MILLISECONDS) * STEP_MILLISECONDS;
}

export class Replay {
  /** `changed` is called when a part has come or failed; `read` asks the service, or a test. */
  constructor(site, changed, read) {
    this.site = site;
    this.changed = changed;
    this.read = read || readPart;
    this.parts = [];
    this.asked = [];
    this.kept = new Map();
    this.fault = null;
    this.wanted = [0, 0];
    this.instant = 0;
    this.isOver = false;
  }

  /**
   * Looks at an instant; `ahead` is how much of the time after it is wanted soon. Where somebody
   * has `jumped` to what is not here, nothing else is in the way of it.
   */
  look(instant, ahead, jumped) {
    if (this.isOver) return;
    this.instant = instant;
    this.wanted = [stepOf(instant - KEPT_MILLISECONDS), instant + ahead];
    const alone = jumped && !this.has(instant);
    this.asked.forEach((one) => {
      const covers = one.from <= instant && instant < one.until;
      const isFar = one.until < this.wanted[0] || one.from > this.wanted[1];
      if (isFar || (alone && !covers)) one.control.abort();
    });
    this.asked = this.asked.filter((one) => !one.control.signal.aborted);
    this.askForMore();
  }

  /** Whether the instant can be shown: its own part is here. */
  has(instant) {
    return this.parts.some((part) => part.from <= instant && instant < part.until);
  }

  /** The marks of all devices at the instant that is looked at. */
  marks(glides) {
    const begin = this.instant - KEPT_MILLISECONDS;
    const end = this.instant + KEPT_MILLISECONDS;
    const around = this.parts.filter((part) => part.until > begin && part.from < end);
    return marksAt(around, this.instant, this.kept, glides);
  }

  /** The next time that nobody has asked for: first the instant's own, then what follows it. */
  gap() {
    const begin = stepOf(this.instant);
    return this.gapFrom(begin, this.wanted[1]) || this.gapFrom(this.wanted[0], begin);
  }

  gapFrom(begin, end) {
    const known = this.parts.concat(this.asked).sort((one, other) => one.from - other.from);
    let from = begin;
    for (let i = 0; i < known.length; i += 1) {
      if (known[i].from > from) {
        const until = Math.min(known[i].from, from + ASKED_MILLISECONDS);
        return from < end ? { from, until } : null;
      }
      from = Math.max(from, known[i].until);
    }
    return from < end ? { from, until: Math.min(from + ASKED_MILLISECONDS, this.aligned(end)) }
      : null;
  }

  aligned(end) {
    return stepOf(end) + STEP_MILLISECONDS;
  }

  askForMore() {
    if (this.pause || this.isFull()) return;
    if (!this.has(this.instant)) {
      const gap = this.gap();
      const waits = this.asked.some((one) => (
        one.from <= this.instant && this.instant < one.until));
      if (!waits && gap && this.asked.length < MOST_REQUESTS) {
        this.askFor({ from: gap.from, until: Math.min(gap.until, gap.from + FIRST_MILLISECONDS) });
      }
      return;
    }
    while (this.asked.length < MOST_REQUESTS) {
      const gap = this.gap();
      if (!gap) return;
      this.askFor(gap);
    }
  }

  /** Whether the wanted time alone has as much as is kept. */
  isFull() {
    const [begin, end] = this.wanted;
    return this.has(this.instant) && this.parts.reduce((sum, one) => (
      one.until > begin && one.from < end ? sum + one.count : sum), 0) >= MOST_POSITIONS;
  }

  async askFor(gap) {
    const one = { from: gap.from, until: gap.until, control: new AbortController() };
    this.asked.push(one);
    let failed = null;
    try {
      const answer = await this.read(this.site.id, one.from, one.until, one.control.signal);
      if (!one.control.signal.aborted && !this.isOver) this.keep(new Part(answer));
    } catch (fault) {
      failed = one.control.signal.aborted ? null : fault;
    }
    this.asked = this.asked.filter((other) => other !== one);
    if (this.isOver) return;
    this.fault = failed;
    if (failed) this.rest();
    else if (!one.control.signal.aborted) {
      this.askForMore();
    }
    this.changed();
  }

  /** After a fault nothing is asked for during a pause. */
  rest() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      this.pause = 0;
      this.askForMore();
    }, PAUSE_MILLISECONDS);
  }

  keep(part) {
    if (part.until <= part.from) return;
    this.parts.push(part);
    this.parts.sort((one, other) => one.from - other.from);
    let count = this.parts.reduce((sum, one) => sum + one.count, 0);
    // What is wanted stays: else it would be asked for again and again.
    const away = (one) => Math.max(one.from - this.wanted[1], this.wanted[0] - one.until);
    while (count > MOST_POSITIONS) {
      const far = this.parts.reduce((most, one) => (away(one) > away(most) ? one : most));
      if (away(far) <= 0) break;
      this.parts = this.parts.filter((one) => one !== far);
      count -= far.count;
    }
    // Devices that nothing kept has are forgotten.
    if (this.kept.size > 20000) this.kept.clear();
  }

  /** What is too new to stay as it is. */
  forgetNewest(clock) {
    this.parts = this.parts.filter((part) => part.until < clock - SETTLED_MILLISECONDS);
  }

  end() {
    this.isOver = true;
    clearTimeout(this.pause);
    this.asked.forEach((one) => one.control.abort());
    this.asked = [];
    this.parts = [];
  }
}

function readPart(site, from, until, signal) {
  const path = sitePath(site, 'replay') + query({
    from: new Date(from).toISOString(), seconds: Math.max(1, Math.ceil((until - from) / 1000)),
  });
  return ask(path, { signal });
}
