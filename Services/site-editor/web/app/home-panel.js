// The first panel: what visitors ask for most, each one tap away.

import { address, go, show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { firstVisit } from './first-visit.js';
import { t } from './words.js';

/** Shows the first panel. */
export function showHome(app, focus) {
  app.box.setText('');
  if (app.view) app.view.light('');
  const start = address().kiosk ? address().kiosk : 'here';
  const actions = [
    ['way', 'home.way', () => go({ from: start, to: null, panel: null })],
    ['directory', 'home.directory', () => show({ panel: 'directory' })],
    ['toilet', 'home.toilet', () => go({ from: start, to: 'kind:toilet' })],
    ['clock', 'home.free', () => show({ panel: 'free' })],
  ];
  const list = el('div', { class: 'quick' }, actions.map((one) => button([
    el('span', { class: 'disc' }, icon(one[0])), el('span', { text: t(one[1]) }),
  ], one[2])));
  app.shell.set([
    el('h1', { class: 'unseen', text: app.site.name || t('home') }), list, firstVisit(app),
  ], focus);
}
