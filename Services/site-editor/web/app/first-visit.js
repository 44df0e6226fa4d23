// The first visit: what is kept and why, on one screen. Nothing is kept until somebody says so.

import { address, show } from './address.js';
import { button, el } from './elements.js';
import { allowKeeping, mayKeep, noteSeen, seenInTab } from './phone.js';
import { t } from './words.js';

/** A short card for the first visit, or null. */
export function firstVisit() {
  if (mayKeep() || seenInTab('told') || address().kiosk || address().embed) return null;
  const card = el('section', { class: 'first', 'aria-label': t('first.title') });
  const done = () => {
    noteSeen('told');
    card.parentNode.removeChild(card);
  };
  [
    el('h2', { text: t('first.title') }),
    el('p', { text: t('first.kept') }),
    el('div', { class: 'row' }, [
      button(t('first.nothing'), done, { class: 'primary' }),
      button(t('first.remember'), () => {
        allowKeeping(true);
        done();
      }, { class: 'secondary' }),
      button(t('first.more'), () => show({ panel: 'mine' }), { class: 'link' }),
    ]),
  ].forEach((child) => card.appendChild(child));
  return card;
}
