// The settings: how the reader goes, the language, what the phone keeps, and the map to take along.

import { address, go, linkTo, show } from './address.js';
import { button, el } from './elements.js';
import { isStaff } from './staff.js';
import { icon } from './icons.js';
import { offlineSection } from './offline-section.js';
import { keep, kept } from './phone.js';
import { profileForm } from './profiles.js';
import { share } from './sharing.js';
import { currentLanguage, languages, t } from './words.js';
import { addPanels } from './panels.js';

const NAMES = ['usual', 'larger', 'none'];

/** Shows the settings. */
export function showSettings(app, focus) {
  const language = el('select', {
    id: 'language', on: {
      change: () => {
        keep('language', language.value);
        go({ lang: language.value });
      },
    },
  }, languages.map((tag) => el('option', {
    value: tag, text: t('language.' + tag), lang: tag, selected: tag === currentLanguage(),
  })));
  const staff = el('section', { class: 'staff', hidden: true }, el('div', { class: 'row' }, [
    button([
      icon('barrier'), el('span', { text: t('barriers') }),
    ], () => show({ panel: 'barriers' }), { class: 'secondary' }),
    el('a', { class: 'secondary', href: '/staff/' + encodeURIComponent(app.site.id) }, [
      icon('person'), el('span', { text: t('staff.app') }),
    ]),
  ]));
  isStaff(app.site).then((may) => { staff.hidden = !may; }, () => null);
  app.shell.set([
    app.shell.head(t('settings'), () => show({})),
    el('section', {}, [el('h2', { text: t('profile') }), profileForm(() => null)]),
    el('section', {}, [
      el('h2', {}, el('label', { for: 'language', text: t('language') })), language,
    ]),
    el('section', {}, [
      el('h2', {}, el('label', { for: 'names', text: t('names') })), namesOnMap(app),
    ]),
    window.isSecureContext ? null : el('section', {}, [
      el('h2', { text: t('insecure') }), el('p', { class: 'quiet', text: t('insecure.off') }),
    ]),
    offlineSection(app), staff,
    el('section', {}, el('ul', { class: 'rows' }, [
      el('li', {}, button([icon('ear'), el('span', { text: t('ear') })],
        () => show({ panel: 'ear' }), { class: 'line' })),
      el('li', {}, button([icon('camera'), el('span', { text: t('camera') })],
        () => show({ panel: 'camera' }), { class: 'line' })),
      el('li', {}, button([icon('here'), el('span', { text: t('live.share') })],
        () => show({ panel: 'live' }), { class: 'line' })),
      el('li', {}, button([icon('locate'), el('span', { text: t('pair.title') })],
        () => show({ panel: 'pair' }), { class: 'line' })),
      el('li', {}, button([icon('person'), el('span', { text: t('mine') })],
        () => show({ panel: 'mine' }), { class: 'line' })),
      el('li', {}, button([icon('share'), el('span', { text: t('share.site') })],
        () => share(linkTo({ at: address().at }), app.site.name), { class: 'line' })),
    ])),
  ], focus);
}

/** How large the names on the map are, if they are there at all. */
function namesOnMap(app) {
  const choice = el('select', {
    id: 'names', on: {
      change: () => {
        keep('names', choice.value);
        if (app.view) app.view.layer.forget();
      },
    },
  }, NAMES.map((name) => el('option', {
    value: name, text: t('names.' + name), selected: name === (kept('names') || NAMES[0]),
  })));
  return choice;
}

addPanels({ settings: showSettings });
