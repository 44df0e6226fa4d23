// "My data": what the phone keeps, to see, to take along and to erase; and what the service keeps.

import { show } from './address.js';
import { button, el } from './elements.js';
import { allKept, allowKeeping, erase, mayKeep } from './phone.js';
import { forgetPositions, positionsKept } from './position-store.js';
import { say } from './announcing.js';
import { hasWord, t } from './words.js';

/** Shows what is kept. */
export function showMine(app, focus) {
  const kept = allKept();
  const names = Object.keys(kept);
  const allowed = el('input', { type: 'checkbox', id: 'keep', on: {
    change: async () => {
      if (allowed.checked) allowKeeping(true);
      else await erase();
      showMine(app, false);
    },
  } });
  allowed.checked = mayKeep();
  app.shell.set([
    app.shell.head(t('mine'), () => show({})),
    el('section', {}, [
      el('h2', { text: t('mine.phone') }),
      el('label', { class: 'check' }, [allowed, el('span', { text: t('mine.allow') })]),
      names.length ? el('dl', { class: 'kept' }, names.map((name) => [
        el('dt', { text: hasWord('kept.' + name) ? t('kept.' + name) : name }),
        el('dd', { text: kept[name] }),
      ])) : el('p', { class: 'quiet', text: t('mine.nothing') }),
      el('div', { class: 'row' }, [
        button(t('mine.take'), () => take(app), { class: 'secondary' }),
        button(t('mine.erase'), async () => {
          await erase();
          forgetPositions();
          say(t('mine.erased'));
          showMine(app, false);
        }, { class: 'secondary' }),
      ]),
    ]),
    el('section', {}, [
      el('h2', { text: t('mine.service') }),
      el('ul', { class: 'plain' }, [
        'session', 'search', 'scan', 'tap', 'barrier',
      ].map((name) => el('li', { text: t('mine.service.' + name) }))),
    ]),
  ], focus);
}

/** A file with all that the phone keeps. */
function take(app) {
  const all = { site: app.site.id, kept: allKept(), positions: positionsKept() };
  const blob = new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' });
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: 'whereabouts.json' });
  document.body.appendChild(link);
  link.click();
  document.body.removeChild(link);
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}
