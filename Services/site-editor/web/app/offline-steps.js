// A way that the page found itself, in the form of the service's answer: legs, lines and steps.

import { floorLine } from './floors.js';
import {
  bearing, metresBetween as placesApart, nearestOn, placeOf, turnBetween,
} from './measuring.js';
import { distance, t } from './words.js';

const UNIT = 1e7;
const BESIDE_METRES = 1.2;
const TURN_DEGREES = 38;
const AROUND_DEGREES = 150;
const SHORT_METRES = 2;
const LANDING_METRES = 8;

/** The route of a found way. `names.to` is the destination's name. */
export function routeOf(network, found, wish, names) {
  const legs = legsOf(network, found);
  const level = (id) => (names.site.floorOf(id) || { ordinal: 0 }).ordinal;
  legs.forEach((leg) => { leg.rises = level(leg.endFloor) >= level(leg.startFloor); });
  if (wish.from.point) legs.unshift(approach(network, found.start, wish.from.point, found.before));
  if (wish.to.point) legs.push(turned(approach(network, found.end, wish.to.point, found.after)));
  return {
    distanceMetres: legs.reduce((sum, leg) => sum + leg.distanceMetres, 0),
    seconds: found.seconds, legs, unknownFacts: [],
    arriveAt: new Date(wish.at + found.seconds * 1000).toISOString(),
    costMilliseconds: found.cost,
    instructions: instructionsOf(network, found, legs, names),
  };
}

function nodePoint(network, node) {
  return [network.longitudes[node] / UNIT, network.latitudes[node] / UNIT];
}

function floorOf(network, node) {
  const floor = network.nodeFloors[node];
  return floor < 0 ? null : network.floors[floor];
}

/** The points of a step, bends included; at the place it begins and at the one it ends. */
function pointsOf(network, step) {
  const arc = step >> 1;
  const points = [nodePoint(network, network.tails[arc])];
  const bends = network.bends.get(arc) || [];
  let latitude = network.latitudes[network.tails[arc]];
  let longitude = network.longitudes[network.tails[arc]];
  for (let i = 1; i < bends.length; i += 2) {
    latitude += bends[i];
    longitude += bends[i + 1];
    points.push([longitude / UNIT, latitude / UNIT]);
  }
  points.push(nodePoint(network, network.heads[arc]));
  return step % 2 ? points.reverse() : points;
}

/** The straight line from a point to a node. */
function approach(network, node, point, seconds) {
  const floor = floorOf(network, node);
  const there = nodePoint(network, node);
  return {
    kind: 'approach', startFloor: floor, endFloor: floor, seconds,
    distanceMetres: metresBetween(point, there), paths: [{ floor, wgs84: [point, there] }],
  };
}

function turned(leg) {
  leg.paths[0].wgs84.reverse();
  return leg;
}

/** The steps of one passage in a row become one leg. */
function legsOf(network, found) {
  const legs = [];
  found.steps.forEach((step, index) => {
    const arc = step >> 1;
    const passage = network.passages[network.arcPassages[arc]];
    const start = floorOf(network, step % 2 ? network.heads[arc] : network.tails[arc]);
    const end = floorOf(network, network.headOf(step));
    let leg = legs[legs.length - 1];
    if (!leg || leg.passage !== passage) {
      leg = {
        passage, kind: passage.kind, startFloor: start, distanceMetres: 0, seconds: 0, paths: [],
        startNode: step % 2 ? network.heads[arc] : network.tails[arc],
      };
      if (passage.kind === 'room') leg.room = passage.id;
      else if (passage.id) leg.connection = passage.id;
      // A walk that does not leave a room.
      if (passage.room !== undefined) leg.room = network.rooms[passage.room].id;
      legs.push(leg);
    }
    leg.endFloor = end;
    leg.endNode = network.headOf(step);
    leg.distanceMetres += network.centimetres[arc] / 100;
    leg.seconds += found.times[index];
    addPath(leg, start, pointsOf(network, step));
    if (end !== start) addPath(leg, end, [nodePoint(network, network.headOf(step))]);
  });
  return legs;
}

function addPath(leg, floor, points) {
  const last = leg.paths[leg.paths.length - 1];
  if (last && last.floor === floor) last.wgs84.push(...points);
  else leg.paths.push({ floor, wgs84: points.slice() });
}

// Steps

function instructionsOf(network, found, legs, names) {
  const steps = [];
  let walk = [];
  let floor = legs.length ? legs[0].startFloor : found.floor || null;
  const walked = () => {
    addWalk(steps, walk, floor);
    walk = [];
  };
  climbsOf(legs).forEach((leg) => {
    if (leg.startFloor === leg.endFloor) {
      leg.paths.forEach((path) => walk.push(...path.wgs84));
      return;
    }
    const first = leg.paths[0].wgs84;
    walk.push(first[0]);
    walked();
    steps.push(stepAt(first[0], leg.startFloor, changeOf(names.site, leg)));
    floor = leg.endFloor;
    const last = leg.paths[leg.paths.length - 1].wgs84;
    walk.push(last[last.length - 1]);
  });
  const goal = walk[walk.length - 1] || found.point;
  walked();
  if (found.startsNear && steps.length) {
    steps[0].text = t('offline.step.startsNear') + ' ' + steps[0].text;
  }
  steps.push(stepAt(goal, floor, {
    action: 'arrive', text: t(found.endsNear ? 'offline.step.near' : 'offline.step.arrive', {
      place: names.to,
    }),
  }));
  return steps;
}

/** A way out or in that changes nothing but the floor's name. */
function isThreshold(leg) {
  return leg.startFloor !== leg.endFloor && (leg.kind === 'door' || leg.kind === 'walk');
}

/**
 * Flights of stairs with a landing between them are told as one, and a way out and in again at once
 * is not told.
 */
function climbsOf(legs) {
  const told = [];
  let since = [];
  legs.forEach((leg) => {
    const last = told[told.length - 1];
    const between = since.reduce((sum, one) => sum + one.distanceMetres, 0);
    if (leg.startFloor === leg.endFloor) since.push(leg);
    else if (last && isThreshold(last) && isThreshold(leg) && last.startFloor === leg.endFloor
      && between < SHORT_METRES) {
      told.pop();
      since = [];
    } else if (last && last.kind === leg.kind && leg.kind === 'stairs' && between < LANDING_METRES
      && last.rises === leg.rises) {
      last.endFloor = leg.endFloor;
      last.paths = last.paths.concat(leg.paths);
      since = [];
    } else {
      told.push(...since, Object.assign({}, leg));
      since = [];
    }
  });
  return told.concat(since);
}

function stepAt(point, floor, members) {
  return Object.assign({ floor, latitude: point[1], longitude: point[0] }, members);
}

/** What changes the floor, or leads out or in. */
function changeOf(site, leg) {
  const before = site.floorOf(leg.startFloor);
  const after = site.floorOf(leg.endFloor);
  const floor = after ? floorLine(site, after.id) : t('outdoors');
  if (leg.kind === 'door' || leg.kind === 'walk') {
    if (!after) return { action: 'leave', text: t('offline.step.out') };
    if (!before) return { action: 'enter', text: t('offline.step.in', { floor }) };
    return { action: 'walk', text: t('offline.step.way', { floor }) };
  }
  const words = {
    lift: 'offline.step.lift', 'platform-lift': 'offline.step.platformLift',
    escalator: 'offline.step.escalator', ramp: 'offline.step.ramp',
    stairs: leg.rises ? 'offline.step.stairsUp' : 'offline.step.stairsDown',
  };
  return { action: leg.kind, text: t(words[leg.kind] || 'offline.step.way', { floor }) };
}

/** A walk on one floor: one step at its beginning, and one at each turn. */
function addWalk(steps, points, floor) {
  const line = straightened(points);
  if (line.length < 2) return;
  let from = line[0];
  let turn = '';
  let metres = metresBetween(line[0], line[1]);
  for (let i = 1; i < line.length; i += 1) {
    const next = line[i + 1];
    const angle = next ? turnAt(line[i - 1], line[i], next) : 0;
    if (next && Math.abs(angle) < TURN_DEGREES) {
      metres += metresBetween(line[i], next);
    } else {
      if (metres >= SHORT_METRES || turn) steps.push(walkStep(from, floor, turn, metres));
      if (!next) return;
      from = line[i];
      turn = Math.abs(angle) > AROUND_DEGREES ? 'around' : angle > 0 ? 'right' : 'left';
      metres = metresBetween(line[i], next);
    }
  }
}

function walkStep(point, floor, turn, metres) {
  const text = t('offline.step.' + (turn || 'head'), { distance: distance(metres) });
  const members = turn ? { action: 'turn', turn, text } : { action: 'head', text };
  return stepAt(point, floor, members);
}

export function metresBetween(from, to) {
  return placesApart(placeOf(from), placeOf(to));
}

/** Degrees to the right. */
export function turnAt(before, here, after) {
  const [first, second, third] = [before, here, after].map(placeOf);
  return turnBetween(bearing(first, second), bearing(second, third));
}

/** The line without bends that nobody would notice (Douglas and Peucker 1973). */
export function straightened(points) {
  const own = points.filter((one, index) => (
    index === 0 || metresBetween(points[index - 1], one) > 0.05));
  if (own.length < 3) return own;
  const first = own[0];
  const last = own[own.length - 1];
  let most = 0;
  let at = 0;
  for (let i = 1; i < own.length - 1; i += 1) {
    const off = nearestOn(placeOf(first), placeOf(last), placeOf(own[i])).metresOff;
    if (off > most) {
      most = off;
      at = i;
    }
  }
  if (most <= BESIDE_METRES) return [first, last];
  return straightened(own.slice(0, at + 1)).concat(straightened(own.slice(at)).slice(1));
}
