// Directions without the service: the kept network is searched in the page.

import { isActive } from './offline-hours.js';
import { OfflineNetwork } from './offline-network.js';
import { metresBetween, routeOf } from './offline-steps.js';
import { cardsAround, roomsOf } from './offline-around.js';
import { keptAnswer, networkPath, outagesPath, provideRoutes } from './offline.js';
import { spokenOf } from './offline-spoken.js';
import { spokenKind } from './offline-touch.js';
import { placeName, placeRecord, readPlace } from './places.js';
import { sitePath } from './service.js';
import { address } from './address.js';
import { currentLanguage, dayOf, t, timeOfDay } from './words.js';

/** The kinds whose places may be stops of connections, as the network names them. */
const STOPS = ['lift', 'platformlift', 'stairs', 'escalator', 'ramp'];
const REACH = { indoors: 30, outdoors: 250 };
let known = null;

/**
 * The answer to a question for a route, as the service would give it, with a `note` on what is not
 * fresh; null where nothing is kept.
 */
async function answer(app, question, kept) {
  const network = await readNetwork(app.site, kept);
  if (!network) return null;
  const from = await endOf(app, network, question.from, 'starts');
  const to = await endOf(app, network, question.to[0], 'ends');
  if (to.rooms.indexOf(from.inRoom) >= 0) from.rooms.push(from.inRoom);
  const outages = await keptAnswer(outagesPath(app.site));
  const since = outages && outages.at ? outages.at : kept.at;
  const wish = {
    from, to, profile: question.profile, limits: question, at: Date.now(),
    avoidsManual: (question.avoid || []).indexOf('manual-doors') >= 0,
    outages: outages ? outages.value.outages : [],
  };
  const today = dayOf(since) === dayOf(Date.now());
  const time = today ? timeOfDay(since) : dayOf(since) + ', ' + timeOfDay(since);
  const found = network.find(wish);
  if (!found) return { found: false, note: whyNot(network, wish, time) };
  addPlace(network, found);
  const target = readPlace(address().to);
  const name = target ? await placeName(app.site, target).catch(() => '') : '';
  const names = {
    site: app.site, to: name || t('place.point'), from: await startName(app.site, question.from),
  };
  const route = routeOf(network, found, wish, names);
  const end = roomAtEnd(network, to, found);
  const inside = end && network.passages[end.endPassage];
  if (inside && !network.isOpen(inside, wish.at + found.seconds * 1000)) {
    route.shutEnd = { room: end.id, text: names.to + ': ' + t('hours.closed') };
  } else {
    const room = end || network.rooms[found.room];
    if (isOut(network, room, wish)) {
      route.shutEnd = { room: room.id, text: names.to + ': ' + t('outage.here') };
    }
  }
  if (question.wording === 'spoken') {
    route.spoken = await spokenSteps(app.site, network, route, found, { from, to, names });
  }
  return { found: true, note: t('offline.lifts', { time }), routes: [route] };
}

/** The name of a start that was asked for by a name of its own; empty for a room or a point. */
async function startName(site, place) {
  const kind = Object.keys(place)[0];
  if (['location', 'directory', 'zone'].indexOf(kind) < 0) return '';
  return placeName(site, { kind, id: place[kind] }).catch(() => '');
}

/** The room to which a found way leads, by one of its doors; undefined for other ends. */
function roomAtEnd(network, to, found) {
  return to.rooms.map((index) => network.rooms[index])
    .find((room) => (room.ends || []).concat(room.endsNear || []).indexOf(found.end) >= 0);
}

/** Whether a room is that of lifts or the like which are all out of order. */
function isOut(network, room, wish) {
  const arcs = [];
  ((room && room.stops) || []).forEach((node) => {
    STOPS.forEach((kind) => arcs.push(...network.arcsInto(node, kind)));
  });
  const ids = new Set(arcs.map((arc) => network.passages[network.arcPassages[arc]].id));
  return ids.size > 0 && Array.from(ids).every((id) => wish.outages.some((one) => (
    one.connection === id && isActive(one, wish.at))));
}

/** The steps by ear, with the names and outlines of the rooms on the way. */
async function spokenSteps(site, network, route, found, ends) {
  const rooms = Array.from(new Set(route.legs.map((leg) => leg.room).filter(Boolean)));
  const target = roomAtEnd(network, ends.to, found);
  if (target && rooms.indexOf(target.id) < 0) rooms.push(target.id);
  const told = await Promise.all(rooms.map((id) => (
    placeRecord(site, { kind: 'room', id }).then(signName).catch(() => ''))));
  const floors = Array.from(new Set(route.legs.map((leg) => leg.startFloor).filter(Boolean)));
  const maps = await Promise.all(floors.map((floor) => keptRooms(site, floor)));
  const single = (id) => network.roomIndex.has(id)
    && (network.rooms[network.roomIndex.get(id)].ends || []).length === 1
    && !network.rooms[network.roomIndex.get(id)].unseenOpenings;
  const first = route.legs[0];
  const numbers = rooms.filter((id) => network.roomIndex.has(id))
    .map((id) => [id, network.roomIndex.get(id)]);
  return spokenOf(site, route, {
    names: new Map(rooms.map((id, index) => [id, told[index]])),
    kinds: new Map(numbers.map((one) => [one[0], spokenKind(network, one[1])])),
    records: new Map(numbers.map((one) => [one[0], network.rooms[one[1]]])),
    outlines: new Map([].concat(...maps).map((room) => [room.id, room.outline])),
    isSingle: single, room: target ? target.id : null, to: ends.names.to,
    from: ends.names.from || (first && first.room ? told[rooms.indexOf(first.room)] : ''),
    isNear: found.endsNear, point: found.point, floor: found.floor,
  });
}

/** The name of a room as its sign has it, which may be its id; empty if a program made it up. */
function signName(record) {
  const name = (record.names && record.names[currentLanguage()]) || record.name || '';
  const isMade = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name)
    || (name === record.id && /^[nwr]\d{4}/.test(name));
  return isMade ? '' : name;
}

/** The rooms of a floor by its kept map, in the language that it was kept in. */
async function keptRooms(site, floor) {
  const map = await keptAnswer(sitePath(site.id, 'floors', floor, 'map'), { ignoreSearch: true });
  return map ? roomsOf(map.value) : [];
}

/** The rooms around a place, with their names in the reader's language; null if none are kept. */
async function around(site, place, options) {
  const rooms = await keptRooms(site, place.floor);
  if (!rooms.length) return null;
  const cards = cardsAround(rooms, place, options);
  await Promise.all(cards.map(async (card) => {
    card.name = await placeName(site, { kind: 'room', id: card.room }).catch(() => card.name);
  }));
  return cards;
}

/** Where one is already: the middle of the room, for a way without steps. */
function addPlace(network, found) {
  const room = network.rooms[found.room];
  const node = room ? room.starts.concat(room.ends)[0] : found.end;
  const place = node === undefined ? 0 : node;
  found.point = [network.longitudes[place] / 1e7, network.latitudes[place] / 1e7];
  const floor = network.nodeFloors[place];
  found.floor = floor < 0 ? null : network.floors[floor];
}

function whyNot(network, wish, time) {
  const without = network.find(Object.assign({}, wish, { outages: [] }));
  return without ? t('offline.out', { time }) : t('offline.noWay');
}

async function readNetwork(site, kept) {
  const path = networkPath(site, kept.building);
  if (known && known.path === path && known.at === kept.at) return known.network;
  const held = await keptAnswer(path);
  if (!held || !held.value.arcs) return null;
  known = { path, at: kept.at, network: new OfflineNetwork(held.value) };
  return known.network;
}

/** The rooms and nodes of an end of the question. */
async function endOf(app, network, place, side) {
  if (place.latitude !== undefined) return pointEnd(app, network, place, side);
  const kind = Object.keys(place)[0];
  const id = place[kind];
  if (kind === 'room' && network.roomIndex.has(id)) {
    return { rooms: [network.roomIndex.get(id)], nodes: [] };
  }
  if (kind === 'entrance') return { rooms: [], nodes: entrances(network) };
  const held = network.places[kind + ':' + id] || {};
  const stopOf = kind === 'kind' && STOPS.indexOf(id) >= 0 ? id : undefined;
  const nodes = (held.nodes || []).map((node) => ({ node, stopOf }));
  return { rooms: held.rooms || [], nodes, stopOf };
}

/** The inner ends of all ways that lead in. */
function entrances(network) {
  const nodes = new Set();
  network.tails.forEach((tail, arc) => {
    const ends = [tail, network.heads[arc]];
    const inside = ends.filter((node) => network.nodeFloors[node] >= 0);
    if (inside.length === 1) nodes.add(inside[0]);
  });
  return Array.from(nodes).map((node) => ({ node }));
}

/** A point: the doors of its room, else what is nearest. */
async function pointEnd(app, network, place, side) {
  const point = [place.longitude, place.latitude];
  const floors = app.site.floors.filter((floor) => floor.level === place.level);
  for (let i = 0; place.level !== undefined && i < floors.length; i += 1) {
    const map = app.view && await app.view.readFloor(floors[i].id).catch(() => null);
    const area = map && map.areaAt(place.latitude, place.longitude);
    const inRoom = area ? network.roomIndex.get(area.id) : undefined;
    const room = network.rooms[inRoom];
    if (room && room.ends.length) {
      // A part of a hall has no doors: its middle takes their place.
      const doors = room.endPassage === undefined ? room.ends : room[side];
      const nodes = doors.map((node) => nodeAt(network, node, point));
      return { rooms: [], nodes, inRoom, point };
    }
  }
  const levels = floors.map((floor) => network.floors.indexOf(floor.id));
  const wanted = place.level === undefined ? [-1] : levels;
  const reach = place.level === undefined ? REACH.outdoors : REACH.indoors;
  let best = null;
  network.nodeFloors.forEach((floor, node) => {
    if (wanted.indexOf(floor) < 0 || !network.isOnWay(node)) return;
    const one = nodeAt(network, node, point);
    if (one.metres <= reach && (!best || one.metres < best.metres)) best = one;
  });
  return { rooms: [], nodes: best ? [best] : [], point };
}

function nodeAt(network, node, point) {
  const there = [network.longitudes[node] / 1e7, network.latitudes[node] / 1e7];
  return { node, metres: metresBetween(point, there) };
}

provideRoutes({ route: answer, around });
