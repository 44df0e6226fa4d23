// Tests that the kept network leads only to lifts that one can use then.
//
// `node stops_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'node:assert';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');
const { OfflineNetwork } = await import(new URL('offline-network.js', folder));

// From node 0 it is 10 s to the lift a at node 1, and 20 s more to the lift b at node 4. The cars
// are nodes 2 and 3, and 5 and 6.
const ARCS = [
  [0, 1, 0, 0, 10000], [1, 4, 0, 0, 20000], [2, 3, 1, 0, 5000], [5, 6, 2, 0, 5000],
  [1, 2, 1, 1, 30000], [2, 1, 1, 0, 0], [4, 5, 2, 1, 30000], [5, 4, 2, 0, 0],
];
const NOON = Date.UTC(2025, 10, 24, 12);
const HOURS = [{ weekdays: [0, 1, 2, 3, 4, 5, 6], dates: [], minutes: [480, 1080] }];

function network(changes) {
  const tails = ARCS.map((arc, index) => arc[0] - (index ? ARCS[index - 1][0] : 0));
  return new OfflineNetwork({
    floors: ['g'], timeZone: 'GMT', rooms: [], places: {},
    passages: [{ kind: 'approach' }, Object.assign({ kind: 'lift', id: 'a' }, changes),
      { kind: 'lift', id: 'b', widthMetres: 1.1 }],
    profiles: {
      walking: { walkingSpeed: 1, limits: {}, costs: ARCS.map((arc) => arc[4]), prices: [] },
      strict: {
        walkingSpeed: 1, limits: {}, prices: [],
        costs: ARCS.map((arc) => (arc[2] === 1 && arc[3] ? -1 : arc[4])),
      },
    },
    nodes: {
      floors: [0, 0, 0, 0, 0, 0, 0], latitudes: [0, 1, 0, 0, 2, 0, 0],
      longitudes: [0, 0, 0, 0, 0, 0, 0],
    },
    arcs: {
      bothWays: 4, tails, heads: ARCS.map((arc) => arc[1] - arc[0]), bends: [],
      centimetres: ARCS.map(() => 100),
      passages: [].concat(...ARCS.map((arc) => [arc[2], arc[3], 1])),
    },
  });
}

function endOf(changes, more) {
  const nodes = [1, 4].map((node) => ({ node, stopOf: 'lift' }));
  const found = network(changes).find(Object.assign({
    from: { rooms: [], nodes: [{ node: 0 }] }, to: { rooms: [], nodes }, profile: 'walking',
    limits: {}, outages: [], at: NOON,
  }, more));
  return found && found.end;
}

const out = (id, from) => ({ connection: id, from: new Date(from).toISOString() });
assert.equal(endOf({}), 1, 'the nearest');
assert.equal(endOf({}, { outages: [out('a', NOON - 1000)] }), 4, 'out of order');
assert.equal(endOf({}, { outages: [out('a', NOON + 5000)] }), 4, 'out of order on arrival');
const both = [out('a', NOON - 1000), out('b', NOON + 5000)];
assert.equal(endOf({}, { outages: both }), null, 'both are out of order');
assert.equal(endOf({ hours: HOURS }), 1, 'open');
assert.equal(endOf({ hours: HOURS }, { at: NOON + 7 * 3600000 }), 4, 'shut');
assert.equal(endOf({ hours: HOURS }, { at: NOON + 6 * 3600000 - 5000 }), 4, 'shut on arrival');
const wide = { limits: { neededWidthMetres: 0.9 } };
assert.equal(endOf({ widthMetres: 0.6 }, wide), 4, 'too narrow');
assert.equal(endOf({}, { profile: 'strict' }), 4, 'closed to the profile');
// A platform lift is a lift.
assert.equal(endOf({ kind: 'platform-lift' }), 1, 'a platform lift');
assert.equal(
  endOf({ kind: 'platform-lift' }, { profile: 'strict' }), 4, 'a platform lift out of reach');
// A door of a building in the list is no stop.
const door = { to: { rooms: [], nodes: [{ node: 0, stopOf: 'lift' }, { node: 4 }] } };
door.from = { rooms: [], nodes: [{ node: 1 }] };
assert.equal(endOf({}, door), 0, 'a door');
