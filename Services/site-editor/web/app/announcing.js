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

/** Says a text; the same text again is said again. */
export function say(text) {
  const here = liveRegion();
  here.textContent = '';
  clearTimeout(timer);
  timer = setTimeout(() => {
    here.textContent = text;
  }, 60);
}
