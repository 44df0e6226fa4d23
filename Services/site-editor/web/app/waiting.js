// What takes over 300 ms says what it waits for, and can be cancelled.

import { button, el, fill } from './elements.js';
import { say } from './announcing.js';
import { Fault } from './service.js';
import { t, waitTime } from './words.js';

const DELAY_MILLISECONDS = 300;
// Too late, a change meanwhile, too early, too many questions.
const PASSING = [408, 409, 425, 429];

let place = null;
const waits = new Set();

/** The element in which waits are shown. */
export function showWaitsIn(element) {
  place = element;
}

/**
 * Runs `work(signal)`. Its answer is given, or null if somebody cancelled it.
 * `key` is the text of what is waited for.
 */
export async function waitFor(key, work) {
  const control = new AbortController();
  const wait = { text: t(key), shown: false, cancel: () => control.abort() };
  waits.add(wait);
  const timer = setTimeout(() => {
    wait.shown = true;
    draw();
    say(wait.text);
  }, DELAY_MILLISECONDS);
  try {
    return await work(control.signal);
  } catch (failure) {
    if (failure && failure.name === 'AbortError') return null;
    throw failure;
  } finally {
    clearTimeout(timer);
    waits.delete(wait);
    if (wait.shown) draw();
  }
}

/**
 * For searches that may be begun anew before they are done. Gives a function that begins one, and
 * that gives a test: whether it is over, as a later one has begun or `hasGone()` is true.
 */
export function searches(hasGone) {
  let newest = 0;
  return () => {
    newest += 1;
    const own = newest;
    return () => hasGone() || own !== newest;
  };
}

function draw() {
  if (!place) return;
  const shown = Array.from(waits).filter((wait) => wait.shown);
  place.hidden = shown.length === 0;
  fill(place, shown.map((wait) => el('div', { class: 'wait' }, [
    el('span', { class: 'spinner', 'aria-hidden': 'true' }),
    el('span', { text: wait.text }),
    button(t('cancel'), wait.cancel, { class: 'link' }),
  ])));
}

/** The sentence for what failed. */
export function faultText(fault) {
  if (!(fault instanceof Fault)) return t('fault.other');
  if (fault.status === 0 || fault.status === 502 || fault.status === 504) return t('fault.offline');
  if (fault.status === 503) return t('fault.down');
  if (fault.status === 429) {
    const time = fault.retryAfter && waitTime(fault.retryAfter);
    return time ? t('fault.busyFor', { time }) : t('fault.busy');
  }
  if (fault.status === 401 || fault.status === 403) return t('fault.forbidden');
  if (fault.status === 404) return t('fault.missing');
  return t('fault.other');
}

/** Whether the same question may get another answer soon: a place that is not there stays away. */
export function mayPass(fault) {
  if (!(fault instanceof Fault)) return true;
  return fault.status < 400 || fault.status >= 500 || PASSING.indexOf(fault.status) >= 0;
}

/** A paragraph with what failed, which is said too, and a button that tries again if that helps. */
export function faultElement(fault, again) {
  const text = faultText(fault);
  say(text);
  return el('div', { class: 'fault' }, [
    el('p', { text }),
    again && mayPass(fault) ? button(t('again'), again, { class: 'secondary' }) : null,
  ]);
}
