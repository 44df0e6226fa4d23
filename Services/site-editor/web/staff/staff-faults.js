// What the service refused, in the reader's words, with the service's own sentence below.

import { say } from '/app/announcing.js';
import { button, el } from '/app/elements.js';
import { Fault } from '/app/service.js';
import { faultText } from '/app/waiting.js';
import { hasWord, t } from '/app/words.js';

/** The sentence for a code of the service; of others what the app says of any fault. */
export function refusalText(code) {
  return code && hasWord('refused.' + code) ? t('refused.' + code) : t('refused.other');
}

/** What failed, with a button that tries again. */
export function staffFault(fault, again) {
  const known = fault instanceof Fault && fault.status >= 400 && fault.status < 500
    && fault.status !== 429;
  const text = known ? refusalText(fault.code) : faultText(fault);
  say(text);
  return el('div', { class: 'fault' }, [
    el('p', { text }),
    known && fault.message !== String(fault.status) ? detail(fault.message) : null,
    again ? button(t('again'), again, { class: 'secondary' }) : null,
  ]);
}

/** A sentence of the service. It speaks English. */
export function detail(text) {
  return el('p', { class: 'detail', lang: 'en', text });
}
