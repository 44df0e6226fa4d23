// Why there is no way, and what would open one.

import { go } from './address.js';
import { button, el } from './elements.js';
import { floorLine } from './floors.js';
import { icon } from './icons.js';
import { hasWord, t } from './words.js';

const MOST = 6;

/** The reason of an answer without a route, in words. */
export function refusal(app, reason) {
  if (!reason) return el('p', { class: 'fault', text: t('route.none') });
  const barriers = (reason.barriers || []).slice(0, MOST);
  return el('section', { class: 'refusal' }, [
    el('h2', { text: t('route.none') }),
    el('p', { text: reason.text }),
    barriers.length ? el('h3', { text: t('route.opens') }) : null,
    el('ul', { class: 'rows' }, barriers.map((one) => barrierRow(app, one))),
  ]);
}

/** Shows the places of the barriers on the map. */
export function lookAtBarriers(view, reason) {
  const places = ((reason && reason.barriers) || []).filter((one) => one.latitude !== undefined);
  if (!view || !view.ready || !places.length) return;
  view.litOrRouted = true;
  if (places[0].floor) go({ floor: places[0].floor }, true);
  view.fit(places.map((one) => [one.latitude, one.longitude]), true, 18.5);
  if (view.pin) view.pin([places[0].latitude, places[0].longitude]);
}

function barrierRow(app, barrier) {
  const keys = barrier.rules.map((rule) => 'openedBy.' + rule.openedBy);
  const opened = Array.from(new Set(keys)).filter(hasWord).map((key) => t(key));
  const where = barrier.floor ? floorLine(app.site, barrier.floor) : t('outdoors');
  return el('li', {}, button([
    icon('warning'),
    el('span', {}, [
      el('strong', { text: barrier.text }),
      el('small', { text: [where].concat(opened).join(' · ') }),
    ]),
  ], () => {
    if (barrier.floor) go({ floor: barrier.floor }, true);
    if (app.view && barrier.latitude !== undefined) {
      app.view.centre([barrier.latitude, barrier.longitude], 19.5);
      if (app.view.pin) app.view.pin([barrier.latitude, barrier.longitude]);
    }
  }, { class: 'line' }));
}
