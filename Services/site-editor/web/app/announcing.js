// The live region: what changes on the page is said to screen readers, once.

import { el } from './elements.js';

let region = null;
let timer = 0;

/** The region, made once. */
export function liveRegion() {
  if (!region) {
    region = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite', id: 'told' });
  }
  return region;
}

// Two parts of the page may notice the same thing, such as a lost connection: it is said once.
const TWICE_MILLISECONDS = 2000;
let last = { text: '', at: 0 };

/** Says a text after what is being said, if `holds()` is true then. */
export function sayAfter(text, holds) {
  setTimeout(() => {
    if (holds()) say(text);
  }, Math.max(0, last.at + TWICE_MILLISECONDS - Date.now()));
}

/** Says a text. The same one is said again only later, or if the reader wants it `again`. */
export function say(text, again) {
  const now = Date.now();
  if (!again && text === last.text && now - last.at < TWICE_MILLISECONDS) return;
  last = { text, at: now };
  const here = liveRegion();
  here.textContent = '';
  clearTimeout(timer);
  timer = setTimeout(() => {
    here.textContent = text;
  }, 60);
}
