// "A barrier here": two taps, of which the second says its kind. Nothing is written by hand.

import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { say } from './announcing.js';
import { ask, sitePath } from './service.js';
import { allKinds, kindsAt, suits } from './barrier-ways.js';
import {
  connectionLine, connectionName, connectionsOfFloor, connectionsOfRoom,
} from './connections.js';
import { faultText, waitFor } from './waiting.js';
import { t } from './words.js';
import { metresBetween } from './measuring.js';
import { present } from './position-store.js';
import { address } from './address.js';

const ICONS = {
  'lift-out-of-order': 'lift', 'door-locked': 'lock', 'way-blocked': 'barrier',
  'steps-unusable': 'stairs', 'other-barrier': 'warning',
};
const MOST_CHOICES = 12;
/** As far from a point the service looks for a connection. */
const REACH_METRES = 15;

/** The name of a kind of barrier. */
export function barrierName(kind) {
  return t('barrier.kind.' + (kind in ICONS ? kind : 'other-barrier'));
}

/** The icon of a kind of barrier. */
export function barrierIcon(kind) {
  return icon(ICONS[kind] || 'warning');
}

function kindOfReason(reason) {
  return reason.toLowerCase().replace(/ /g, '-');
}

/** Whether the reason of an outage is a kind of barrier. */
export function isBarrier(reason) {
  return allKinds.indexOf(kindOfReason(reason)) >= 0;
}

/** The reason of an outage in the reader's language, where it is a kind of barrier. */
export function reasonText(reason) {
  return isBarrier(reason) ? barrierName(kindOfReason(reason)) : reason;
}

/** Reports a barrier; gives the service's answer, or null if somebody cancelled it. */
export function report(app, kind, place) {
  return waitFor('wait.barrier', (signal) => ask(sitePath(app.site.id, 'barriers'), {
    method: 'POST', body: { kind, place }, signal,
  }));
}

// What can be reported: `kinds` to offer, `choices(kind)` of connections with `name()`, and the
// `place` where there are none; null for nothing.

/** What can be reported of a room: its doors, its lifts, its stairs, without the `closed` ones. */
export async function groundOfRoom(site, room, closed) {
  const place = { room };
  const answer = await connectionsOfRoom(site, room).catch(() => null);
  if (!answer) return { kinds: allKinds, choices: () => [], place };
  const open = answer.connections.filter((one) => closed.indexOf(one.id) < 0);
  const all = nearestFirst(open, present(), room).map((one) => ({
    id: one.id, kind: one.kind, name: () => connectionName(site, one, room),
  }));
  return {
    kinds: kindsAt(all), more: answer.more, place,
    choices: (kind) => all.filter((one) => suits(kind, one.kind)),
  };
}

/** What can be reported at a point: what is within reach. Outdoors the app does not know it. */
export async function groundOfPoint(site, place) {
  const all = place.floor ? await connectionsOfFloor(site, place.floor).catch(() => null) : null;
  const far = (one) => Math.min.apply(null, one.stops
    .filter((stop) => stop.floor === place.floor).map((stop) => metresBetween(place, stop)));
  const kinds = all ? kindsAt(all.filter((one) => far(one) <= REACH_METRES)) : allKinds;
  return { kinds, choices: () => [], place };
}

/** What can be reported on a way: the first connection ahead that fits, and nothing beside it. */
export function groundOfWay(site, ahead) {
  const all = ahead.map((one) => ({
    id: one.id, kind: one.kind, name: () => connectionLine(site, one.id),
  }));
  return {
    kinds: kindsAt(all), place: null,
    choices: (kind) => all.filter((one) => suits(kind, one.kind)).slice(0, 1),
  };
}

/** Connections by the distance of their stops in the room; as they are where nobody is found. */
function nearestFirst(connections, reader, room) {
  if (!reader || reader.state === 'lost' || reader.latitude === undefined) return connections;
  const metres = (one) => Math.min.apply(null, one.stops
    .filter((stop) => stop.room === room).map((stop) => metresBetween(reader, stop)));
  return connections.map((one) => ({ one, far: metres(one) }))
    .sort((a, b) => a.far - b.far).map((each) => each.one);
}

/**
 * A button for a barrier. `find()` gives what can be reported; a kiosk has no button, since it
 * stands where it is.
 */
export function barrierButton(app, find) {
  if (address().kiosk) return null;
  const holder = el('div', { class: 'barrier' });
  draw(app, holder, find, false);
  return holder;
}

function draw(app, holder, find, focus) {
  const opener = button([icon('barrier'), el('span', { text: t('barrier.here') })],
    () => choose(app, holder, find), { class: 'link', 'aria-expanded': 'false' });
  show(app, holder, opener);
  if (focus) opener.focus({ preventScroll: true });
}

function show(app, holder, children) {
  fill(holder, children);
  app.shell.laid();
}

/** A question with answers; the keyboard goes to the question. */
function question(app, holder, find, text, rows, more) {
  const title = el('h2', { text, tabindex: '-1' });
  const list = el('ul', { class: 'rows' }, rows.map((row) => el('li', {}, row)));
  show(app, holder, el('section', { class: 'asked', 'aria-label': text }, [
    title, list, more ? el('p', { class: 'quiet', text: more }) : null,
    el('p', { class: 'quiet', text: t('barrier.next') }),
    button(t('cancel'), () => draw(app, holder, find, true), { class: 'link' }),
  ]));
  title.focus({ preventScroll: true });
  if (holder.scrollIntoView) holder.scrollIntoView({ block: 'nearest' });
}

/** A row with a kind or a connection, and a line below it. */
function line(kind, text, small, action) {
  const words = small ? [el('strong', { text }), el('small', { text: small })] : text;
  return button([barrierIcon(kind), el('span', {}, words)], action, { class: 'line' });
}

async function choose(app, holder, find) {
  const found = await waitFor('wait.place', async () => {
    const ground = await find();
    const names = await Promise.all(ground.kinds.map((kind) => {
      const choices = ground.choices(kind);
      return choices.length === 1 ? choices[0].name().catch(() => '') : '';
    }));
    return { ground, names };
  });
  if (!found) return;
  const { ground, names } = found;
  question(app, holder, find, t('barrier.which'), ground.kinds.map((kind, index) => (
    line(kind, barrierName(kind), names[index],
      () => take(app, holder, find, ground, kind, names[index])))));
}

/** The kind is chosen: it is reported, or which one of several is asked. */
async function take(app, holder, find, ground, kind, name) {
  const choices = ground.choices(kind);
  if (choices.length > 1) {
    await which(app, holder, find, ground, kind, choices);
    return;
  }
  const place = choices.length ? { connection: choices[0].id } : ground.place;
  if (place) await send(app, holder, kind, place, name);
  else tell(app, holder, t('barrier.nothing'));
}

/** The doors of a room, or its lifts, where there are several: the nearest of them. */
async function which(app, holder, find, ground, kind, choices) {
  const shown = choices.slice(0, MOST_CHOICES);
  const names = await Promise.all(shown.map((one) => one.name()));
  const rows = shown.map((one, index) => line(kind, names[index], '',
    () => send(app, holder, kind, { connection: one.id }, names[index])));
  const more = choices.length > shown.length || ground.more ? t('barrier.more') : '';
  question(app, holder, find, t('barrier.one'), rows, more);
  say([t('barrier.one'), more].filter(Boolean).join(' '));
}

async function send(app, holder, kind, place, name) {
  let text;
  try {
    const answer = await report(app, kind, place);
    if (!answer) return;
    const what = name ? barrierName(kind) + ' · ' + name + '. ' : '';
    text = what + t('barrier.state.' + answer.state);
  } catch (fault) {
    text = refusedText(fault);
  }
  tell(app, holder, text);
}

function tell(app, holder, text) {
  const told = el('p', { class: 'news', tabindex: '-1' }, [icon('barrier'), el('span', { text })]);
  show(app, holder, told);
  told.focus({ preventScroll: true });
  say(text);
}

/** Why a report was not accepted. */
export function refusedText(fault) {
  if (fault.code === 'connection-unknown') return t('barrier.nothing');
  if (fault.code === 'too-many-outages') return t('barrier.full');
  if (fault.code === 'quota-exceeded') return t('barrier.quota');
  return faultText(fault);
}
