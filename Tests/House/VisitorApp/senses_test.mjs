// Tests what the app computes for directions by ear and the camera view, each against a slow twin.
//
// `node senses_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'node:assert';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');
const track = Object.assign({}, await import(new URL('measuring.js', folder)),
  await import(new URL('route-track.js', folder)));
const heading = await import(new URL('heading.js', folder));
const { EarWalk } = await import(new URL('ear-walk.js', folder));
const { EarFollow } = await import(new URL('ear-follow.js', folder));

let seed = 17;
function random(low, high) {
  seed = (seed * 16807) % 2147483647;
  return low + (high - low) * (seed / 2147483647);
}

const HOME = { latitude: 51.5, longitude: -0.12 };
const RADIANS = Math.PI / 180;

/** A place so many metres east and north of home. */
function place(east, north, floor = 'f0') {
  return {
    latitude: HOME.latitude + north / 111320,
    longitude: HOME.longitude + east / (111320 * Math.cos(HOME.latitude * RADIANS)), floor,
  };
}

function apart(one, other) {
  return Math.abs(((one - other + 540) % 360) - 180);
}

/** The direction on a sphere: the textbook's formula. */
function sphereBearing(from, to) {
  const [a, b] = [from.latitude * RADIANS, to.latitude * RADIANS];
  const east = (to.longitude - from.longitude) * RADIANS;
  const y = Math.sin(east) * Math.cos(b);
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(east);
  return Math.atan2(y, x) / RADIANS;
}

function directionsAreThoseOfASphere() {
  for (let i = 0; i < 300; i += 1) {
    const from = { latitude: random(-65, 65), longitude: random(-179, 178) };
    const to = {
      latitude: from.latitude + random(-0.01, 0.01),
      longitude: from.longitude + random(-0.01, 0.01),
    };
    assert(apart(track.bearing(from, to), sphereBearing(from, to)) < 0.1);
  }
  assert.strictEqual(track.turnBetween(350, 20), 30);
  assert.strictEqual(track.turnBetween(20, 350), -30);
  const hours = [0, 14, 16, 90, 180, 270, 346].map((degrees) => track.clockHour(0, degrees));
  assert.deepStrictEqual(hours, [12, 12, 1, 3, 6, 9, 12]);
  assert.strictEqual(track.clockHour(90, 180), 3);
  assert.strictEqual(track.sideWord(350, 80), 'right');
  assert.strictEqual(track.compassPoint(359), 'n');
}

/** A route of one leg for each list of points. */
function routeOf(legs, spoken) {
  return {
    legs: legs.map((points) => ({
      kind: 'room', room: 'r',
      paths: [{
        floor: points[0].floor,
        wgs84: points.map((one) => [one.longitude, one.latitude]),
      }],
    })), spoken,
  };
}

function placesOnTheLineAreTheNearest() {
  for (let turn = 0; turn < 60; turn += 1) {
    const points = [];
    for (let i = 0; i < 6; i += 1) points.push(place(random(0, 60), random(0, 60)));
    const line = track.trackOf(routeOf([points]));
    const here = place(random(-5, 65), random(-5, 65));
    const found = track.locate(line, here);
    let best = Infinity;
    for (let along = 0; along <= line.length; along += 0.05) {
      best = Math.min(best, track.metresBetween(track.placeAt(line, along), here));
    }
    assert(Math.abs(found.metresOff - best) < 0.06, `${found.metresOff} ${best}`);
    const at = track.placeAt(line, found.along);
    assert(Math.abs(track.metresBetween(at, here) - found.metresOff) < 0.02);
    assert.strictEqual(track.locate(line, Object.assign({}, here, { floor: 'f9' })), null);
  }
}

/** A line that goes there and back: the nearer part is that of the walk so far. */
function aLineThatComesBackIsFollowed() {
  const points = [place(0, 0), place(0, 30), place(1, 30), place(1, 0)];
  const line = track.trackOf(routeOf([points]));
  const here = place(0.6, 10);
  assert(Math.abs(track.locate(line, here, 8).along - 10) < 0.1);
  assert(Math.abs(track.locate(line, here, 52).along - 51) < 0.1);
}

function theNextTurnIsTheNextCorner() {
  const corners = [place(0, 0), place(0.2, 0.4), place(0, 20), place(15, 20), place(15, 5)];
  const line = track.trackOf(routeOf([corners]));
  const first = track.nextTurn(line, 1);
  assert(track.metresBetween(first, corners[2]) < 0.01);
  assert(apart(first.bearing, 0) < 1);
  // From the corner itself it is the one after it.
  const second = track.nextTurn(line, first.along - 0.4, corners[2]);
  assert(track.metresBetween(second, corners[3]) < 0.01);
  assert(apart(second.bearing, 90) < 1);
  const last = track.nextTurn(line, line.length - 6);
  assert(track.metresBetween(last, corners[4]) < 0.01);
  assert(apart(last.bearing, 180) < 1);
  assert(apart(track.directionAt(line, first.along + 3, false), 90) < 1);
  assert(apart(track.directionAt(line, first.along, true), 0) < 3);
}

/** A turn by one axis after the other, as matrices. */
function twinAxes(alpha, beta, gamma) {
  const [a, b, g] = [alpha, beta, gamma].map((one) => one * RADIANS);
  const z = [[Math.cos(a), -Math.sin(a), 0], [Math.sin(a), Math.cos(a), 0], [0, 0, 1]];
  const x = [[1, 0, 0], [0, Math.cos(b), -Math.sin(b)], [0, Math.sin(b), Math.cos(b)]];
  const y = [[Math.cos(g), 0, Math.sin(g)], [0, 1, 0], [-Math.sin(g), 0, Math.cos(g)]];
  const times = (m, v) => m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
  const turn = (v) => times(z, times(x, times(y, v)));
  return { right: turn([1, 0, 0]), top: turn([0, 1, 0]), camera: turn([0, 0, -1]) };
}

function quaternionOf(alpha, beta, gamma) {
  const half = [alpha, beta, gamma].map((one) => (one * RADIANS) / 2);
  const parts = [
    [0, 0, Math.sin(half[0]), Math.cos(half[0])], [Math.sin(half[1]), 0, 0, Math.cos(half[1])],
    [0, Math.sin(half[2]), 0, Math.cos(half[2])],
  ];
  return parts.reduce(([x1, y1, z1, w1], [x2, y2, z2, w2]) => [
    w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2, w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
    w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2, w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
  ]);
}

function axesAreThoseOfMatrices() {
  for (let i = 0; i < 200; i += 1) {
    const angles = [random(0, 360), random(-180, 180), random(-90, 90)];
    const twin = twinAxes(...angles);
    [heading.axesOfAngles(...angles), heading.axesOfQuaternion(quaternionOf(...angles))]
      .forEach((axes) => ['right', 'top', 'camera'].forEach((name) => {
        axes[name].forEach((value, index) => {
          assert(Math.abs(value - twin[name][index]) < 1e-9, name);
        });
      }));
  }
}

function aTelephoneLooksWhereItIsHeld() {
  for (let degrees = 0; degrees < 360; degrees += 10) {
    const alpha = 360 - degrees;
    // Flat, slanting, upright and leaning back; on its side, the screen turned along.
    [0, 30, 50, 60, 80, 90, 110].forEach((beta) => {
      const looks = heading.lookingDegrees(heading.axesOfAngles(alpha, beta, 0), 0);
      assert(apart(looks, degrees) < 0.01, `${degrees} ${beta}: ${looks}`);
    });
    const side = heading.axesOfAngles(alpha, 0, -90);
    assert(apart(heading.lookingDegrees(side, 90), degrees + 90) < 0.01);
    // The hand leans to one side by up to 20 degrees: the picture's direction stays.
    const camera = twinAxes(alpha, 85, 20).camera;
    const twin = Math.atan2(camera[0], camera[1]) / RADIANS;
    const leaning = heading.axesOfAngles(alpha, 85, 20);
    assert(apart(heading.lookingDegrees(leaning, 0), twin) < 0.01);
  }
}

function errorsAreThoseOfTheCompassAlone() {
  const turning = new heading.Heading();
  for (let i = 0; i < 100; i += 1) {
    turning.put({ degrees: (i * 7) % 360, relative: (i * 7 + 123) % 360, at: i * 30 });
  }
  assert.strictEqual(turning.error(), heading.USUAL_ERROR);
  const wild = new heading.Heading();
  for (let i = 0; i < 100; i += 1) {
    wild.put({ degrees: i % 2 ? 340 : 20, relative: 10, at: i * 30 });
  }
  assert(wild.error() > heading.MOST_ERROR && wild.error() < 60, wild.error());
  assert(apart(wild.degrees(), 0) < 6);
  const stated = new heading.Heading();
  stated.put({ degrees: 90, stated: 45, at: 0 });
  assert.strictEqual(stated.error(), 45);
  stated.correct(100);
  stated.put({ degrees: 95, stated: 5, at: 1000 });
  assert.strictEqual(stated.degrees(), 105);
  assert.strictEqual(stated.error(), 5);
}

/** A walk round three corners, with announcements as the service gives them. */
function walkRoute() {
  const corners = [place(0, 0), place(0, 20), place(12, 20), place(12, 15), place(12, 12)];
  const legs = corners.slice(1).map((corner, index) => [corners[index], corner]);
  const near = (index, metres) => metres.map((metresBefore) => ({
    metresBefore, text: `in ${metresBefore} of ${index}`,
  }));
  const spoken = legs.map((leg, index) => Object.assign({}, leg[0], {
    leg: index, text: `step ${index}`, announcements: near(index, [[8, 2], [8, 2], [2], []][index]),
  }));
  const last = legs.length - 1;
  spoken.push(Object.assign({}, corners[last + 1], {
    leg: last, text: 'arrived', announcements: [],
  }));
  return routeOf(legs, spoken);
}

function eachThingIsSaidOnceAndInTime() {
  for (let turn = 0; turn < 40; turn += 1) {
    const pace = random(0.1, 0.4);
    const walk = new EarWalk(walkRoute());
    const heard = [];
    for (let along = 0; along <= 40; along += pace) {
      const at = track.placeAt(walk.track, Math.min(along, 40));
      const aside = place(0, 0);
      const jitter = { latitude: random(-2e-6, 2e-6), longitude: random(-2e-6, 2e-6) };
      const event = walk.move(Object.assign({}, aside, {
        latitude: at.latitude + jitter.latitude, longitude: at.longitude + jitter.longitude,
      }));
      if (event) heard.push({ along, event });
    }
    const texts = heard.map((one) => one.event.text);
    assert.deepStrictEqual(texts, [
      'in 8 of 0', 'in 2 of 0', 'step 1', 'in 8 of 1', 'in 2 of 1', 'step 2', 'in 2 of 2',
      'step 3', 'arrived',
    ], texts.join());
    const ends = [20, 32, 37];
    heard.filter((one) => one.event.kind === 'near').forEach((one) => {
      const index = Number(one.event.text.slice(-1));
      const left = ends[index] - one.along;
      assert(left <= one.event.metres + 0.7 && left > one.event.metres - pace - 0.7, left);
    });
    assert.strictEqual(heard[heard.length - 1].event.kind, 'arrived');
  }
}

/** The dot comes every five seconds: what is near is said in time, all the same. */
function whatComesNearIsSaidBetweenTwoDots() {
  for (let turn = 0; turn < 20; turn += 1) {
    const pace = random(0.8, 1.3);
    const begin = random(0, 5000);
    const walk = new EarWalk(walkRoute());
    const heard = [];
    for (let at = 0; at <= 24000; at += 100) {
      const along = (pace * at) / 1000;
      const isDot = (at + Math.round(begin / 100) * 100) % 5000 === 0 || at === 0;
      const dot = Object.assign({ floor: 'f0' }, track.placeAt(walk.track, along));
      const event = isDot ? walk.move(dot, at) : walk.between(at);
      if (event) heard.push({ along, event });
    }
    const near = heard.filter((one) => one.event.text.endsWith('of 0'));
    assert.deepStrictEqual(near.map((one) => one.event.metres), [8, 2]);
    near.forEach((one) => {
      assert(Math.abs(20 - one.along - one.event.metres) < 1, `${20 - one.along}`);
    });
    const steps = heard.filter((one) => one.event.kind === 'step' && one.along < 20 - 1);
    assert.deepStrictEqual(steps, []);
  }
  const still = new EarWalk(walkRoute());
  still.move(place(0, 11), 0);
  still.move(place(0, 11), 5000);
  assert.strictEqual(still.between(8000), null);
  // Who stands three metres before the corner, as the dot has it, may well be there.
  [[2, 2, 'near'], [8, 3, 'step'], [8, 6, 'near']].forEach(([radius, left, kind]) => {
    const walk = new EarWalk(walkRoute());
    const dot = Object.assign(place(0, 20 - left), { radius });
    const events = [0, 5000, 10000].map((at) => walk.move(dot, at)).filter(Boolean);
    assert.strictEqual(events[events.length - 1].kind, kind);
  });
}

function whoStepsByHandIsFollowedByTheDotLater() {
  const walk = new EarWalk(walkRoute());
  assert.strictEqual(walk.go(-1), null);
  assert.strictEqual(walk.go(1).text, 'step 1');
  assert.strictEqual(walk.hour(undefined), 3);
  assert.strictEqual(walk.hour(180), 9);
  walk.go(-1);
  // The dot stands at the second corner; the step chosen by hand stays until it moves.
  const at = (along) => Object.assign({ floor: 'f0' }, track.placeAt(walk.track, along));
  assert.strictEqual(walk.move(at(20)), null);
  assert.strictEqual(walk.move(at(21)), null);
  assert.strictEqual(walk.move(at(26)).text, 'step 1');
  const beside = [1, 2, 3, 4].map(() => walk.move(place(60, 60)));
  assert.deepStrictEqual(beside.map((one) => one && one.kind), [null, null, 'off', null]);
  for (let i = 0; i < 5; i += 1) walk.go(1);
  assert.strictEqual(walk.isLast, true);
}

/** A route whose first step leads to stairs down after 20 m. */
function warningRoute() {
  const route = walkRoute();
  Object.assign(route.spoken[0], { text: 'step 0. Careful.', announcedText: 'step 0.' });
  route.spoken[0].announcements.forEach((one) => Object.assign(one, { text: 'Careful.' }));
  return route;
}

/** By keys in the step's own text; by a dot that leads in the announcements, too. */
function aWarningIsLeftOutOnlyWhereADotLeads() {
  const walk = new EarWalk(warningRoute());
  const at = (along) => Object.assign({ floor: 'f0' }, track.placeAt(walk.track, along));
  assert.strictEqual(walk.told(false, 0), 'step 0. Careful.');
  // At the beginning nobody knows yet whether the dot follows.
  assert.strictEqual(walk.told(true, 0), 'step 0. Careful.');
  walk.move(at(0), 0);
  assert.strictEqual(walk.told(true, 0), 'step 0. Careful.');
  walk.move(at(5), 5000);
  assert.strictEqual(walk.told(true, 5000), 'step 0.');
  assert.deepStrictEqual([5000, 11000, 11001].map((now) => walk.isWarningDue(now)),
    [false, false, true]);
  assert.strictEqual(walk.told(false, 11001), 'step 0. Careful.');
  assert.strictEqual(walk.owesWarning, false);
  walk.told(true, 5000);
  assert.strictEqual(walk.move(at(13), 13000).kind, 'near');
  assert.strictEqual(walk.isWarningDue(90000), false);
  walk.go(1);
  assert.strictEqual(walk.told(true, 13000), 'step 1');
  assert.strictEqual(walk.owesWarning, false);
}

/** Runs `work(clock)` with hours and timers that pass only by `clock.pass(milliseconds)`. */
function byClock(work) {
  const own = [Date.now, globalThis.setTimeout, globalThis.clearTimeout];
  const clock = { now: 1000000, timers: new Map(), last: 0 };
  Date.now = () => clock.now;
  globalThis.setTimeout = (action, delay) => {
    clock.last += 1;
    clock.timers.set(clock.last, { action, at: clock.now + delay });
    return clock.last;
  };
  globalThis.clearTimeout = (id) => clock.timers.delete(id);
  clock.pass = (milliseconds) => {
    const end = clock.now + milliseconds;
    for (;;) {
      const due = Array.from(clock.timers).filter((one) => one[1].at <= end)
        .sort((one, other) => one[1].at - other[1].at)[0];
      if (!due) break;
      clock.timers.delete(due[0]);
      clock.now = due[1].at;
      due[1].action();
    }
    clock.now = end;
  };
  try {
    work(clock);
  } finally {
    [Date.now, globalThis.setTimeout, globalThis.clearTimeout] = own;
  }
}

/** A panel that says the steps, as the one by ear does; `at(along)` is a fix there. */
function panelOf(clock, route) {
  const walk = new EarWalk(route);
  const heard = [];
  const follow = new EarFollow({
    happens: (event, hears) => {
      heard.push(event.kind === 'near' ? event.text : follow.step(hears));
    },
    warns: () => heard.push(follow.step(false)), strays: () => heard.push('off'),
  });
  follow.follow(walk);
  heard.push(follow.step(false));
  const at = (along, members) => Object.assign(
    { floor: 'f0', source: 'bridge', state: 'located', at: clock.now },
    track.placeAt(walk.track, along), members);
  return { walk, heard, follow, at };
}

/** The second step leads to stairs down after 60 m. The reader has just walked into it. */
function panelOnTheWay(clock) {
  const corners = [place(0, 0), place(0, 20), place(60, 20), place(60, 10)];
  const legs = corners.slice(1).map((corner, index) => [corners[index], corner]);
  const near = [8, 2].map((metresBefore) => ({ metresBefore, text: 'Careful.' }));
  const spoken = [
    { text: 'step 0', announcements: [] },
    { text: 'step 1. Careful.', announcedText: 'step 1.', announcements: near },
    { text: 'down', announcements: [] },
  ].map((one, leg) => Object.assign({ leg }, corners[leg], one));
  const panel = panelOf(clock, routeOf(legs, spoken));
  [10, 15, 20].forEach((along) => {
    clock.pass(5000);
    panel.follow.move(panel.at(along));
  });
  assert.strictEqual(panel.heard[panel.heard.length - 1], 'step 1.', panel.heard.join());
  return panel;
}

/** However the dot ends, the warning of the step is said. */
function aWarningIsNeverLost() {
  const ends = {
    nothing: () => null,
    unknown: (panel) => panel.follow.move(null),
    lost: (panel) => panel.follow.move({ source: 'bridge', state: 'lost', at: Date.now() }),
    uncertain: (panel) => panel.follow.move(panel.at(20.5, { state: 'uncertain' })),
    said: (panel) => panel.follow.move(panel.at(20.5, { source: 'said' })),
    standing: (panel, clock) => [1, 2, 3].forEach(() => {
      clock.pass(5000);
      panel.follow.move(panel.at(20.5));
    }),
    beside: (panel) => panel.follow.move(Object.assign(panel.at(20.5), place(60, 60))),
  };
  Object.keys(ends).forEach((name) => byClock((clock) => {
    const panel = panelOnTheWay(clock);
    ends[name](panel, clock);
    clock.pass(6500);
    const warned = panel.heard.filter((text) => text.indexOf('Careful.') >= 0);
    assert(warned.length > 0, name + ': ' + panel.heard.join());
    // Nothing waits for ever.
    clock.pass(60000);
    assert.strictEqual(clock.timers.size, 0, name);
  }));
  // A dot that goes on leads: the announcement is the warning, and the step is said once.
  byClock((clock) => {
    const panel = panelOnTheWay(clock);
    for (let along = 25; along <= 70; along += 5) {
      clock.pass(5000);
      panel.follow.move(panel.at(along));
    }
    clock.pass(3000);
    assert.deepStrictEqual(panel.heard, ['step 0', 'step 1.', 'Careful.']);
    panel.follow.follow(null);
    assert.strictEqual(clock.timers.size, 0);
  });
  // At the beginning the whole step is said, and without a dot nothing waits.
  byClock((clock) => {
    const panel = panelOf(clock, warningRoute());
    assert.deepStrictEqual(panel.heard, ['step 0. Careful.']);
    assert.strictEqual(clock.timers.size, 0);
  });
}

function whoIsThereAlreadyHasNoWay() {
  const walk = new EarWalk(routeOf([], [{
    text: 'here', leg: 0, latitude: 51.5, longitude: -0.12, announcements: [],
  }]));
  assert.deepStrictEqual([1, 2, 3, 4].map(() => walk.move(place(60, 60))),
    [null, null, null, null]);
  assert.strictEqual(walk.place().latitude, 51.5);
  assert.strictEqual(walk.hour(undefined), null);
  assert.strictEqual(walk.text(), 'here');
}

function whoStraysTwiceIsToldTwice() {
  const walk = new EarWalk(walkRoute());
  const told = Array.from({ length: 6 }, () => walk.move(place(60, 60)));
  assert.strictEqual(told.filter((one) => one && one.kind === 'off').length, 2);
}

/**
 * A corridor of 30 by 2.5 metres. The words lead along its left wall to the east end, round it and
 * back to a door that lies nearly opposite; then up stairs.
 */
function wallRoute() {
  const corners = [place(0, 2.5), place(8, 0), place(8, -4)];
  const upstairs = [place(8, -4, 'f1'), place(20, -4, 'f1')];
  const route = routeOf([corners.slice(0, 2), [corners[1], corners[1]], corners.slice(1), upstairs]);
  [8.4, 0, 9, 12].forEach((metres, leg) => {
    Object.assign(route.legs[leg], { distanceMetres: metres, seconds: metres / 0.9 });
  });
  const step = (leg, at, members) => Object.assign({}, at, {
    leg, distanceMetres: 0, announcements: [], text: 'step ' + leg,
  }, members);
  const near = [8, 2].map((metresBefore) => ({ metresBefore, text: `in ${metresBefore}` }));
  route.spoken = [
    step(0, corners[0], { distanceMetres: 54.5, announcements: near, headingDegrees: 180 }),
    step(1, corners[1], { headingDegrees: 180 }), step(2, corners[1], {}),
    step(3, upstairs[0], { distanceMetres: 12 }), step(3, upstairs[1], { text: 'arrived' }),
  ];
  return route;
}

/** The way by ear has one length: that of its words. */
function theLengthIsThatOfTheWords() {
  const walk = new EarWalk(wallRoute());
  assert.deepStrictEqual(walk.lengths, [54.5, 0, 9, 12, 0]);
  assert(Math.abs(walk.metres - 75.5) < 1e-9);
  assert(Math.abs(walk.metresLeft() - 54.5) < 1e-6);
  // Along the wall at the same pace; stairs as before.
  assert(Math.abs(walk.seconds - 75.5 / 0.9) < 1e-6, walk.seconds);
  for (let turn = 0; turn < 30; turn += 1) {
    const route = wallRoute();
    route.spoken[0].distanceMetres = random(8.4, 90);
    route.spoken[3].distanceMetres = random(0, 30);
    let sum = 0;
    route.legs.forEach((leg, index) => {
      const own = route.spoken.filter((one) => one.leg === index);
      const told = own.reduce((all, one) => all + one.distanceMetres, 0);
      sum += told > 0 ? told : leg.distanceMetres;
    });
    assert(Math.abs(new EarWalk(route).metres - sum) < 1e-9);
  }
}

/** Who follows the wall round the end is not off the way, and not there when the door is opposite. */
function aWallThatLeadsRoundIsFollowed() {
  const line = [place(0, 2.5), place(30, 2.5), place(30, 0), place(8, 0)];
  const wall = track.trackOf(routeOf([line]));
  const walk = new EarWalk(wallRoute());
  const heard = [];
  for (let along = 0; along <= wall.length; along += 0.7) {
    const at = track.placeAt(wall, along);
    const event = walk.move({ ...at, radius: 2 }, (along / 1.1) * 1000);
    if (event) heard.push([Math.round(wall.length - along), event.kind]);
  }
  assert.deepStrictEqual(heard.map((one) => one[1]), ['near', 'near', 'step'], heard.join());
  assert(Math.abs(heard[0][0] - 8) <= 1 && Math.abs(heard[1][0] - 2) <= 1, heard.join());
  // The clock tells no direction of the straight line there.
  assert.strictEqual(new EarWalk(wallRoute()).hour(undefined), null);
}

/** Directions are told by what is known: the walk, the compass, or the way one came. */
function oneFacesWhereOneWalksOrLooks() {
  const walk = new EarWalk(wallRoute());
  assert.deepStrictEqual(walk.facing(undefined, 0), { degrees: 180, by: 'came' });
  assert.deepStrictEqual(walk.facing(77, 0), { degrees: 77, by: 'compass' });
  for (let second = 0; second <= 4; second += 1) {
    walk.move(Object.assign(place(second, 2.5), { radius: 2 }), second * 1000);
  }
  const facing = walk.facing(77, 4500);
  assert.strictEqual(facing.by, 'walk');
  assert(apart(facing.degrees, 90) < 1, facing.degrees);
  // A walk that ended ten seconds ago tells nothing any more.
  assert.strictEqual(walk.facing(77, 14000).by, 'compass');
  const first = wallRoute();
  delete first.spoken[0].headingDegrees;
  assert.strictEqual(new EarWalk(first).facing(undefined, 0), null);
}

[
  theLengthIsThatOfTheWords, aWallThatLeadsRoundIsFollowed, oneFacesWhereOneWalksOrLooks,
  whoIsThereAlreadyHasNoWay, whoStraysTwiceIsToldTwice,
  directionsAreThoseOfASphere, placesOnTheLineAreTheNearest, aLineThatComesBackIsFollowed,
  theNextTurnIsTheNextCorner, axesAreThoseOfMatrices, aTelephoneLooksWhereItIsHeld,
  errorsAreThoseOfTheCompassAlone, eachThingIsSaidOnceAndInTime,
  whatComesNearIsSaidBetweenTwoDots, whoStepsByHandIsFollowedByTheDotLater,
  aWarningIsLeftOutOnlyWhereADotLeads, aWarningIsNeverLost,
].forEach((test) => {
  try {
    test();
  } catch (fault) {
    console.error(test.name + ': ' + fault.stack);
    process.exitCode = 1;
  }
});
