// The card of a room, an entry of the directory, a building or a point.

import { address, go, show } from './address.js';
import { barrierButton, groundOfPoint, groundOfRoom } from './barrier-here.js';
import { sayAfter } from './announcing.js';
import { button, el, fill } from './elements.js';
import { floorLine, buildingName, floorName, fromTheTop } from './floors.js';
import { icon } from './icons.js';
import { openingHours } from './opening-hours.js';
import { outagesOfRoom } from './outages.js';
import { placeName, placeRecord, placeText, readPlace, rememberName } from './places.js';
import { timetable } from './timetable.js';
import { computers } from './computers.js';
import { shareButton } from './sharing.js';
import { ask, Fault, query, sitePath } from './service.js';
import { waitFor } from './waiting.js';
import { kindName, nameOf, t } from './words.js';
import { copyButton } from './copying.js';
import { hereButton } from './positions.js';

const MOST_PLACES = 12;
const PIN_ZOOM = 19;
const KINDS = { room: 'room', entry: 'directory', building: 'building' };

/** Shows the card of what the address names. */
export async function showCard(app, focus) {
  const now = address();
  const member = ['room', 'entry', 'building', 'point'].find((name) => now[name]);
  const place = member === 'point' ? readPlace(now.point)
    : { kind: KINDS[member], id: now[member] };
  if (!place) {
    app.shell.failed(new Fault(404), null);
    return;
  }
  if (place.kind === 'point') {
    pointCard(app, place, now, focus);
    return;
  }
  app.shell.waiting(t('wait.place'));
  try {
    const record = await waitFor('wait.place', () => placeRecord(app.site, place));
    if (!record || address()[member] !== now[member]) return;
    rememberName(place.kind, place.id, nameOf(record));
    await draw(app, place, record, focus);
  } catch (fault) {
    if (address()[member] === now[member]) app.shell.failed(fault, () => showCard(app, focus));
  }
}

async function draw(app, place, record, focus) {
  const title = nameOf(record) || kindName(record.kind || place.kind);
  app.box.setText(title);
  if (place.kind === 'room') await roomCard(app, place, record, title, focus);
  else if (place.kind === 'building') buildingCard(app, place, record, title, focus);
  else if (place.kind === 'directory') await entryCard(app, place, record, title, focus);
  else otherCard(app, place, record, title, focus);
}

/** Directions to a place and from it: the same on every card. */
export function cardActions(app, text) {
  const start = address().kiosk || 'here';
  return el('div', { class: 'actions' }, [
    button([icon('way'), el('span', { text: t('card.to') })], () => go({
      to: text, from: start === text ? null : start, panel: null,
    }), { class: 'primary' }),
    button([icon('here'), el('span', { text: t('card.from') })], () => go({
      from: text, to: null,
    }), { class: 'secondary' }),
  ]);
}

function facts(rows) {
  const shown = rows.filter((row) => row && row[1]);
  if (!shown.length) return null;
  return el('ul', { class: 'facts' }, shown.map((row) => el('li', {}, [icon(row[0]), row[1]])));
}

function textLine(text) {
  return text ? el('span', { text }) : null;
}

async function roomCard(app, place, room, title, focus) {
  const line = [kindName(room.kind), floorLine(app.site, room.floor)].filter(Boolean).join(' · ');
  const more = el('div', { class: 'more' });
  const out = el('div');
  let closed = [];
  const barrier = barrierButton(app, () => groundOfRoom(app.site, place.id, closed));
  app.shell.set([
    app.shell.head(title, () => show({}), line, shareButton(title, place.id)), out,
    cardActions(app, place.id),
    facts([
      ['lock', room.restricted ? textLine(t('card.restricted')) : null],
      ['wheels', accessText(room)],
      ['clock', openingHours(room.openingHours, app.site.timeZone(room.floor))],
    ]),
    more,
    hereButton(app, placeText('room', place.id)),
    barrier,
  ], focus);
  lightRoom(app, room);
  outagesOfRoom(app.site, room).then((found) => {
    closed = found.closed;
    if (found.text) tellOutages(app, found, out, barrier);
  }, () => null);
  const extras = await Promise.all([
    entriesIn(app, place.id, title), computers(app.site, room), timetable(app.site, room),
  ].map((one) => one.catch(() => null)));
  extras.filter(Boolean).forEach((child) => more.appendChild(child));
  app.shell.laid();
}

/** Says what is out of order. Where nothing else is left, there is no barrier to report. */
function tellOutages(app, found, holder, barrier) {
  fill(holder, el('p', { class: 'news' }, [icon('warning'), el('span', { text: found.text })]));
  if (barrier && found.all) fill(barrier, null);
  app.shell.laid();
  sayAfter(found.text, () => document.body.contains(holder));
}

function accessText(record) {
  if (record.accessible === 'yes') return textLine(t('card.accessible'));
  if (record.accessible === 'no') return textLine(t('card.inaccessible'));
  return null;
}

/** Shows a room on the map: its floor first. */
export async function lightRoom(app, room) {
  const view = app.view;
  if (!view) return;
  view.litOrRouted = true;
  await lightFloor(app, room.floor);
  const shown = address().room || address().to;
  if (shown && shown !== room.id && address().entry === undefined) return;
  if (!view.light('area/' + room.id, true) && room.outline) lookAtOutline(view, room.outline);
}

async function lightFloor(app, floor) {
  if (!floor || app.view.floorID === floor) return;
  await app.view.showFloor(floor).catch(() => null);
  go({ floor }, true);
}

function lookAtOutline(view, outline) {
  const points = outline.map((corner) => [corner.latitude, corner.longitude]);
  if (points.length) view.fit(points, true, 20);
}

async function entriesIn(app, room, title) {
  const answer = await ask(sitePath(app.site.id, 'directory') + query({ room, limit: 20 }));
  const entries = answer.directory.filter((entry) => (
    nameOf(entry) !== title || entry.website || entry.telephone || entry.openingHours));
  if (!entries.length) return null;
  return el('section', {}, [
    el('h2', { text: t('card.here') }),
    el('ul', { class: 'rows' }, entries.map((entry) => el('li', {}, [
      button([
        icon('directory'),
        el('span', {}, [
          el('strong', { text: nameOf(entry) || kindName(entry.kind) }),
          el('small', { text: kindName(entry.kind) }),
        ]),
      ], () => show({ entry: entry.id }), { class: 'line' }),
    ]))),
  ]);
}

/** A link that is a web address or a telephone number, and nothing else. */
function outside(text, scheme) {
  if (!text) return null;
  if (scheme === 'tel') {
    const digits = text.replace(/[^\d+]/g, '');
    return digits ? el('a', { href: 'tel:' + digits, text }) : textLine(text);
  }
  if (!/^https?:\/\//i.test(text)) return null;
  const shown = text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
  return el('a', { href: text, rel: 'noopener noreferrer', target: '_blank', text: shown });
}

async function entryCard(app, place, entry, title, focus) {
  const text = placeText('directory', place.id);
  const where = el('ul', { class: 'rows' });
  const more = el('div');
  app.shell.set([
    app.shell.head(title, () => show({}), kindName(entry.kind), shareButton(title, text)), where,
    cardActions(app, text), more,
  ], focus);
  const tellFacts = (hours, floor) => fill(more, facts([
    ['clock', openingHours(hours, app.site.timeZone(floor))],
    ['website', outside(entry.website, 'http')],
    ['telephone', outside(entry.telephone, 'tel')],
  ]));
  tellFacts(entry.openingHours, null);
  const isShown = () => address().entry === entry.id && document.body.contains(where);
  const references = (entry.places || []).slice(0, MOST_PLACES);
  const places = await Promise.all(references.map((one) => placeOf(app.site, one)));
  if (!isShown()) return;
  const shown = places.filter(Boolean);
  // Without hours of its own it has those of its only room.
  if (!entry.openingHours && shown.length === 1) {
    tellFacts(shown[0].record.openingHours, shown[0].floor);
  }
  const lines = shown.map((one) => placeRow(app, one, where));
  // The names of buildings may come later.
  app.site.named.then(() => lines.forEach((write) => write()));
  app.shell.laid();
  if (shown.length) lightPlace(app, shown[0], isShown);
}

/** A place of an entry with its record; null for one that the reader may not see. */
async function placeOf(site, reference) {
  const kind = Object.keys(reference)[0];
  const place = { kind, id: reference[kind] };
  try {
    const record = await placeRecord(site, place);
    const floor = kind === 'floor' ? record.id : record.floor || await floorOfRooms(site, record);
    const named = nameOf(record) || kind !== 'location';
    const name = named ? await placeName(site, place) : '';
    return Object.assign(place, { record, floor, name: name || await nameOfRoom(site, record) });
  } catch (fault) {
    return null;
  }
}

/** The room around a location without a name. */
async function nameOfRoom(site, record) {
  return record.room ? placeName(site, { kind: 'room', id: record.room }) : '';
}

/** The floor of a zone that is made of rooms. */
async function floorOfRooms(site, zone) {
  const id = (zone.rooms || [])[0];
  return id ? (await placeRecord(site, { kind: 'room', id })).floor : '';
}

/** A row of where an entry is: the place, its floor and building. Gives what writes the line. */
function placeRow(app, place, list) {
  const { kind, id, record } = place;
  const members = { room: { room: id }, building: { building: id } };
  const target = members[kind] || { point: placeText(kind, id) };
  const name = el('strong');
  const line = el('small');
  const write = () => {
    const text = kind === 'building' ? record.address : floorLine(app.site, place.floor);
    // A place without a name is called by its floor, or else by its kind.
    name.textContent = place.name || text || kindName(record.kind || kind);
    line.textContent = text && text !== name.textContent ? text : '';
  };
  write();
  list.appendChild(el('li', {}, button([
    icon('here'), el('span', {}, [name, line]),
  ], () => show(target), { class: 'line' })));
  return write;
}

/** Shows a place on the map: its floor, and there the room, the building or the point. */
async function lightPlace(app, place, isShown) {
  const view = app.view;
  if (!view) return;
  const { kind, record } = place;
  if (kind === 'room') lightRoom(app, record);
  else if (kind === 'building') lightBuilding(view, place.id, record);
  else {
    view.light('');
    view.litOrRouted = true;
    await lightFloor(app, place.floor);
    if (!isShown()) return;
    if (typeof record.latitude === 'number') pinAt(app, [record.latitude, record.longitude]);
    else if (record.outline && record.outline.length) lookAtOutline(view, record.outline);
    else view.fitAll(true);
  }
}

function pinAt(app, at) {
  app.view.pin(at);
  app.leave = () => app.view.pin(null);
  app.view.centre(at, PIN_ZOOM);
}

/** Shows a building. Where its part of the map is not there yet, its outline says where it is. */
function lightBuilding(view, id, building) {
  if (!view) return;
  view.litOrRouted = true;
  if (view.light('building/' + id, true)) return;
  if (building && building.outline) lookAtOutline(view, building.outline);
  else view.pending = 'building/' + id;
}

function buildingCard(app, place, building, title, focus) {
  const floors = fromTheTop(app.site.floorsOf(place.id));
  const rows = floors.map((floor) => el('li', {}, button([
    icon('building'), el('span', { text: floorName(floor) }),
  ], () => go({ floor: floor.id }), { class: 'line' })));
  const text = placeText('building', place.id);
  const line = buildingName(building) === title ? building.address : '';
  app.shell.set([
    app.shell.head(title, () => show({}), line, shareButton(title, text)),
    cardActions(app, text),
    rows.length ? el('section', {}, [el('h2', { text: t('floors') }),
      el('ul', { class: 'rows' }, rows)]) : null,
  ], focus);
  lightBuilding(app.view, place.id, building);
}

function otherCard(app, place, record, title, focus) {
  const floor = place.kind === 'floor' ? record.id : record.floor;
  const line = floorLine(app.site, floor) || kindName(record.kind);
  app.shell.set([
    app.shell.head(title, () => show({}), line === title ? '' : line),
    cardActions(app, placeText(place.kind, place.id)),
  ], focus);
  const text = placeText(place.kind, place.id);
  lightPlace(app, Object.assign({ record, floor }, place), () => address().point === text);
}

/** A point as the service reads it; without a floor it lies outdoors. */
function pointQuestion(place) {
  const point = { latitude: place.latitude, longitude: place.longitude };
  return place.floor ? Object.assign(point, { floor: place.floor }) : point;
}

function pointCard(app, place, now, focus) {
  const numbers = place.latitude.toFixed(6) + ', ' + place.longitude.toFixed(6);
  app.box.setText('');
  const title = t('place.point');
  const line = floorLine(app.site, place.floor);
  app.shell.set([
    app.shell.head(title, () => show({}), line, shareButton(title, now.point)),
    el('p', { class: 'coordinates' }, [el('code', { text: numbers }), copyButton(numbers)]),
    cardActions(app, now.point),
    hereButton(app, now.point),
    barrierButton(app, () => groundOfPoint(app.site, pointQuestion(place))),
  ], focus);
  if (app.view) {
    app.view.light('');
    app.view.pin([place.latitude, place.longitude]);
    app.leave = () => app.view.pin(null);
  }
}

