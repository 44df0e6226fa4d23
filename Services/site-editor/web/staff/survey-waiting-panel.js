// Surveys that this browser keeps until the service has them, and those that it did not take.

import { go } from '/app/address.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { number, t, tn } from '/app/words.js';
import { detail } from './staff-faults.js';
import { when } from './staff-times.js';
import { redraw } from './survey-parts.js';

const MOST_ROWS = 100;
const KNOWN = ['device-erased', 'nothing-of-site-heard', 'location-unknown', 'floor-unknown',
  'survey-not-yours', 'role-not-allowed'];

function nameOfItem(item) {
  return item.do === 'withdraw' ? t('survey.withdrawal') : item.name || t('survey.loose');
}

function lineOf(item) {
  if (item.do === 'withdraw') return when(new Date(item.madeAt).toISOString());
  const readings = item.body.wifi.length + item.body.ble.length;
  return [when(item.body.at), tn('survey.readings', readings)].join(' · ');
}

function refusedElement(app, item) {
  const code = item.refusal && item.refusal.code;
  const name = nameOfItem(item);
  return el('section', { class: 'conflict', 'aria-label': name }, [
    el('h2', { text: name }), el('p', { class: 'quiet', text: lineOf(item) }),
    el('p', { text: t(KNOWN.indexOf(code) >= 0 ? 'survey.refusal.' + code : 'refused.other') }),
    item.refusal && item.refusal.detail ? detail(item.refusal.detail) : null,
    el('div', { class: 'row' }, [
      button([icon('repeat'), el('span', { text: t('survey.sendAgain') })],
        () => app.queue.again(item), { class: 'secondary', 'data-at': 'again-' + item.id }),
      button(el('span', { text: t('survey.drop') }), () => app.queue.drop(item), {
        class: 'link', 'data-at': 'drop-' + item.id, 'aria-label': t('survey.drop') + ': ' + name,
      }),
    ]),
  ]);
}

function content(app) {
  const waiting = app.queue.waiting();
  const refused = app.queue.refused();
  return [
    app.shell.head(t('survey.panel.waiting'), () => go({ panel: null })),
    el('p', { class: 'quiet', text: waiting.length
      ? tn('survey.state.' + app.queue.state, waiting.length) : t('survey.saved') }),
    app.queue.isLasting ? null : el('p', { class: 'news', text: t('save.passing') }),
    waiting.length ? button([icon('repeat'), el('span', { text: t('survey.sendNow') })],
      () => app.queue.send(), { class: 'secondary', 'data-at': 'send' }) : null,
    el('ul', { class: 'rows' }, waiting.slice(0, MOST_ROWS).map((item) => el('li', {}, [
      el('strong', { text: nameOfItem(item) }), el('small', { class: 'quiet', text: lineOf(item) }),
    ]))),
    waiting.length > MOST_ROWS ? el('p', {
      class: 'quiet', text: t('survey.moreWait', { count: number(waiting.length - MOST_ROWS) }),
    }) : null,
    refused.map((item) => refusedElement(app, item)),
  ];
}

export function waitingPanel(app, focus) {
  redraw(app, content(app), focus);
  app.update = () => redraw(app, content(app));
}
