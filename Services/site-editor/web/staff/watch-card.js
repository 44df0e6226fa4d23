// The device that is followed: where it is, how sure that is, and what can be asked about it.

import { go } from '/app/address.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { number, t } from '/app/words.js';

const HOUR_MILLISECONDS = 3600000;

/** How exactly a position is known, as a sentence; empty for a lost one. */
export function radiusText(mark) {
  if (!mark || mark.state === 'lost' || !mark.radius) return '';
  return t('watch.radius', { metres: number(mark.radius, mark.radius < 10 ? 1 : 0) });
}

/** `about` has when the position was, a line of where, and what explains it. */
export function deviceCard(app, id, mark, about) {
  const follow = app.map.view.following;
  return el('section', { class: 'watch-card', 'aria-label': t('watch.chosen') }, [
    el('div', { class: 'head' }, [
      el('div', {}, [
        el('h2', { text: id }),
        el('p', { class: 'quiet', text: mark ? about.line || t('watch.lost') : t('watch.unseen') }),
      ]),
      button(icon('close'), () => app.choose(null), {
        class: 'round', 'aria-label': t('watch.unfollow'), 'data-action': 'close',
      }),
    ]),
    mark ? el('p', {
      class: 'quiet', text: [
        mark.state === 'uncertain' ? t('watch.uncertain') : '', radiusText(mark), about.when,
      ].filter(Boolean).join(' · '),
    }) : null,
    el('div', { class: 'actions' }, [
      mark && !follow ? button([icon('locate'), el('span', { text: t('watch.follow') })],
        () => app.choose(id), { class: 'secondary', 'data-action': 'follow' }) : null,
      about.explain ? button([icon('information'), el('span', { text: t('watch.explain') })],
        about.explain, { class: 'secondary', 'data-action': 'explain' }) : null,
      about.isPast ? null : button([icon('repeat'), el('span', { text: t('watch.lastHour') })],
        () => go({
          panel: 'replay', time: new Date(Date.now() - HOUR_MILLISECONDS).toISOString(),
        }), { class: 'secondary', 'data-action': 'replay' }),
    ]),
  ]);
}
