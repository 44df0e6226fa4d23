// The geometry of drawing: numbers that a drawing stands on, and what its edits are.
//
// `node draw_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import path from 'path';

const folder = process.argv[2];
const load = (name) => import(path.join(folder, name));
const { DrawFrame } = await load('draw-frame.js');
const geometry = await load('draw-geometry.js');
const shapes = await load('draw-shapes.js');
const { snapped, directionOf, nearestWall, welded } = await load('draw-snapping.js');
const alignment = await load('draw-alignment.js');
const acts = await load('draw-acts.js');
const places = await load('draw-places.js');
const files = await load('draw-files.js');
const { kindOfName, nextName, rowOfNames } = await load('draw-names.js');

function near(one, other, slack, text) {
  const gap = Math.max(...[].concat(one).map((value, i) => Math.abs(value - [].concat(other)[i])));
  assert.ok(gap <= slack, (text || '') + ' ' + JSON.stringify([one, other]));
}

/** A stream of numbers from 0 to 1 that a seed begins (mulberry32). */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const box = (west, south, east, north) => (
  [[west, south], [east, south], [east, north], [west, north]]);
const same = (one, other) => {
  const sorted = (ring) => ring.map((corner) => corner.join()).sort().join(' ');
  assert.strictEqual(sorted(one), sorted(other));
};

// MARK: The frame

const frame = new DrawFrame({ latitude: 52.4153, longitude: -4.0829 }, 12);
for (let seed = 1; seed < 200; seed += 1) {
  const next = chance(seed);
  const point = [(next() - 0.5) * 8000, (next() - 0.5) * 8000];
  const at = frame.degrees(point);
  near(frame.point(at[0], at[1]), point, 1e-6, 'seed ' + seed);
}
// A degree of latitude is 111.27 km there (Snyder 1987, table 5: 111.26 at 52 degrees).
near(frame.point(52.4163, -4.0829), [-23.13, 108.84], 0.05);
assert.ok(!new DrawFrame({ latitude: 0, longitude: 0 }, 0).isPlaced);

// MARK: Rings

assert.strictEqual(geometry.areaOf(box(0, 0, 4, 3)), 12);
near(geometry.middleOf([[0, 0], [6, 0], [6, 2], [2, 2], [2, 6], [0, 6]]), [2.2, 2.2], 1e-9);
assert.ok(geometry.isInside(box(0, 0, 4, 3), [1, 1]));
assert.ok(!geometry.isInside(box(0, 0, 4, 3), [5, 1]));
assert.strictEqual(geometry.selfCrossing(box(0, 0, 4, 3)), null);
near(geometry.selfCrossing([[0, 0], [4, 4], [4, 0], [0, 4]]), [2, 2], 1e-9);
near(geometry.selfCrossing([[0, 0], [4, 0], [4, 4], [2, -1]], true), [2.4, 0], 1e-9);
assert.strictEqual(geometry.selfCrossing([[0, 0], [4, 0], [4, 4]], true), null);
assert.ok(geometry.selfCrossing([[0, 0], [4, 0], [2, 0]], true), 'runs back over itself');
assert.ok(geometry.selfCrossing([[0, 0], [4, 0], [4, 0], [0, 4]]), 'a corner twice');
assert.ok(geometry.selfCrossing([[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]]), 'touches its wall');
near(geometry.sharedArea(box(0, 0, 4, 4), box(2, 2, 6, 6)), 4, 1e-9);
near(geometry.sharedArea([[0, 0], [6, 0], [6, 2], [2, 2], [2, 6], [0, 6]], box(1, 1, 5, 5)),
  4 + 4 - 1, 1e-9);
assert.strictEqual(geometry.sharedArea(box(0, 0, 4, 4), box(4, 0, 8, 4)), 0);
assert.ok(geometry.areAcross(box(0, 0, 4, 4), box(3, 0, 8, 4)));
assert.ok(!geometry.areAcross(box(0, 0, 4, 4), box(3.99, 0, 8, 4)), 'one wall drawn twice');
assert.ok(!geometry.areAcross(box(0, 0, 9, 9), box(1, 1, 3, 3)), 'a kiosk in a hall');
assert.ok(geometry.areAcross(box(0, 0, 4, 4), box(0, 0, 4, 4)), 'the same room twice');

// Areas by triangles are those of the formula, for rings that a walk around a middle makes.
for (let seed = 1; seed <= 200; seed += 1) {
  const next = chance(seed);
  const count = 3 + Math.floor(next() * 15);
  const ring = [];
  for (let i = 0; i < count; i += 1) {
    const angle = ((i + 0.8 * next()) / count) * 2 * Math.PI;
    const far = 1 + 9 * next();
    ring.push([far * Math.cos(angle), far * Math.sin(angle)]);
  }
  if (geometry.selfCrossing(ring) || geometry.areaOf(ring) <= 0) continue;
  const sum = geometry.triangles(ring).reduce((all, one) => all + geometry.areaOf(one), 0);
  near(sum, geometry.areaOf(ring), 1e-6, 'seed ' + seed);
  // What it shares with a plane's half is what a cut leaves there.
  const half = geometry.sharedArea(ring, box(0, -20, 20, 20));
  const other = geometry.sharedArea(ring, box(-20, -20, 0, 20));
  near(half + other, geometry.areaOf(ring), 1e-6, 'halves of seed ' + seed);
}

// MARK: Rooms made of others

same(shapes.rectangle([4, 3], [0, 0], 0), box(0, 0, 4, 3));
const turnedBox = shapes.rectangle([0, 0], shapes.turned([4, 3], 0.3), 0.3);
near(geometry.distanceOf(turnedBox[0], turnedBox[1]), 4, 0.002);
near(Math.abs(geometry.areaOf(turnedBox)), 12, 0.01);
const row = shapes.divided(box(0, 0, 12, 3), 4);
assert.deepStrictEqual(row.map((ring) => Math.min(...ring.map((one) => one[0]))), [0, 3, 6, 9]);
const column = shapes.divided(box(0, 0, 3, 12), 3);
assert.deepStrictEqual(column.map((ring) => Math.min(...ring.map((one) => one[1]))), [8, 4, 0]);
assert.strictEqual(shapes.divided([[0, 0], [4, 0], [2, 3]], 2), null);
const halves = shapes.split(box(0, 0, 10, 4), [4, -1], [4, 6]);
same(halves[0].concat(halves[1]), box(0, 0, 4, 4).concat(box(4, 0, 10, 4)));
assert.strictEqual(shapes.split(box(0, 0, 10, 4), [20, 0], [20, 4]), null);
// A room like a U is cut in one of its arms only.
const shapeU = [[0, 0], [9, 0], [9, 6], [6, 6], [6, 3], [3, 3], [3, 6], [0, 6]];
const arms = shapes.split(shapeU, [0, 4], [3, 4]);
near(arms.map((ring) => Math.abs(geometry.areaOf(ring))).sort(), [39, 6], 1e-9);
same(shapes.merged(box(0, 0, 4, 4), box(4, 0, 9, 4)).outline, box(0, 0, 9, 4));
same(shapes.merged(box(0, 0, 4, 4), box(4, 1, 9, 3)).outline,
  [[0, 0], [4, 0], [4, 1], [9, 1], [9, 3], [4, 3], [4, 4], [0, 4]]);
same(shapes.merged(box(0, 0, 4, 4), box(4.2, 0, 9, 4)).outline, box(0, 0, 9, 4));
assert.strictEqual(shapes.merged(box(0, 0, 4, 4), box(6, 0, 9, 4)), null);
assert.strictEqual(shapes.merged(box(0, 0, 4, 4), box(4, 4, 9, 9)), null, 'at a corner alone');
// A C that is closed has a courtyard.
const court = shapes.merged([[0, 0], [9, 0], [9, 3], [3, 3], [3, 6], [9, 6], [9, 9], [0, 9]],
  box(9, 0, 12, 9));
assert.strictEqual(court.holes.length, 1);
near(Math.abs(geometry.areaOf(court.holes[0])), 18, 1e-9);
// What is split is the same again when it is merged.
for (let seed = 1; seed <= 100; seed += 1) {
  const next = chance(seed);
  const ring = box(0, 0, 5 + 9 * next(), 5 + 9 * next());
  const at = (share) => [ring[2][0] * share, next() < 0.5 ? 0 : ring[2][1]];
  const cut = shapes.split(ring, at(next()), [ring[2][0] * next(), ring[2][1] * next()]);
  if (!cut) continue;
  const areas = cut.map((one) => Math.abs(geometry.areaOf(one)));
  near(areas[0] + areas[1], geometry.areaOf(ring), 0.02, 'seed ' + seed);
  const again = shapes.merged(cut[0], cut[1]);
  near(geometry.areaOf(again.outline), geometry.areaOf(ring), 0.02, 'merged ' + seed);
}

// MARK: Snapping

const rings = [box(0, 0, 10, 8)];
const around = (more) => Object.assign({ rings, from: [], angle: 0, radius: 0.4 }, more);
assert.deepStrictEqual(snapped([10.2, 7.9], around()), { point: [10, 8], kind: 'corner', guides: [] });
assert.deepStrictEqual(snapped([10.3, 5], around()).point, [10, 5]);
assert.strictEqual(snapped([10.3, 5], around()).kind, 'wall');
const lined = snapped([15, 8.2], around());
assert.deepStrictEqual([lined.point, lined.kind], [[15, 8], 'line']);
assert.deepStrictEqual(lined.guides, [[[10, 8], [15, 8]]]);
// A right angle with the corner before.
assert.deepStrictEqual(snapped([20.3, 14], around({ from: [[20, 20]] })).point, [20, 14]);
assert.deepStrictEqual(snapped([20.444, 15.111], around()).point, [20.44, 15.11]);
const tilted = snapped(shapes.turned([15.0, 0.2], 0.5), around({
  rings: [box(0, 0, 10, 8).map((one) => shapes.turned(one, 0.5))], angle: 0.5,
}));
near(shapes.turned(tilted.point, -0.5), [15, 0], 0.002);
near(directionOf([box(0, 0, 9, 3).map((one) => shapes.turned(one, 0.4))], 0), 0.4, 1e-9);
assert.strictEqual(directionOf([], 0.2), 0.2);
assert.strictEqual(directionOf([box(0, 0, 9, 3).map((one) => shapes.turned(one, 0.001))], 0), 0);
near(directionOf([box(0, 0, 9, 3)], 0.3), 0, 1e-9);
assert.deepStrictEqual(welded([[10.003, 7.998], [9.99, 4], [10.3, 9]], rings),
  [[10, 8], [10, 4], [10.3, 9]]);
assert.strictEqual(nearestWall(rings, [5, 4], 0.5), null);

// MARK: Alignment

const shown = (matrix, pixels) => pixels.map(([column, row]) => {
  const [x, y] = alignment.pointOfPixel(matrix, column, row);
  return { column, row, x, y };
});
const corners = [[0, 0], [1000, 40], [980, 700], [30, 640], [500, 300]];
const truth = alignment.similarity([
  { column: 0, row: 0, x: 5, y: 30 }, { column: 1000, row: 0, x: 45, y: 60 }]);
near(alignment.pointOfPixel(truth, 1000, 0), [45, 60], 1e-9);
near(alignment.pixelOfPoint(truth, [45, 60]), [1000, 0], 1e-6);
const fine = alignment.judged(shown(truth, corners.slice(0, 3)));
near(fine.metres, [0, 0, 0], 1e-9);
assert.ok(!fine.isLoose && fine.wrong === -1);
for (let wrong = 0; wrong < 5; wrong += 1) {
  const pairs = shown(truth, corners);
  pairs[wrong].x += 4;
  const found = alignment.judged(pairs);
  assert.ok(found.isLoose);
  assert.strictEqual(found.wrong, wrong);
  const three = alignment.judged(pairs.slice(0, 3));
  assert.strictEqual(three.wrong, -1, 'three pairs do not say which is wrong');
  assert.strictEqual(three.isLoose, wrong < 3);
}
// Hands that shake by ten centimetres are fine.
for (let seed = 1; seed <= 100; seed += 1) {
  const next = chance(seed);
  const pairs = shown(truth, corners).map((pair) => Object.assign(pair, {
    x: pair.x + 0.2 * (next() - 0.5), y: pair.y + 0.2 * (next() - 0.5),
  }));
  assert.ok(!alignment.judged(pairs).isLoose, 'seed ' + seed);
}
assert.strictEqual(alignment.judged([]).fault, 'few');
assert.strictEqual(
  alignment.judged(shown(truth, [[0, 0], [100, 100], [200, 200.05]])).fault, 'line');
assert.strictEqual(alignment.judged([{ column: 3, row: 3, x: 1, y: 1 },
  { column: 3, row: 3, x: 2, y: 5 }]).fault, 'line');
// By scale, and the record's other forms.
const size = { widthPixels: 1000, heightPixels: 600 };
const scaled = alignment.placedByScale([0, 0], [300, 400], 25, size, [10, 20], 12);
assert.strictEqual(scaled.metresPerPixel, 0.05);
const placed = (bearing) => alignment.mapOfPlan(Object.assign({
  alignment: { x: 10, y: 20, metresPerPixel: 0.05, bearingDegrees: bearing },
}, size), 12);
near(alignment.pointOfPixel(placed(12), 0, 0), [-15, 35], 1e-9);
// Its upper edge points east.
near(alignment.pointOfPixel(placed(102), 500, 0), [25, 20], 1e-9);
near(alignment.mapOfPlan(Object.assign({
  alignment: { corners: [[-15, 35], [35, 5]] } }, size), 12), placed(12), 1e-9);
for (let quarters = 0; quarters < 4; quarters += 1) {
  const at = alignment.turnedPixel(70, 20, [1000, 600], quarters);
  assert.deepStrictEqual(alignment.unturnedPixel(at[0], at[1], [1000, 600], quarters), [70, 20]);
}
assert.deepStrictEqual(alignment.turnedPixel(0, 0, [1000, 600], 1), [600, 0]);

// MARK: Names

assert.deepStrictEqual(['101', 'A.09', 'Room 9', '9a', 'Egypt', '', 'B2-099'].map(nextName),
  ['102', 'A.10', 'Room 10', '9b', '', '', 'B2-100']);
assert.deepStrictEqual(rowOfNames('101', 3), ['101', '102', '103']);
assert.deepStrictEqual(rowOfNames('Office', 2), ['Office', 'Office']);
assert.strictEqual(kindOfName('Egypt'), null);

// MARK: Places, floors and files as people write them

const london = { latitude: 51.5123, longitude: -0.1166 };
['51.5123, -0.1166', '51.5123 -0.1166', '51,5123; -0,1166', '51.5123° N, 0.1166° W',
  'https://www.openstreetmap.org/#map=19/51.5123/-0.1166',
  'https://www.openstreetmap.org/?mlat=51.5123&mlon=-0.1166#map=5/1/2',
  'https://www.google.com/maps/@51.5123,-0.1166,17z', 'geo:51.5123,-0.1166?z=19',
  'https://maps.example/?q=51.5123,-0.1166'].forEach((text) => {
  assert.deepStrictEqual(places.placeOfText(text), london, text);
});
['', 'London', '91, 0', '51.5', '1234, 5'].forEach((text) => (
  assert.strictEqual(places.placeOfText(text), null, text)));
assert.deepStrictEqual(places.signsOf(' B, G ,1,, 2'), ['B', 'G', '1', '2']);
const ordinals = (text) => places.ordinalsOf(places.signsOf(text));
assert.deepStrictEqual(ordinals('B, G, 1, 2'), [-1, 0, 1, 2]);
assert.deepStrictEqual(ordinals('UG, EG, 1'), [-1, 0, 1]);
assert.deepStrictEqual(ordinals('-1, 0, 1'), [-1, 0, 1]);
assert.deepStrictEqual(ordinals('1, 2, 3'), [0, 1, 2]);
assert.deepStrictEqual(ordinals('B2, B1, Hall'), [-2, -1, 0]);
assert.deepStrictEqual(ordinals('B'), [0]);
assert.deepStrictEqual([['1', false], ['G', false], ['B1', true], ['-1', true], ['EG', true]]
  .map(([sign, isBelow]) => places.nextSign(sign, isBelow)), ['2', '1', 'B2', '-2', '']);
assert.strictEqual(files.pagesOf('<</Type /Pages /Kids [1 0 R] /Count 200>> /Type /Page '), 200);
assert.strictEqual(files.pagesOf('/Type/Page /x /Type /Page\n/Type /Pages'), 2);
assert.strictEqual(files.pagesOf('packed'), 0);
const file = (name, type, size) => files.faultOfFile({ name, type, size });
assert.strictEqual(file('plan.PDF', '', 5), null);
assert.strictEqual(file('plan.pdf', 'application/pdf', 20000001).key, 'draw.file.large');
assert.strictEqual(file('plan.svg', 'image/svg+xml', 3000000).values.most, 2);
assert.strictEqual(file('plan.dwg', 'application/octet-stream', 5).key, 'draw.file.type');
assert.strictEqual(file('plan.png', 'image/png', 0).key, 'draw.file.empty');
assert.strictEqual(files.faultOfSize(30000, 200).key, 'draw.file.pixels');
assert.strictEqual(files.faultOfSize(15000, 9000).key, 'draw.file.pixels');
assert.strictEqual(files.faultOfSize(4000, 3000), null);

// MARK: What strokes change

const west = { id: 'west', floor: 'g', name: 'West', kind: 'room', outline: box(0, 0, 10, 8) };
const east = { id: 'east', floor: 'g', name: 'East', kind: 'room', outline: box(10, 0, 20, 8) };
const door = { id: 'd', kind: 'door', stops: [
  { floor: 'g', room: 'west', x: 10, y: 4 }, { floor: 'g', room: 'east', x: 10, y: 4 }] };
const front = { id: 'f', kind: 'door', stops: [
  { x: 8, y: 0 }, { floor: 'g', room: 'west', x: 8, y: 0 }] };
const desk = { id: 'desk', floor: 'g', room: 'west', x: 9, y: 2 };
const shop = { id: 'shop', name: 'Shop', places: [{ room: 'east' }] };
const lists = { connections: [door, front], locations: [desk], directory: [shop] };
let count = 0;
const newID = (kind) => kind + '-' + (count += 1);

const cut = acts.splitting(west, [[7, 0], [7, 8]], 'new', lists);
assert.deepStrictEqual(cut.map((one) => [one.do, one.kind, one.record]), [
  ['put', 'rooms', 'new'], ['patch', 'rooms', 'west'], ['patch', 'connections', 'd'],
  ['patch', 'connections', 'f'], ['patch', 'locations', 'desk']]);
same(cut[0].value.outline, box(7, 0, 10, 8));
assert.deepStrictEqual(cut[2].value.stops.map((stop) => stop.room), ['new', 'east']);
assert.strictEqual(cut[4].value.room, 'new');

const one = acts.merging(west, east, lists);
same(one[0].value.outline, box(0, 0, 20, 8));
assert.deepStrictEqual(one.slice(1).map((each) => [each.do, each.kind, each.record]), [
  ['remove', 'connections', 'd'], ['patch', 'directory', 'shop'], ['remove', 'rooms', 'east']]);
assert.deepStrictEqual(one[2].value, { places: [{ room: 'west' }] });
assert.strictEqual(one[3].value.cascade, false, 'what was forgotten is not lost');

const inRow = acts.rowing(west, shapes.divided(west.outline, 2), ['1', '2'], newID, lists);
assert.deepStrictEqual(inRow.map((each) => each.do), ['put', 'patch', 'patch', 'patch']);
assert.strictEqual(inRow[2].value.stops[0].room, inRow[0].record);

const copies = acts.copying([west, east], [door, front], '1', newID);
assert.deepStrictEqual(copies.map((each) => each.kind), ['rooms', 'rooms', 'connections']);
assert.ok(copies[2].value.stops.every((stop) => stop.floor === '1'));
assert.strictEqual(copies[2].value.stops[0].room, copies[0].record);

const pulled = acts.cornering(west, 1, [12, 0], [east], [door, front]);
assert.deepStrictEqual(pulled.map((each) => each.record), ['west', 'east', 'd', 'f']);
assert.deepStrictEqual(pulled[1].value.outline[0], [12, 0]);
near([pulled[2].value.stops[0].x, pulled[2].value.stops[0].y], [11, 4], 1e-9);
near(pulled[3].value.stops[0].x, 9.6, 1e-9);
assert.strictEqual(acts.cornering({ outline: [[0, 0], [1, 0], [0, 1]] }, 0, null, [], []), null);

const shifted = acts.shifting(west, [0, 3], lists);
assert.deepStrictEqual(shifted.map((each) => each.record), ['west', 'd', 'f', 'desk']);
const rooms = new Map([['west', shifted[0].value.outline], ['east', east.outline]]);
const after = shifted.filter((each) => each.kind === 'connections')
  .map((each) => Object.assign({ kind: 'door' }, each.value));
assert.deepStrictEqual(acts.doorsInTheAir(after, (id) => rooms.get(id)), []);
assert.strictEqual(acts.doorsInTheAir([Object.assign({}, door, {
  stops: door.stops.map((stop) => Object.assign({}, stop, { y: 12 })),
})], (id) => rooms.get(id)).length, 1);

const wall = nearestWall([west.outline, east.outline], [10.1, 4], 0.5);
const sides = acts.sidesOf(wall, [west, east]);
assert.deepStrictEqual([sides.left.id, sides.right.id].sort(), ['east', 'west']);
near(sides.point, [10, 4], 0.001);
const thick = Object.assign({}, east, { outline: box(10.3, 0, 20, 8) });
const between = acts.sidesOf(nearestWall([west.outline], [10.1, 4], 0.5), [west, thick]);
near(between.point, [10.15, 4], 0.06);
const outer = acts.sidesOf(nearestWall([west.outline], [8, -0.1], 0.5), [west, east]);
assert.ok((outer.left || outer.right).id === 'west' && !(outer.left && outer.right));
