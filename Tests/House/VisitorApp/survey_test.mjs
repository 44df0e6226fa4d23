// Surveying without a browser: points of a plan, the order of a walk, scans between taps, signals,
// places by their states, and surveys that wait while the network loses requests and answers.
//
// `node survey_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import path from 'path';

const folder = process.argv[2];
const listeners = {};
global.window = { addEventListener: (name, run) => { listeners[name] = run; } };
global.document = { body: { getAttribute: () => 'museum' } };
global.location = { hash: '' };
// Pauses go by at once.
const whole = global.setTimeout;
global.setTimeout = (run) => whole(run, 0);

const load = (name) => import(path.join(folder, name));
const plan = await load('survey-plan.js');
const walk = await load('survey-walk.js');
const paths = await load('survey-path.js');
const { Signals } = await load('survey-signals.js');
const model = await load('survey-model.js');
const { metresBetween } = await load('measuring.js');
const { SurveyQueue } = await load('survey-queue.js');

/** A generator of numbers 0 up to 1 by a seed (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const origin = { latitude: 51.5, longitude: -0.12 };
const frame = plan.frameAt(origin);
const at = (x, y) => frame.back([x, y]);
const close = (one, other, within) => assert(Math.abs(one - other) <= within, `${one}, ${other}`);

// MARK: The plan

{
  const there = frame.to(at(120, -45));
  close(there[0], 120, 0.01);
  close(there[1], -45, 0.01);
  close(metresBetween(origin, at(30, 40)), 50, 0.05);
}

function room(id, kind, left, bottom, width, height, turn) {
  const angle = turn || 0;
  const corners = [[0, 0], [width, 0], [width, height], [0, height]].map(([x, y]) => [
    left + x * Math.cos(angle) - y * Math.sin(angle), bottom + x * Math.sin(angle) + y * Math.cos(angle),
  ]);
  return { id, kind, name: id, outline: corners.map(([x, y]) => at(x, y)) };
}

{
  const rooms = [
    room('office', 'room', 0, 0, 4, 5), room('hall', 'room', 10, 0, 21, 14),
    room('corridor', 'corridor', 0, 20, 40, 2), room('turned', 'corridor', 60, 0, 30, 2, 0.7),
    room('lift', 'lift', 50, 0, 2, 2), room('cupboard', 'room', 55, 0, 1, 1),
    { id: 'drawn nowhere', kind: 'room' },
  ];
  const points = plan.planPoints(rooms);
  const of = (id) => points.filter((one) => one.room === id);
  assert.strictEqual(of('office').length, 1);
  close(frame.to(of('office')[0].place)[0], 2, 0.3);
  assert.strictEqual(of('hall').length, 6, 'three by two');
  assert.strictEqual(of('corridor').length, 8, 'every five metres');
  assert.strictEqual(of('turned').length, 6, 'along its own direction');
  ['lift', 'cupboard', 'drawn nowhere'].forEach((id) => assert.strictEqual(of(id).length, 0, id));
  points.forEach((point) => {
    const own = rooms.find((one) => one.id === point.room);
    const outline = own.outline.map(frame.to);
    assert(plan.isInside(outline, frame.to(point.place)), own.id);
  });
  // A point stands inside of a room like an L, and beside its hole.
  const bent = { id: 'l', kind: 'room', outline: [[0, 0], [6, 0], [6, 1.5], [1.5, 1.5], [1.5, 6], [0, 6]]
    .map(([x, y]) => at(x, y)) };
  const [inner] = plan.planPoints([bent]);
  assert(plan.isInside(bent.outline.map(frame.to), frame.to(inner.place)));
  assert.deepStrictEqual(plan.planPoints([]), []);

  const grid = plan.gridOf([rooms[0], rooms[1]]);
  close(grid.cells.length * grid.step * grid.step, 20 + 21 * 14, 40);
  const twice = plan.gridOf([rooms[1], Object.assign({}, rooms[1], { id: 'again' })]);
  assert.strictEqual(twice.cells.length, plan.gridOf([rooms[1]]).cells.length);
  const huge = plan.gridOf([room('hangar', 'room', 0, 0, 400, 300)]);
  assert(huge.cells.length <= 1.1 * plan.MOST_CELLS, `${huge.cells.length}`);
  assert.deepStrictEqual(plan.gridOf([]).cells, []);
}

// MARK: The order of the walk

/** The shortest walk by trying all. */
function shortest(points, start) {
  if (!points.length) return 0;
  return Math.min(...points.map((point, index) => {
    const rest = points.slice(0, index).concat(points.slice(index + 1));
    return (start ? walk.between(start, point) : 0) + shortest(rest, point);
  }));
}

for (let seed = 0; seed < 40; seed += 1) {
  const next = random(seed);
  const points = Array.from({ length: 7 }, (none, index) => ({
    place: at(40 * next(), 25 * next()), room: 'r' + Math.floor(index / 2),
  }));
  const start = seed % 2 ? { place: at(0, 0) } : null;
  const order = walk.walkingOrder(points, start);
  assert.deepStrictEqual(new Set(order), new Set(points), 'each point once');
  const own = walk.lengthOf(order, start);
  const best = start ? shortest(points, start) : Math.min(...points.map((one) => (
    shortest(points.filter((other) => other !== one), one))));
  assert(own <= (start ? 1.25 : 1.45) * best + 1e-6, `seed ${seed}: ${own} where ${best} would do`);
}
for (let seed = 0; seed < 10; seed += 1) {
  // No stretch is shorter turned around.
  const next = random(500 + seed);
  const start = { place: at(0, 0) };
  const order = walk.walkingOrder(Array.from({ length: 25 }, () => (
    { place: at(60 * next(), 30 * next()) })), start);
  for (let i = 0; i < order.length; i += 1) {
    for (let j = i + 2; j <= order.length; j += 1) {
      const turned = order.slice(0, i).concat(order.slice(i, j).reverse(), order.slice(j));
      assert(walk.lengthOf(turned, start) > walk.lengthOf(order, start) - 1e-6, `seed ${seed}`);
    }
  }
}
{
  // A corridor is walked from end to end, and a point is not crossed twice.
  const row = [3, 0, 4, 1, 2].map((x) => ({ place: at(5 * x, 0) }));
  const order = walk.walkingOrder(row, { place: at(-1, 0) });
  assert.deepStrictEqual(order.map((one) => Math.round(frame.to(one.place)[0] / 5)), [0, 1, 2, 3, 4]);
  close(walk.secondsOf(order, null, 10), 20 / 1.1 + 50, 0.2);
  assert.deepStrictEqual(walk.walkingOrder([], null), []);
  const many = Array.from({ length: 900 }, (none, index) => ({
    place: at(index % 30, Math.floor(index / 30)),
  }));
  const began = Date.now();
  assert.strictEqual(walk.walkingOrder(many, null).length, 900);
  assert(Date.now() - began < 2000, 'a large floor takes too long');
}

// MARK: A survey on the way

{
  const taps = [
    { at: 1000, place: at(0, 0), floor: 'g' }, { at: 11000, place: at(10, 0), floor: 'g' },
    { at: 21000, place: at(10, 8), floor: 'g' }, { at: 40000, place: at(10, 8), floor: 'one' },
    { at: 45000, place: at(15, 8), floor: 'one' },
  ];
  const scans = [0, 1000, 6000, 11000, 16000, 30000, 42500, 46000].map((time) => ({ at: time }));
  const { placed, left } = paths.placeScans(taps.slice().reverse(), scans);
  assert.strictEqual(left, 3, 'before, on the stairs, and after');
  const metres = placed.map((one) => frame.to(one.place).map((value) => Math.round(10 * value) / 10));
  assert.deepStrictEqual(metres, [[0, 0], [5, 0], [10, 0], [10, 4], [12.5, 8]]);
  assert.deepStrictEqual(placed.map((one) => one.floor), ['g', 'g', 'g', 'g', 'one']);
  assert.strictEqual(paths.tooFast(taps), 0);
  const jump = taps.slice(0, 2).concat({ at: 13000, place: at(60, 0), floor: 'g' });
  assert.strictEqual(paths.tooFast(jump), 2);
  close(paths.pathLength(taps), 23, 0.1);
  assert.deepStrictEqual(paths.placeScans(taps.slice(0, 1), scans), { placed: [], left: 8 });
  const both = [{ at: 5, place: at(0, 0), floor: 'g' }, { at: 5, place: at(4, 0), floor: 'g' }];
  assert.strictEqual(paths.placeScans(both, [{ at: 5 }]).placed.length, 1, 'no division by zero');
}

// MARK: Signals

{
  const signals = new Signals();
  const levels = [-60, -64, -71, -58];
  levels.forEach((rssi, index) => signals.add({
    wifi: [{ bssid: 'AA:00:00:00:00:01', rssi, ssid: 'house' }].concat(
      index ? [] : [{ bssid: 'aa:00:00:00:00:02', rssi: -50 }]),
    ble: [{ uuid: 'F0', major: 1, minor: 2, rssi: -80 }, { uuid: 'f0', major: 1, minor: 2, rssi: -82 }],
  }, index));
  const [near, far, beacon] = signals.list();
  assert.strictEqual(near.id, 'wifi/aa:00:00:00:00:02');
  assert.strictEqual(near.deviation, null);
  close(near.rate, 0.25, 1e-9);
  const mean = levels.reduce((sum, one) => sum + one, 0) / 4;
  close(far.mean, mean, 1e-9);
  close(far.deviation, Math.sqrt(levels.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 3), 1e-9);
  assert.deepStrictEqual([far.name, far.count, far.rate, far.last], ['house', 4, 1, -58]);
  assert.deepStrictEqual([beacon.id, beacon.count, beacon.rate], ['ble/f0/1/2', 8, 1]);
}

// MARK: The magnetic field

{
  const field = await load('survey-field.js');
  const begin = 1764580000000;
  const rows = (line) => Array.from({ length: 400 }, (none, index) => line(20 * index, [
    20 + index / 100, -5, 40.25])).join('\n');
  const files = {
    phyphox: '"Time (s)","Magnetic field x (µT)","Magnetic field y (µT)","Magnetic field z (µT)"\n'
      + rows((at, [x, y, z]) => [(at / 1000).toExponential(), x, y, z].join(',')),
    german: '"Time (s)";"Magnetic field x (µT)";"Magnetic field y (µT)";"Magnetic field z (µT)"\n'
      + rows((at, [x, y, z]) => [at / 1000, x, y, z].join(';').replace(/\./g, ',')),
    sensorLogger: 'time,seconds_elapsed,z,y,x\n'
      + rows((at, [x, y, z]) => [(begin + at) + '000000', at / 1000, z, y, x].join(',')),
    androSensor: 'sep=;\nGRAVITY X (m/s²);MAGNETIC FIELD X (μT);MAGNETIC FIELD Y (μT);'
      + 'MAGNETIC FIELD Z (μT);Time since start in ms\n'
      + rows((at, [x, y, z]) => [9.8, x, y, z, at].join(';')),
    nanotesla: 'Timestamp_ms,B1x_nT,B1y_nT,B1z_nT,B1v_nT\n'
      + rows((at, [x, y, z]) => [begin + at, 1000 * x, 1000 * y, 1000 * z, 0].join(',')),
  };
  Object.keys(files).forEach((name) => {
    const log = field.readLog(files[name]);
    assert.strictEqual(log.samples.length, 400, name);
    assert.strictEqual(log.isRelative, ['sensorLogger', 'nanotesla'].indexOf(name) < 0, name);
    const passedAt = [begin + 1000, begin + 4010, begin + 7000];
    const walk = field.joinWalk(log, passedAt, begin);
    const at = walk.samples[0][0];
    assert(walk.samples.every((one, index) => Number.isInteger(one[0])
      && (!index || one[0] > walk.samples[index - 1][0])), name);
    // The samples of the walk alone, each at its moment.
    close(walk.samples[0][1], 20.5, 0.02);
    close(walk.samples[walk.samples.length - 1][1], 23.5, 0.02);
    assert.deepStrictEqual(walk.samples[0].slice(2), [-5, 40.25], name);
    assert.deepStrictEqual(walk.passedAt.map((one) => one - walk.passedAt[0]), [0, 3010, 6000], name);
    assert(walk.passedAt[0] >= at && walk.passedAt[2] <= walk.samples[walk.samples.length - 1][0]);
    assert(walk.samples.length <= 303, name);
  });
  const fault = (run) => {
    try {
      run();
    } catch (found) {
      return found.key;
    }
    return '';
  };
  const log = field.readLog(files.sensorLogger);
  assert.strictEqual(fault(() => field.readLog('')), 'survey.field.noColumns');
  assert.strictEqual(fault(() => field.readLog('time,a,b,c\n1,2,3,4')), 'survey.field.noColumns');
  assert.strictEqual(fault(() => field.readLog('who,x,y,z\n1,2,3,4')), 'survey.field.noTime');
  assert.strictEqual(fault(() => field.readLog('time,x,y,z\n1,2,3,4')), 'survey.field.few');
  assert.strictEqual(fault(() => field.readLog('time,x,y,z')), 'survey.field.few');
  const relative = field.readLog(files.phyphox);
  assert.strictEqual(fault(() => field.joinWalk(relative, [begin, begin + 9], 0)),
    'survey.field.needStart');
  [[-60000, -50000], [6000, 60000], [60000, 70000]].forEach(([from, to]) => assert.strictEqual(
    fault(() => field.joinWalk(log, [begin + from, begin + to], 0)), 'survey.field.otherTime'));
  const without = (keeps) => ({ isRelative: false, samples: log.samples.filter(keeps) });
  const all = [begin + 1000, begin + 7000];
  assert.strictEqual(fault(() => field.joinWalk(without((one) => (
    one[0] < begin + 3000 || one[0] > begin + 4500)), all, 0)), 'survey.field.gap');
  assert.strictEqual(fault(() => field.joinWalk(without((one, index) => index % 10 === 0), all, 0)),
    'survey.field.slow');
  const long = { isRelative: false, samples: Array.from({ length: 20000 }, (none, index) => (
    [begin + 5 * index, 1, 2, 3])) };
  assert(field.joinWalk(long, [begin + 10, begin + 99000], 0).samples.length <= 6000);
}

// MARK: Places

{
  const turned = (x, y) => at(0.6 * x - 0.8 * y + 7, 0.8 * x + 0.6 * y - 3);
  const pairs = [[0, 0], [30, 0], [0, 20], [11, 9]].map(([x, y]) => Object.assign({ x, y }, turned(x, y)));
  const fitted = model.fitFrame(pairs);
  close(metresBetween(fitted.degrees(25, 17), turned(25, 17)), 0, 0.02);
  const back = fitted.metres(turned(25, 17));
  close(back.x, 25, 0.02);
  close(back.y, 17, 0.02);
  assert.strictEqual(model.fitFrame(pairs.slice(0, 2)), null);
  const line = [0, 1, 2].map((x) => Object.assign({ x, y: 2 * x }, turned(x, 2 * x)));
  assert.strictEqual(model.fitFrame(line), null, 'points on one line');

  const now = Date.parse('2026-12-01T12:00:00Z');
  const day = (number) => new Date(now - number * 86400000).toISOString();
  const location = (id, x, y) => Object.assign({ id, name: id, floor: 'g' }, at(x, y));
  const survey = (members, days, state) => Object.assign({
    id: String(Math.random()), at: day(days), state: state || 'taken', readings: 10,
  }, members);
  const parts = {
    locations: ['fine', 'weak', 'old', 'bare', 'sent', 'emptied', 'refused'].map((id, index) => (
      location(id, 5 * index, 0))),
    published: new Set(['fine', 'weak']),
    surveys: [
      survey({ location: 'fine' }, 3), survey({ location: 'fine' }, 1),
      survey({ location: 'weak' }, 2), survey({ location: 'old' }, 400),
      survey({ location: 'emptied' }, 9), survey({ location: 'refused' }, 1, 'kept-aside'),
      survey({ location: 'gone' }, 1), survey(Object.assign({ floor: 'g' }, at(50, 50)), 1),
      survey(Object.assign({ floor: 'g' }, at(50.5, 50)), 1, 'accepted'),
      survey({ floor: 'g', x: 0, y: 0 }, 1, 'withdrawn'),
    ],
    quality: [{ place: 'weak', x: 1, y: 1, weak: ['few-surveys'], expectedError: 4.5 }],
    waiting: [survey({ location: 'sent' }, 0)],
    cleared: new Map([['emptied', now - 4 * 86400000]]), frame: fitted, now,
  };
  const places = model.placesOf(parts);
  const state = (id) => places.find((one) => one.id === id).state;
  assert.deepStrictEqual(
    ['fine', 'weak', 'old', 'bare', 'sent', 'emptied', 'refused'].map(state),
    ['good', 'weak', 'old', 'none', 'waiting', 'none', 'none']);
  const fine = places.find((one) => one.id === 'fine');
  assert.deepStrictEqual([fine.surveys, fine.readings, fine.newest], [2, 20, Date.parse(day(1))]);
  assert(fine.isPublished && !places.find((one) => one.id === 'bare').isPublished);
  const loose = places.filter((one) => !one.id);
  assert.deepStrictEqual(loose.map((one) => one.surveys), [2], 'half a metre apart is one place');
  assert.strictEqual(places.find((one) => one.id === 'weak').error, 4.5);

  const cells = [at(0, 0), at(4, 0), at(20, 0), at(40, 0)];
  assert.deepStrictEqual(model.distances(cells, [at(0, 0)]).map(Math.round), [0, 4, 20, 40]);
  close(model.coveredShare(model.distances(cells, [at(0, 0)])), 0.5, 1e-9);
  assert.strictEqual(model.coveredShare([]), 0);
  const points = cells.map((place) => ({ place }));
  assert.strictEqual(model.pointsLeft(points, [at(1, 0), at(39, 1)], 3.5).length, 1);
  assert.deepStrictEqual([1, 2, 2.1, 99, Infinity].map((one) => model.classOf(one, [2, 4, 8])),
    [0, 0, 1, 3, 3]);
}

// MARK: Surveys that wait

/** The service: which surveys it has, how often each was stored, and what the network loses. */
class Service {
  constructor() {
    this.surveys = new Map();
    this.withdrawn = new Set();
    this.account = 'anna';
    this.listed = () => true;
    this.lost = () => '';
    this.isPublished = true;
    this.requests = 0;
  }

  answer(address, request) {
    if (address.startsWith('/v1/session')) {
      return [200, { account: this.account, changeToken: 'x', grants: [] }];
    }
    this.requests += 1;
    if (request.method === 'DELETE') {
      const id = address.split('/').pop();
      if (!this.listed(id) || !(this.surveys.has(id) || this.withdrawn.has(id))) {
        return [404, { code: 'survey-unknown' }];
      }
      this.surveys.delete(id);
      this.withdrawn.add(id);
      return [202, {}];
    }
    const body = JSON.parse(request.body);
    assert(body.length <= 20, `${body.length} at once`);
    const rejected = [];
    body.forEach((one, index) => {
      const code = !this.isPublished ? 'site-unknown' : one.wifi.length ? '' : 'nothing-of-site-heard';
      if (code) rejected.push({ index, code, detail: 'No.' });
      else if (!this.withdrawn.has(one.id)) this.surveys.set(one.id, one);
    });
    const accepted = body.length - rejected.length;
    return [accepted ? 202 : this.isPublished ? 422 : 404, { accepted, rejected }];
  }
}

let service;
global.fetch = async (address, request) => {
  const loss = service.lost(address, request);
  if (loss === 'way') throw new TypeError('away');
  const [status, value] = service.answer(address, request);
  if (loss === 'back') throw new TypeError('lost');
  if (loss === 'busy') {
    return { ok: false, status: 503, headers: { get: () => null }, json: async () => ({ code: 'starting' }) };
  }
  return { ok: status < 300, status, headers: { get: () => null }, json: async () => value };
};

const scan = (number, empty) => ({
  at: 1.7e12 + 1000 * number,
  reading: { wifi: empty ? [] : [{ bssid: 'aa:00:00:00:00:01', rssi: -50 }], ble: [], steps: 4 },
});
const started = async (hooks) => {
  const queue = new SurveyQueue('museum', 'anna', Object.assign({ changed() {}, sent() {} }, hooks));
  await queue.start();
  return queue;
};
const settled = async (queue) => {
  for (let i = 0; i < 400 && (queue.waiting().length || queue.working); i += 1) {
    await new Promise((done) => whole(done, 1));
  }
};

for (let seed = 0; seed < 40; seed += 1) {
  const next = random(1000 + seed);
  service = new Service();
  service.lost = (address) => {
    if (address.startsWith('/v1/session')) return next() < 0.1 ? 'way' : '';
    const chance = next();
    return chance < 0.25 ? 'way' : chance < 0.5 ? 'back' : chance < 0.6 ? 'busy' : '';
  };
  let sent = 0;
  const queue = await started({ sent: (items) => { sent += items.length; } });
  const ids = [];
  for (let i = 0; i < 45; i += 1) {
    ids.push((await queue.add(scan(i), { location: 'desk', draft: true }, 'Desk')).id);
  }
  await settled(queue);
  assert.strictEqual(queue.waiting().length, 0, `seed ${seed}: ${queue.state}`);
  assert.deepStrictEqual(new Set(service.surveys.keys()), new Set(ids), `seed ${seed}`);
  assert.strictEqual(sent, 45, `seed ${seed}`);
  const one = service.surveys.get(ids[3]);
  assert.deepStrictEqual([one.at, one.place.location, one.steps],
    [new Date(1.7e12 + 3000).toISOString(), 'desk', undefined]);
  assert(one.sentAt, 'the clock of the telephone may be wrong');
}

{
  // One that the service refuses does not hold up the others, and is kept until somebody decides.
  service = new Service();
  const queue = await started();
  const bad = (await queue.add(scan(0, true), { location: 'desk' }, 'Desk')).id;
  for (let i = 1; i < 4; i += 1) await queue.add(scan(i), { location: 'desk' }, 'Desk');
  await settled(queue);
  assert.strictEqual(service.surveys.size, 3);
  assert.deepStrictEqual(queue.refused().map((one) => one.id), [bad]);
  assert.strictEqual(queue.refused()[0].refusal.code, 'nothing-of-site-heard');
  await queue.drop(queue.refused()[0]);
  assert.strictEqual(queue.refused().length, 0);
  // All of a request refused is an answer of 422, and still names each.
  await queue.add(scan(9, true), { location: 'desk' }, 'Desk');
  await settled(queue);
  assert.strictEqual(queue.refused()[0].refusal.code, 'nothing-of-site-heard');
}

{
  // A site that is not published takes nothing yet: the surveys wait, and arrive once.
  service = new Service();
  service.isPublished = false;
  const queue = await started();
  await queue.add(scan(1), { location: 'desk' }, 'Desk');
  await new Promise((done) => whole(done, 20));
  assert.strictEqual(queue.state, 'unpublished');
  assert.strictEqual(queue.waiting().length, 1);
  service.isPublished = true;
  await settled(queue);
  assert.strictEqual(service.surveys.size, 1);
}

{
  // Nothing goes in the name of who has signed in since.
  service = new Service();
  service.account = 'bert';
  const queue = await started();
  await queue.add(scan(1), { location: 'desk' }, 'Desk');
  await new Promise((done) => whole(done, 20));
  assert.deepStrictEqual([queue.state, service.surveys.size], ['signed-out', 0]);
  service.account = 'anna';
  await settled(queue);
  assert.strictEqual(service.surveys.size, 1);
}

{
  // A withdrawal waits until the list has the survey; undone it is sent again under a new id.
  service = new Service();
  let calls = 0;
  service.listed = () => {
    calls += 1;
    return calls > 3;
  };
  const queue = await started();
  const item = await queue.add(scan(1), { location: 'desk' }, 'Desk');
  await settled(queue);
  await queue.withdraw(item.id);
  await settled(queue);
  assert.strictEqual(service.surveys.size, 0);
  assert.strictEqual(queue.survey(item.id).state, 'withdrawn');
  const again = await queue.restore(item.id);
  await settled(queue);
  assert.notStrictEqual(again.id, item.id);
  assert.deepStrictEqual(Array.from(service.surveys.keys()), [again.id]);
  assert.strictEqual(service.surveys.get(again.id).at, item.body.at);
  assert.strictEqual(await queue.restore('unknown'), null);
}

{
  // What was not sent yet is withdrawn without a request, and a walk is kept beside.
  service = new Service();
  service.lost = () => 'way';
  const queue = await started();
  await queue.keepWalk({ taps: [1], scans: [] });
  await queue.keepWalk({ taps: [1, 2], scans: [] });
  const first = await queue.add(scan(1), { location: 'desk' }, 'Desk');
  const second = await queue.add(scan(2), { location: 'desk' }, 'Desk');
  // The first may be on its way; both are withdrawn.
  await queue.withdraw(second.id);
  await queue.withdraw(first.id);
  service.lost = () => '';
  service.listed = () => true;
  // The first was never stored: the list never has it, and the order ends with its time.
  const now = Date.now;
  Date.now = () => now() + 3600000;
  await settled(queue);
  Date.now = now;
  assert.deepStrictEqual([service.surveys.size, queue.waiting().length], [0, 0]);
  assert.deepStrictEqual(queue.walk().walk.taps, [1, 2]);
  await queue.keepWalk(null);
  assert.strictEqual(queue.walk(), null);
}

process.exit(0);
