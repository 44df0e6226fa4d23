// A button that copies a text.

import { button } from './elements.js';
import { icon } from './icons.js';
import { say } from './announcing.js';
import { t } from './words.js';

/** Copies a text; true if the browser did it. */
export async function copyText(text) {
  if (navigator.clipboard && navigator.clipboard.writeText) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (refused) {
      // The older way below may still work.
    }
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.appendChild(field);
  field.select();
  const done = document.execCommand('copy');
  document.body.removeChild(field);
  return done;
}

/** A button that copies `text` and says so. */
export function copyButton(text) {
  const self = button(icon('copy'), async () => {
    const done = await copyText(text);
    say(t(done ? 'copied' : 'copy.failed'));
    self.classList.add(done ? 'done' : 'failed');
  }, { class: 'round small', 'aria-label': t('copy'), title: t('copy') });
  return self;
}
