// "A barrier here": two taps, of which the second says its kind. Nothing is written by hand.

import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { say } from './announcing.js';
import { ask, query, sitePath } from './service.js';
import { faultText, waitFor } from './waiting.js';
import { kindName, nameOf, t } from './words.js';
import { metresBetween } from './measuring.js';
import { placeName } from './places.js';
import { present } from './position-store.js';
import { address } from './address.js';

/** The kinds of barrier, and the kinds of connection that each can be on; null for all. */
const KINDS = {
  'lift-out-of-order': ['lift', 'platform-lift'],
  'door-locked': ['door'],
  'way-blocked': null,
  'steps-unusable': ['stairs', 'escalator', 'ramp'],
  'other-barrier': null,
};
const ICONS = {
  'lift-out-of-order': 'lift', 'door-locked': 'lock', 'way-blocked': 'barrier',
  'steps-unusable': 'stairs', 'other-barrier': 'warning',
};
const MOST_CHOICES = 12;

/** Whether a barrier of the kind can be on a connection of this kind. */
export function suits(kind, connection) {
  return !KINDS[kind] || KINDS[kind].indexOf(connection) >= 0;
}

/** The name of a kind of barrier. */
export function barrierName(kind) {
  return t('barrier.kind.' + (kind in KINDS ? kind : 'other-barrier'));
}

/** The icon of a kind of barrier. */
export function barrierIcon(kind) {
  return icon(ICONS[kind] || 'warning');
}

/** The reason of an outage in the reader's language, where it is a kind of barrier. */
export function reasonText(reason) {
  const kind = reason.toLowerCase().replace(/ /g, '-');
  return Object.prototype.hasOwnProperty.call(KINDS, kind) ? barrierName(kind) : reason;
}

/** Reports a barrier; gives the service's answer, or null if somebody cancelled it. */
export function report(app, kind, place) {
  return waitFor('wait.barrier', (signal) => ask(sitePath(app.site.id, 'barriers'), {
    method: 'POST', body: { kind, place }, signal,
  }));
}

/**
 * A button for a barrier at a place. `placeFor(kind)` gives the place as the service reads it; a
 * kiosk has no button, since it stands where it is.
 */
export function barrierButton(app, placeFor) {
  if (address().kiosk) return null;
  const holder = el('div', { class: 'barrier' });
  draw(app, holder, placeFor, false);
  return holder;
}

function draw(app, holder, placeFor, focus) {
  const opener = button([icon('barrier'), el('span', { text: t('barrier.here') })],
    () => choose(app, holder, placeFor), { class: 'link', 'aria-expanded': 'false' });
  show(app, holder, opener);
  if (focus) opener.focus({ preventScroll: true });
}

function show(app, holder, children) {
  fill(holder, children);
  app.shell.laid();
}

/** A question with answers; the keyboard goes to the question. */
function question(app, holder, placeFor, text, rows, more) {
  const title = el('h2', { text, tabindex: '-1' });
  const list = el('ul', { class: 'rows' }, rows.map((row) => el('li', {}, row)));
  show(app, holder, el('section', { class: 'asked', 'aria-label': text }, [
    title, list, more ? el('p', { class: 'quiet', text: more }) : null,
    el('p', { class: 'quiet', text: t('barrier.next') }),
    button(t('cancel'), () => draw(app, holder, placeFor, true), { class: 'link' }),
  ]));
  title.focus({ preventScroll: true });
  if (holder.scrollIntoView) holder.scrollIntoView({ block: 'nearest' });
}

function choose(app, holder, placeFor) {
  question(app, holder, placeFor, t('barrier.which'), Object.keys(KINDS).map((kind) => button(
    [barrierIcon(kind), el('span', { text: barrierName(kind) })],
    () => send(app, holder, placeFor, kind, placeFor(kind)), { class: 'line' },
  )));
}

async function send(app, holder, placeFor, kind, place) {
  let text;
  try {
    const answer = await report(app, kind, place);
    if (!answer) return;
    text = t('barrier.state.' + answer.state);
  } catch (fault) {
    if (fault.code === 'connection-unknown' && place.room) {
      const found = await choices(app, holder, placeFor, kind, place.room).catch(() => null);
      if (found && found.rows.length > 1) {
        question(app, holder, placeFor, t('barrier.one'), found.rows, found.more);
        say([t('barrier.one'), found.more].filter(Boolean).join(' '));
        return;
      }
    }
    text = refusedText(fault);
  }
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

/**
 * The doors of a room, or its lifts, where there are several: those that are nearest to the reader,
 * where the app knows their place, and a text where some are left out.
 */
async function choices(app, holder, placeFor, kind, room) {
  const path = sitePath(app.site.id, 'connections')
    + query({ room, limit: 100, coordinates: 'wgs84' });
  const answer = await ask(path);
  const all = nearestFirst(
    answer.connections.filter((one) => suits(kind, one.kind)), present(), room);
  const found = all.slice(0, MOST_CHOICES);
  const names = await Promise.all(found.map((one) => connectionName(app.site, one, room)));
  const rows = found.map((one, index) => button(
    [barrierIcon(kind), el('span', { text: names[index] })],
    () => send(app, holder, placeFor, kind, { connection: one.id }), { class: 'line' },
  ));
  return { rows, more: all.length > found.length || answer.next ? t('barrier.more') : '' };
}

/** Connections by the distance of their stops in the room; as they are where nobody is found. */
function nearestFirst(connections, reader, room) {
  if (!reader || reader.state === 'lost' || reader.latitude === undefined) return connections;
  const metres = (one) => Math.min.apply(null, one.stops
    .filter((stop) => stop.room === room).map((stop) => metresBetween(reader, stop)));
  return connections.map((one) => ({ one, far: metres(one) }))
    .sort((a, b) => a.far - b.far).map((each) => each.one);
}

/** The name of a connection: its own, or its kind with the rooms that it joins. */
export async function connectionName(site, connection, from) {
  const own = nameOf(connection);
  const rooms = connection.stops.map((stop) => stop.room)
    .filter((room, index, all) => room && room !== from && all.indexOf(room) === index);
  const places = rooms.slice(0, 2).map((id) => (
    placeName(site, { kind: 'room', id }).catch(() => '')));
  const names = (await Promise.all(places)).filter(Boolean);
  return [own || kindName(connection.kind)].concat(names).join(' · ');
}
