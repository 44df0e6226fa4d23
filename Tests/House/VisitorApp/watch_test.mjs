// Devices on the map, replays and reasons, without a browser.
//
// `node watch_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import fs from 'fs';
import path from 'path';

const folder = process.argv[2];
global.window = { addEventListener: () => null };
global.document = { body: { getAttribute: () => 'museum' }, documentElement: {} };
global.location = { hash: '' };
global.fetch = async (address) => ({
  ok: true,
  json: async () => JSON.parse(fs.readFileSync(path.join(
    folder, address.replace('/app/', '').replace('staff/', '')))),
});

const load = (name) => import(path.join(folder, name));
const { Devices, countFloors, nearestMark } = await load('watch-devices.js');
const { Part, marksAt, lastAt, KEPT_MILLISECONDS } = await load('watch-tracks.js');
const { Replay } = await load('watch-replay.js');
const { toWorld } = await load('prepared-map.js');
const { addressOf, drawnOf, floorReasons } = await load('watch-reasons.js');
const { stepOfValue, stepsOf } = await load('watch-steps.js');
const { fieldOf, instantOf } = await load('watch-times.js');
const words = await load('words.js');

/** Numbers of chance that a seed repeats. */
function chance(seed) {
  let state = seed + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const HOUR = Date.parse('2026-11-21T08:00:00.000Z');

// MARK: Live devices

function position(device, seconds, east, more) {
  return Object.assign({
    id: device + seconds, device, at: new Date(HOUR + 1000 * seconds).toISOString(),
    state: 'located', latitude: 51.5, longitude: -0.1 + east / 69200, floor: 'ground', radius68: 3,
  }, more || {});
}

{
  const devices = new Devices();
  devices.take(position('a', 0, 0), 1000);
  const mark = devices.marks.get('a');
  const from = mark.x;
  devices.take(position('a', 1, 10), 2000);
  assert.equal(mark.x, from, 'it does not jump');
  assert.ok(devices.advance(2300));
  const metres = (mark.x - from) / mark.stretch;
  assert.ok(metres > 3 && metres < 10, String(metres));
  assert.ok(!devices.advance(3000), 'it has arrived');
  assert.ok(Math.abs((mark.x - from) / mark.stretch - 10) < 0.1);
  // An older position changes nothing; one on another floor, or far away, jumps.
  assert.ok(!devices.take(position('a', 0.5, 50), 3100));
  devices.take(position('a', 2, 15, { floor: 'first' }), 4000);
  assert.ok(!devices.advance(4001) && mark.floor === 'first');
  devices.take(position('a', 3, 5000, { floor: 'first' }), 5000);
  assert.ok(!devices.advance(5001));
  // A lost one stays where it was, and says so.
  const before = mark.x;
  devices.take({ id: 'l', device: 'a', at: position('a', 4, 0).at, state: 'lost' }, 6000);
  assert.ok(mark.state === 'lost' && mark.x === before && mark.floor === 'first');
  // Rubbish is left out.
  assert.ok(!devices.take({ device: 'b', at: 'yesterday' }, 0));
  devices.take(position('b', 4, 0), 0);
  assert.deepEqual(Array.from(countFloors(devices.list)), [['first', 1], ['ground', 1]]);
  assert.equal(devices.shown(HOUR + 5000).length, 2);
  assert.equal(devices.shown(HOUR + 400000).length, 0);
  // Whom the service has no more is gone, but for who came meanwhile.
  devices.keepOnly(new Set(['b']), HOUR + 4500);
  assert.deepEqual(devices.list.map((one) => one.id), ['b']);
  devices.take(position('c', 9, 0), 0);
  devices.keepOnly(new Set(['b']), HOUR + 8000);
  assert.deepEqual(devices.list.map((one) => one.id), ['b', 'c']);
}

{
  const marks = [
    { id: 'near', x: 3, y: 0, floor: 'ground' }, { id: 'above', x: 1, y: 0, floor: 'first' },
    { id: 'out', x: 0, y: 5, floor: 'outdoors' },
  ];
  assert.equal(nearestMark(marks, 0, 0, 10, 'ground').id, 'near');
  assert.equal(nearestMark(marks, 0, 5, 3, 'ground').id, 'out');
  assert.equal(nearestMark(marks, 0, 0, 2, 'ground'), null);
}

// MARK: Tracks

/** The service's answer for these rows, made as `ReplayAnswer` makes it. */
function answerOf(rows, from, until) {
  const origin = { latitude: 51.5, longitude: -0.1 };
  const places = [];
  const devices = new Map();
  rows.forEach((row) => {
    let number = places.findIndex((one) => one.floor === row.floor && one.state === row.state);
    if (number < 0) {
      number = places.length;
      places.push({ floor: row.floor, state: row.state });
    }
    if (!devices.has(row.device)) {
      devices.set(row.device, { device: row.device, track: [], places: [], last: [0, 0, 0, 0] });
    }
    const one = devices.get(row.device);
    const now = [Math.floor((row.at - from) / 100), row.north, row.east, row.radius];
    if (one.places[one.places.length - 1] !== number) {
      one.places.push(one.track.length / 4, number);
    }
    one.track.push(...now.map((value, part) => value - one.last[part]));
    one.last = now;
  });
  return {
    from: new Date(from).toISOString(), until: new Date(until).toISOString(),
    positions: rows.length, origin, places,
    devices: Array.from(devices.values()).map(({ device, track, places: own }) => (
      { device, track, places: own })),
  };
}

function rowsOf(seed, seconds, count) {
  const random = chance(seed);
  const rows = [];
  const at = [];
  for (let second = 0; second < seconds; second += 1) {
    for (let device = 0; device < count; device += 1) {
      if (random() < 0.6) {
        const before = at[device] || { north: 0, east: 0, floor: 'ground' };
        const now = {
          device: 'd' + device, at: HOUR + second * 1000 + Math.floor(random() * 9) * 100,
          north: before.north + Math.floor(random() * 40) - 20,
          east: before.east + Math.floor(random() * 40) - 20, radius: Math.floor(random() * 90),
          floor: random() < 0.05 ? 'first' : before.floor,
          state: random() < 0.05 ? 'lost' : 'located',
        };
        at[device] = now;
        rows.push(now);
      }
    }
  }
  return rows.sort((one, other) => one.at - other.at);
}

for (let seed = 0; seed < 20; seed += 1) {
  const rows = rowsOf(seed, 60, 7);
  const cut = [0, 17000, 20000, 43000, 60000];
  const parts = cut.slice(1).map((until, at) => new Part(answerOf(
    rows.filter((row) => row.at >= HOUR + cut[at] && row.at < HOUR + until), HOUR + cut[at],
    HOUR + until)));
  const random = chance(seed + 99);
  const kept = new Map();
  for (let turn = 0; turn < 40; turn += 1) {
    const instant = HOUR + Math.floor(random() * 60000);
    const marks = marksAt(parts, instant, kept, false);
    // The slow way: the last row of each device.
    const expected = new Map();
    rows.filter((row) => row.at <= instant && row.at > instant - KEPT_MILLISECONDS)
      .forEach((row) => expected.set(row.device, row));
    const wanted = Array.from(expected.values()).filter((row) => row.state !== 'lost')
      .map((row) => [row.device, row.floor, row.radius / 10].join()).sort();
    assert.deepEqual(marks.map((mark) => (
      [mark.id, mark.floor, Math.round(mark.radius * 10) / 10].join())).sort(), wanted);
    marks.forEach((mark) => {
      const row = expected.get(mark.id);
      const [x, y] = toWorld(51.5 + row.north / 1e6, -0.1 + row.east / 1e6);
      assert.ok(Math.abs(mark.x - x) < 0.01 && Math.abs(mark.y - y) < 0.01);
    });
  }
}

{
  // Between two positions a device is between the places; over a change of floors it waits.
  const rows = [
    { device: 'a', at: HOUR, north: 0, east: 0, radius: 10, floor: 'ground', state: 'located' },
    { device: 'a', at: HOUR + 4000, north: 0, east: 100, radius: 10, floor: 'ground',
      state: 'located' },
    { device: 'a', at: HOUR + 8000, north: 0, east: 200, radius: 10, floor: 'first',
      state: 'located' },
  ];
  const parts = [
    new Part(answerOf(rows.slice(0, 1), HOUR, HOUR + 2000)),
    new Part(answerOf(rows.slice(1), HOUR + 2000, HOUR + 10000)),
  ];
  const east = (seconds) => marksAt(parts, HOUR + seconds * 1000, new Map(), true)[0].x
    - toWorld(51.5, -0.1)[0];
  const whole = toWorld(51.5, -0.0999)[0] - toWorld(51.5, -0.1)[0];
  assert.ok(Math.abs(east(1) - whole / 4) < 0.05 && Math.abs(east(3) - 0.75 * whole) < 0.05);
  assert.ok(Math.abs(east(6) - whole) < 0.05);
  assert.equal(lastAt({ at: Float64Array.of(1, 2, 2, 5) }, 2), 2);
  assert.equal(lastAt({ at: Float64Array.of(1, 2) }, 0), -1);
}

// MARK: The parts of a replay

/** A service with 500 positions a second, which answers at most 6,000. */
function service(delay) {
  const asked = [];
  const read = async (site, from, until, signal) => {
    const one = { from, until, signal, isOver: false };
    asked.push(one);
    await delay(one);
    one.isOver = true;
    if (signal.aborted) throw Object.assign(new Error('aborted'), { name: 'AbortError' });
    const end = Math.min(until, from + 12000);
    const answer = answerOf([], from, end);
    answer.positions = (end - from) / 2;
    return answer;
  };
  return { asked, read };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

for (let seed = 0; seed < 30; seed += 1) {
  const random = chance(seed);
  const { asked, read } = service(() => (random() < 0.3 ? turn().then(turn) : turn()));
  const replay = new Replay({ id: 'museum' }, () => null, read);
  let instant = HOUR;
  for (let step = 0; step < 60; step += 1) {
    instant = HOUR + Math.floor(random() * 3600000);
    const jumps = random() < 0.8;
    if (!jumps) instant = Math.max(HOUR, replay.instant + Math.floor(random() * 20000));
    replay.look(instant, 30000 + Math.floor(random() * 200000), jumps);
    const [begin, end] = replay.wanted;
    const open = asked.filter((one) => !one.isOver && !one.signal.aborted);
    assert.ok(open.length <= 3, 'few requests at a time');
    open.forEach((one) => assert.ok(one.until >= begin && one.from <= end, 'none that is unwanted'));
    if (jumps && !replay.has(instant)) {
      assert.ok(open.length === 1 && open[0].from <= instant && instant < open[0].until,
        'where somebody waits, their time alone is asked for');
    }
    if (random() < 0.7) await turn();
  }
  for (let wait = 0; wait < 400 && (replay.gap() || replay.asked.length); wait += 1) await turn();
  assert.ok(replay.has(instant), 'the instant is there');
  const [begin, end] = replay.wanted;
  for (let at = begin; at < end; at += 1000) assert.ok(replay.has(at), 'and all around it');
  const count = replay.parts.reduce((sum, part) => sum + part.count, 0);
  assert.ok(count <= 400000 + 6000, String(count));
  // The instant's own time was asked for before what follows.
  replay.end();
  assert.ok(replay.parts.length === 0 && asked.every((one) => one.isOver || one.signal.aborted));
}

{
  // What comes first is the instant itself, not what is before it.
  const { asked, read } = service(turn);
  const replay = new Replay({ id: 'museum' }, () => null, read);
  replay.look(HOUR + 1234567, 30000);
  assert.equal(asked[0].from, HOUR + 1230000);
  // A fault pauses, and is kept for the panel.
  const failing = new Replay({ id: 'museum' }, () => null, async () => { throw new Error('503'); });
  failing.look(HOUR, 1000);
  await turn();
  assert.ok(failing.fault && failing.pause);
  failing.end();
  await turn();
  replay.end();
}

// MARK: Reasons

await words.loadWords('en', ['staff/languages/staff-']);
{
  const explained = {
    position: { floor: 'ground', latitude: 51.5, longitude: -0.1 },
    floors: [{ floor: 'ground', share: 0.7 }, { floor: 'first', share: 0.3 }],
    candidates: [
      { floor: 'ground', latitude: 51.5, longitude: -0.1, weight: 3 },
      { floor: 'ground', latitude: 51.5, longitude: -0.1, weight: 1 },
      { floor: 'ground', weight: 0.001, latitude: 1, longitude: 1 },
    ],
    readings: [
      { transmitter: 'wifi/00:62:EC:fd:ec:50', rssi: -50, use: 'used' }, { rssi: -60, use: 'unnamed' },
      { transmitter: 'ble/x', rssi: -60, use: 'used' },
    ],
    again: { scansBefore: 12 },
    floorChange: {
      from: 'first', to: 'ground', shareFrom: 0.3, shareTo: 0.7, rememberedFrom: 0.9,
      afterFrom: 0.2, metresToOtherFloors: 3.4,
    },
  };
  const drawn = drawnOf(explained, [
    { address: '0062ecfdec50', floor: 'ground', latitude: 51.5, longitude: -0.1 },
    { address: '00:62:ec:fd:ec:51', floor: 'ground', latitude: 51.5, longitude: -0.1 },
  ]);
  assert.deepEqual(drawn.transmitters.map((one) => one.rssi), [-50]);
  assert.deepEqual(drawn.candidates.map((one) => Math.round(100 * one.share)), [75, 25]);
  assert.equal(addressOf('wifi/zz'), '');
  const reasons = floorReasons(explained, (id) => ({ ground: 'Ground', first: 'First' }[id]));
  assert.equal(reasons.length, 5);
  assert.ok(reasons[0].includes('70 %') && reasons[0].includes('First'), reasons[0]);
  assert.ok(reasons[3].includes('3 m') && reasons[4].includes('12'));
  const nowhere = Object.assign({}, explained, { position: {} });
  assert.equal(floorReasons(nowhere, String).length, 1);
}

// MARK: Steps and times

{
  assert.deepEqual(stepsOf([]), []);
  assert.deepEqual(stepsOf([0, 4, 4, 4]), [4]);
  const steps = stepsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(steps, [2, 4, 6, 8, 10]);
  assert.deepEqual([0, 1, 2, 3, 10, 11].map((one) => stepOfValue(steps, one)), [-1, 0, 0, 1, 4, 4]);
  assert.equal(instantOf(fieldOf(HOUR)), HOUR);
  assert.equal(instantOf('2026-02-31T10:00'), null);
  assert.equal(instantOf('tomorrow'), null);
}

// MARK: The page of the API

{
  const { Reference, found } = await load('watch-reference-parts.js');
  const reference = new Reference({
    paths: {
      '/v1/a': { get: { operationId: 'readA', tags: ['one'], summary: 'Reads', 'x-roles': ['tester'] } },
      '/v1/b': { post: { operationId: 'makeB', tags: ['two'], description: 'Makes a b' } },
    },
    tags: [{ name: 'two' }], components: { schemas: { Thing: { type: 'object' } } },
  });
  assert.deepEqual(reference.tags, ['two', 'one']);
  assert.deepEqual(found(reference.operations, 'TESTER get').map((one) => one.id), ['readA']);
  assert.deepEqual(found(reference.operations, '').length, 2);
  assert.equal(reference.resolve({ $ref: '#/components/schemas/Thing' }).name, 'Thing');
  assert.equal(reference.resolve({ $ref: '#/components/none' }).name, 'none');
  assert.equal(reference.typeText({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }),
    'list of Thing');
}
