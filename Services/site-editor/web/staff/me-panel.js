// Who is signed in: the account, the language, the keys, and signing out.

import { address, go } from '/app/address.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { keep } from '/app/phone.js';
import { ask } from '/app/service.js';
import { currentLanguage, languages, t, tn } from '/app/words.js';
import { keyRows } from './staff-keys.js';

/** Ends the session. */
export async function signOut() {
  await ask('/v1/session', { method: 'DELETE' });
}

/** The panel. What waits to be sent stays in this browser for the account. */
export function mePanel(app) {
  const language = el('select', {
    id: 'staff-language', on: {
      change: () => {
        keep('language', language.value);
        go({ lang: language.value });
      },
    },
  }, languages.map((tag) => el('option', {
    value: tag, text: t('language.' + tag), lang: tag, selected: tag === currentLanguage(),
  })));
  const waiting = app.draft.queue.waiting().length;
  const out = button([icon('close'), el('span', { text: t('staff.signOut') })], async () => {
    await signOut();
    location.assign('/sign-in?return=' + encodeURIComponent(location.pathname));
  }, { class: 'secondary' });
  return [
    app.shell.head(app.session.name || t('staff.somebody'), () => go({ panel: null }),
      app.session.signIn || ''),
    el('section', {}, [
      waiting ? el('p', { class: 'news', text: tn('staff.leaves', waiting) }) : null,
      app.draft.queue.isLasting ? null : el('p', { class: 'news', text: t('save.passing') }),
      el('div', { class: 'row' }, [
        el('a', { class: 'secondary', href: '/account' }, [
          icon('settings'), el('span', { text: t('staff.account') }),
        ]),
        el('a', {
          class: 'secondary', href: '/s/' + encodeURIComponent(app.draft.site.id)
            + (address().floor ? '?floor=' + encodeURIComponent(address().floor) : ''),
        }, [icon('way'), el('span', { text: t('staff.visitors') })]),
        el('a', { class: 'secondary', href: '/reference' }, [
          icon('directory'), el('span', { text: t('watch.reference') }),
        ]),
        out,
      ]),
    ]),
    el('section', {}, [
      el('h2', {}, el('label', { for: 'staff-language', text: t('language') })), language,
    ]),
    el('section', {}, [
      el('h2', { text: t('keys') }), el('p', { class: 'quiet', text: t('keys.map') }),
      el('dl', { class: 'keys' }, keyRows()),
    ]),
  ];
}
