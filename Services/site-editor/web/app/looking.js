// Where somebody is who shares it: the dot on the plan with its radius, and its age, live.

import { address, go, show } from './address.js';
import { button, el } from './elements.js';
import { floorLine } from './floors.js';
import { icon } from './icons.js';
import { LiveBar } from './live-bar.js';
import { addPanels } from './panels.js';
import { placeRecord } from './places.js';
import { PositionDot } from './position-dot.js';
import { say } from './announcing.js';
import { ask, sitePath } from './service.js';
import { ago, distance, duration, nameOf, t } from './words.js';

const LOOK_MILLISECONDS = 5000;
const AGE_MILLISECONDS = 2000;
const STILL_MILLISECONDS = 15000;

let app = null;
let bar = null;
let dot = null;
let timer = 0;
let seen = null;
let still = 0;
let centred = false;
let told = '';
let secret = '';
let parts = null;

function next(delay) {
  clearTimeout(timer);
  timer = setTimeout(look, delay);
}

async function look() {
  if (!secret || document.hidden) return;
  const asked = secret;
  try {
    const path = sitePath(app.site.id, 'shared-positions', secret);
    const answer = await ask(path);
    if (asked !== secret) return;
    still = seen && seen.answer.at === answer.at ? still + 1 : 0;
    seen = { answer, readAt: Date.now(), name: await nameIn(answer) };
    draw();
    next(still > 3 ? STILL_MILLISECONDS : LOOK_MILLISECONDS);
  } catch (fault) {
    if (asked !== secret) return;
    if (fault.status === 404) over();
    else next(Math.max(STILL_MILLISECONDS, (fault.retryAfter || 0) * 1000));
  }
}

/** The name of the room that the answer has, in the reader's language. */
async function nameIn(answer) {
  if (!answer.room) return '';
  if (seen && seen.answer.room === answer.room && seen.name) return seen.name;
  const record = await placeRecord(app.site, { kind: 'room', id: answer.room }).catch(() => null);
  return nameOf(record) || answer.room;
}

function over() {
  seen = null;
  if (dot) dot.show(null);
  tell(t('looked.over'));
  parts = null;
  bar.show([
    icon('here'), el('p', { class: 'live-text', text: t('looked.over') }),
    button(icon('close'), () => go({ shared: null }, true), {
      class: 'round', 'aria-label': t('close'),
    }),
  ]);
}

/** The place in words, without its age. */
function placeText(answer, name) {
  const floor = floorLine(app.site, answer.floor);
  const whole = (text) => [text, floor].filter(Boolean).join(' · ');
  if (answer.area) return whole(t('looked.staff'));
  if (answer.state === 'uncertain' && floor) return t('looked.floor', { floor });
  if (answer.state !== 'located' || answer.latitude === undefined) {
    return t(answer.state ? 'looked.unknown' : 'looked.none');
  }
  const radius = distance(answer.radiusMetres || 5);
  if (name) return whole(t('looked.room', { room: name, radius }));
  return whole(t('looked.here', { radius }));
}

function draw() {
  const answer = seen.answer;
  const text = placeText(answer, seen.name);
  const waited = Date.now() - seen.readAt;
  const old = answer.ageSeconds === undefined ? '' : ago(answer.ageSeconds * 1000 + waited);
  const left = t('looked.left', { time: duration(answer.secondsLeft) });
  tell(text);
  if (!parts) build();
  change(parts.text, text);
  change(parts.small, [old, left].filter(Boolean).join(' · '));
  parts.buttons.forEach((one) => {
    one.hidden = answer.latitude === undefined;
  });
  drawDot(answer);
}

/** Makes the line once: a new button would lose the focus, and a tap on the former. */
function build() {
  const round = (name, action, label) => button(icon(name), action, {
    class: 'round', 'aria-label': label, title: label,
  });
  parts = {
    text: el('span'), small: el('small'),
    buttons: [
      round('locate', () => centre(), t('looked.centre')), round('way', way, t('looked.way')),
    ],
  };
  bar.show([
    icon('here'),
    el('div', { class: 'live-text' }, [
      el('strong', { text: t('looked.title') }), parts.text, parts.small,
    ]),
    parts.buttons,
  ]);
}

function change(element, text) {
  if (element.textContent === text) return;
  element.textContent = text;
  app.shell.laid();
}

/** Says a new place once; an older age is no news. */
function tell(text) {
  if (text === told) return;
  told = text;
  say(t('looked.title') + ': ' + text);
}

function drawDot(answer) {
  if (!app.view || !app.view.ready) return;
  if (!dot) dot = new PositionDot(app.view, 'theirs');
  dot.show(answer.latitude === undefined ? null : {
    latitude: answer.latitude, longitude: answer.longitude, floor: answer.floor || null,
    radius: answer.radiusMetres, state: answer.state,
  });
  if (!centred && answer.latitude !== undefined) centre();
}

async function centre() {
  const answer = seen && seen.answer;
  const view = app.view;
  if (!answer || answer.latitude === undefined || !view || !view.ready) return;
  centred = true;
  view.litOrRouted = true;
  if (answer.floor && answer.floor !== view.floorID) {
    await view.showFloor(answer.floor).catch(() => null);
    go({ floor: answer.floor }, true);
  }
  view.centre([answer.latitude, answer.longitude], Math.max(19, view.leaflet.getZoom()));
}

/** The way to where the person is now; it does not move with them. */
function way() {
  const answer = seen && seen.answer;
  if (!answer || answer.latitude === undefined) return;
  const point = [answer.latitude.toFixed(6), answer.longitude.toFixed(6)];
  if (answer.floor) point.push(answer.floor);
  show({ from: 'here', to: 'point:' + point.join(',') });
}

async function start() {
  app = addPanels({});
  bar = new LiveBar(app.shell, t('looked.title'), 'looking-at');
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) next(0);
  });
  secret = address().shared || '';
  await app.site.known;
  look();
  age();
}

/** The age goes on between two looks. */
function age() {
  if (!address().shared) {
    leave();
    return;
  }
  if (seen && !document.hidden) draw();
  setTimeout(age, AGE_MILLISECONDS);
}

/** The address has no link any more. */
function leave() {
  clearTimeout(timer);
  secret = '';
  seen = null;
  parts = null;
  if (dot) dot.show(null);
  bar.show(null);
}

start().catch(() => null);
