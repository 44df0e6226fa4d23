// Tests that results of a search with one name are told apart.
//
// `node twins_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');
globalThis.document = { documentElement: {}, body: { getAttribute: () => '' } };
globalThis.location = { hash: '' };
const square = (x, y) => [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
const ROOMS = [
  { id: 'a', name: 'Toilet', outline: square(0, 0) },
  { id: 'b', name: 'Toilet', outline: square(20, 0) },
  { id: 'shop', name: 'Shop', outline: square(2, 0) },
  { id: 'hall', name: 'Hall', outline: square(18, 0) },
  { id: 'bare', name: 'Bare' },
];
const HOUSES = [
  { id: 'nameless', outline: square(0, 0) }, { id: 'far', name: 'Far', outline: square(90, 0) },
  { id: 'close', name: 'Close', outline: square(5, 0) },
];
const RECORDS = {
  '/directory/e1': { id: 'e1', places: [{ building: 'far' }] },
  '/directory/e2': { id: 'e2', places: [{ building: 'nameless' }] },
  '/directory/e3': { id: 'e3', places: [{ room: 'shop' }] },
  '/directory/e4': { id: 'e4', places: [{ location: 'l' }] },
  '/directory/e5': { id: 'e5', places: [] },
  '/locations/l': { id: 'l', floor: 'g1', room: 'hall', x: 1.5, y: 0.5 },
};
HOUSES.forEach((one) => { RECORDS['/buildings/' + one.id] = one; });
ROOMS.forEach((one) => { RECORDS['/rooms/' + one.id] = Object.assign(one, { floor: 'g1' }); });
const FOUND = [['k1', 'g1'], ['k2', 'g1'], ['k3', 'f1']];
const paths = [];
let refusals = 0;
globalThis.fetch = async (path) => {
  paths.push(String(path));
  if (refusals > 0 && !/session/.test(path)) {
    refusals -= 1;
    return {
      ok: false, status: 429, json: async () => ({}), headers: new Map([['retry-after', '0.01']]),
    };
  }
  const file = String(path).startsWith('/app/');
  const value = () => {
    if (file) return JSON.parse(readFileSync(new URL('.' + path.slice(4), folder)));
    if (String(path).indexOf('/rooms?') >= 0) return { rooms: ROOMS };
    if (String(path).indexOf('/search?') >= 0) {
      return { results: FOUND.map(([id, floor]) => ({ id, kind: 'directory', floors: [floor] })) };
    }
    if (String(path).indexOf('/buildings?') >= 0) return { buildings: HOUSES };
    const own = Object.keys(RECORDS).find((end) => String(path).endsWith(end));
    if (own) return RECORDS[own];
    return { changeToken: 'x' };
  };
  return { ok: true, status: 200, json: async () => value(), headers: new Map() };
};
const words = await import(new URL('words.js', folder));
const { tellApart } = await import(new URL('twins.js', folder));
const { namesakes, withoutDoubles } = await import(new URL('places.js', folder));
await words.loadWords('en');

const buildings = new Map();
const floors = [['g1', 'one', 'G'], ['g2', 'two', 'G'], ['f1', 'one', '1']]
  .map(([id, building, level]) => ({ id, building, level }));
const site = {
  id: 's', floors, floorOf: (id) => floors.find((one) => one.id === id) || null,
  buildingOf: (id) => buildings.get(id) || null, storeyedBuildings: () => ['one', 'two'],
  readBuilding: async (id) => buildings.set(id, { id, name: id === 'one' ? 'East' : 'West' }),
};
const result = (id, name, floor) => ({ kind: 'room', id, name, floors: floor ? [floor] : [] });
const results = [
  result('a', 'Toilet', 'g1'), result('b', 'toilet', 'g1'), result('c', 'Toilet', 'g2'),
  result('d', 'Toilet', 'f1'), result('e', 'Lab', 'g1'),
];
assert.deepStrictEqual(namesakes(results).map((one) => one.id), ['a', 'b', 'c', 'd']);
let changes = 0;
const done = tellApart(site, results, () => { changes += 1; });
// What is known at once is there at once.
assert.strictEqual(results[0].where, 'Level G');
await done;
assert(changes >= 2);
assert.deepStrictEqual(results.map((one) => one.where), [
  'Level G, East · near Shop', 'Level G, East · near Hall', 'Level G, West', 'Level 1, East',
  undefined,
]);
const shown = results.filter((one) => one.where).map((one) => one.where);
assert.strictEqual(new Set(shown).size, shown.length);

// Entries of the directory say where they lead, and two in one place never the same.
const entry = (id, floor) => ({ kind: 'directory', id, name: 'Pret', floors: floor ? [floor] : [] });
const entries = [
  entry('e1'), entry('e2'), entry('e3', 'g1'), entry('e4', 'g1'), entry('e5'),
];
await tellApart(site, entries, () => {});
assert.deepStrictEqual(entries.map((one) => one.where), [
  'Far', 'near Close', 'Level G, East · near Toilet', 'Level G, East · near Shop', '',
]);

// The directory lists its entries without floors: one search for a name has those of all. Records
// come with the lists of floors, not one by one.
paths.length = 0;
const row = (id, places) => ({
  kind: 'directory', id, name: 'Kiosk', category: 'shop', record: { id, places },
});
let told = 0;
const rows = [row('k1', [{ room: 'a' }]), row('k2', [{ room: 'b' }]), row('k3', [{ room: 'c' }])];
rows.push(Object.assign(row('k4', []), { name: 'Alone' }));
await tellApart(site, rows, () => { told += 1; });
assert.deepStrictEqual(rows.map((one) => one.where), [
  'Level G, East · near Shop', 'Level G, East · near Hall', 'Level 1, East', undefined,
]);
assert.strictEqual(told, 2);
assert.deepStrictEqual(paths.filter((path) => !/session/.test(path)).map((path) => (
  path.replace(/&.*|\?limit.*/, '').replace('/v1/sites/s/', ''))), ['search?q=kiosk']);

// Their floors alone may tell them apart; that is told, too.
const apart = [row('k2', [{ room: 'b' }]), row('k3', [{ room: 'c' }])];
await tellApart(site, apart, () => { told += 1; });
assert.deepStrictEqual(apart.map((one) => one.where), ['Level G, East', 'Level 1, East']);
assert.strictEqual(told, 3);

// Where more is asked than a visitor may ask at once, it waits, and gets all.
refusals = 3;
rows.forEach((one) => { one.name = 'Stall'; one.floors = undefined; one.where = ''; });
await tellApart(site, rows.slice(0, 2), () => {});
assert.strictEqual(refusals, 0);
assert.deepStrictEqual(rows.slice(0, 2).map((one) => one.where), [
  'Level G, East · near Shop', 'Level G, East · near Hall',
]);

// The middle of a room is that of its area, as for the service: many corners on one side count once.
const side = [10, 9, 8, 7, 6].map((y) => [0, 99 + y]);
const dent = [[0, 99], [10, 99], [10, 109]].concat(side);
ROOMS.push(
  { id: 'w1', name: 'Ward', outline: dent, floor: 'f1' },
  { id: 'w2', name: 'Ward', outline: square(40, 99), floor: 'f1' },
  { id: 'right', name: 'Right', outline: square(11, 103.5), floor: 'f1' },
  { id: 'left', name: 'Left', outline: square(-4, 104), floor: 'f1' },
  { id: 'end', name: 'End', outline: square(42, 99), floor: 'f1' });
const wards = [result('w1', 'Ward', 'f1'), result('w2', 'Ward', 'f1')];
await tellApart(site, wards, () => {});
assert.deepStrictEqual(wards.map((one) => one.where), [
  'Level 1, East · near Right', 'Level 1, East · near End',
]);

// A room and its entry are one result, but two shops of one name on one floor are two.
const ids = (...all) => withoutDoubles(all).map((one) => one.id);
const room = (id, floor) => result(id, 'Pret', floor);
assert.deepStrictEqual(
  ids(entry('e1'), entry('e2', 'g1'), entry('e3', 'g1'), room('r2', 'g1'), room('r3', 'g1')),
  ['e1', 'e2', 'e3']);
assert.deepStrictEqual(ids(room('r1', 'g1'), entry('e1', 'g1'), entry('e2', 'f1')), ['r1', 'e2']);
assert.deepStrictEqual(ids(entry('e1', 'g1'), room('r1', 'g1'), room('r2', 'g1')), ['r1', 'r2']);

// A search without namesakes needs no module for them; one with them asks for it once.
// Another copy of the module, to which twins.js has not come yet.
const places = await import(new URL('places.js?fresh', folder));
const asked = [];
globalThis.window = { loading: { module: (path, failed) => asked.push([path, failed]) } };
const { signal } = new AbortController();
await places.tellApart(site, [result('a', 'Toilet', 'g1'), result('e', 'Lab', 'g1')], null, signal);
assert.deepStrictEqual(asked, []);
const alike = [result('a', 'Toilet', 'g1'), result('d', 'Toilet', 'f1')];
let relabelled = 0;
const lost = places.tellApart(site, alike, () => { relabelled += 1; }, signal);
asked[0][1]();
await lost;
const found = places.tellApart(site, alike, () => { relabelled += 1; }, signal);
const again = places.tellApart(site, alike, () => null, signal);
places.provideTwins(tellApart);
await Promise.all([found, again]);
assert.deepStrictEqual(asked.map((one) => one[0]), ['/app/twins.js', '/app/twins.js']);
assert.deepStrictEqual(alike.map((one) => one.where), ['Level G, East', 'Level 1, East']);
assert(relabelled >= 2);

// A failure that is told after the module came loses nothing: the module runs only once.
asked[1][1]();
alike.forEach((place) => { place.where = ''; });
await places.tellApart(site, alike, () => null, signal);
assert.strictEqual(asked.length, 2);
assert.deepStrictEqual(alike.map((one) => one.where), ['Level G, East', 'Level 1, East']);
