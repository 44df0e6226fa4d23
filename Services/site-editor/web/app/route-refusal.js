// Why there is no way, and what would open one.

import { go } from './address.js';
import { say } from './announcing.js';
import { button, el } from './elements.js';
import { floorLine } from './floors.js';
import { icon } from './icons.js';
import { findPlace, isOnMap } from './places.js';
import { faultElement } from './waiting.js';
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

/** What failed on the way between two ends. It names those that the site lacks. */
export async function faultOfEnds(site, fault, ends, again) {
  if (fault.code !== 'place-unknown') return faultElement(fault, again);
  const there = await Promise.all(ends.map((text, index) => isThere(site, text, index > 0)));
  const lost = ends.filter((text, index) => !there[index]);
  if (!lost.length) return faultElement(fault, again);
  const told = lost.map((place) => t('route.placeUnknown', { place })).join(' ');
  say(told);
  return el('p', { class: 'fault', text: told });
}

/** Whether the site has an end's place, as far as that can be known; no end is no lost one. */
async function isThere(site, text, isSought) {
  if (!text) return true;
  return findPlace(site, text, isSought).then((place) => isOnMap(site, place)).catch(() => true);
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
