// The first panel: what visitors ask for most, each one tap away.

import { address, go, show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { firstVisit } from './first-visit.js';
import { learnKinds, offeredKinds } from './nearest-kinds.js';
import { t } from './words.js';

/** Shows the first panel. */
export function showHome(app, focus) {
  app.box.setText('');
  if (app.view) app.view.light('');
  const shown = address();
  learnKinds(app.site).then((more) => {
    if (more && address() === shown) app.render(false);
  });
  const start = address().kiosk ? address().kiosk : 'here';
  const actions = [
    ['way', 'home.way', () => go({ from: start, to: null, panel: null })],
    ['directory', 'home.directory', () => show({ panel: 'directory' })],
    offeredKinds().indexOf('toilet') >= 0
      ? ['toilet', 'home.toilet', () => go({ from: start, to: 'kind:toilet' })] : null,
    ['clock', 'home.free', () => show({ panel: 'free' })],
  ].filter(Boolean);
  const list = el('div', { class: 'quick' }, actions.map((one) => button([
    el('span', { class: 'disc' }, icon(one[0])), el('span', { text: t(one[1]) }),
  ], one[2])));
  app.shell.set([
    el('h1', { class: 'unseen', text: app.site.name || t('home') }), list, firstVisit(app),
  ], focus);
}
