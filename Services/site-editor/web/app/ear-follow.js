// By ear with a dot: what happens on the way is told in its time, and an owed warning always.

import { isLive } from './position-store.js';

const BETWEEN_MILLISECONDS = 400;

export class EarFollow {
  /**
   * `told` has `happens(event, hears)` for what is to be said of the walk, `warns()` for a step
   * that is to be said again with its warning, and `strays()` for who is off the way.
   */
  constructor(told) {
    this.told = told;
    this.walk = null;
    this.timer = 0;
  }

  /** Follows this walk from now on; null for none. */
  follow(walk) {
    clearTimeout(this.timer);
    this.walk = walk;
  }

  /** The best position has changed; null if nothing is known any more. */
  move(position) {
    const walk = this.walk;
    if (!walk) return;
    const isLed = isLive(position);
    // Where the dot is a guess, the reader goes on by hand.
    const isPlace = position && position.state === 'located' && position.latitude !== undefined;
    const event = isPlace ? walk.move(position, position.at) : null;
    if (event && event.kind === 'off') this.told.strays();
    else if (event) this.told.happens(event, isLed);
    // No dot leads any more, so no announcement will come.
    else if (!isLed && walk.owesWarning) this.told.warns();
    this.watch();
  }

  /**
   * What is to be said of the present step: without its warning only while a dot leads. A warning
   * that is left out is waited for, so it comes even if the dot never comes again.
   */
  step(isLed) {
    const text = this.walk.told(isLed, Date.now());
    this.wait();
    return text;
  }

  /** The dot moves every few seconds; what comes near between is said in its time. */
  watch() {
    if (!this.walk) return;
    if (this.walk.isWarningDue(Date.now())) this.told.warns();
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    const walk = this.walk;
    if (!walk || !(walk.owesWarning || walk.isWalking(Date.now()))) return;
    this.timer = setTimeout(() => {
      const event = walk.between(Date.now());
      if (event) this.told.happens(event, false);
      this.watch();
    }, BETWEEN_MILLISECONDS);
  }
}
