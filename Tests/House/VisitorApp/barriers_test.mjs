// Tests which barriers the app offers where, and on which connection of a way each is reported.
//
// `node barriers_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'node:assert';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');
const ways = await import(new URL('barrier-ways.js', folder));

let seed = 29;
function random(most) {
  seed = (seed * 16807) % 2147483647;
  return seed % most;
}

const KINDS = ['door', 'lift', 'stairs', 'ramp', 'walk', 'escalator', 'platform-lift', 'room'];

/** A way through rooms and connections, with a step at some of its legs. */
function drawn() {
  const legs = Array.from({ length: 1 + random(12) }, (_, index) => {
    const kind = KINDS[random(KINDS.length)];
    return kind === 'room' ? { kind, room: 'r' + index }
      : { kind, connection: 'c' + random(9) };
  });
  const instructions = [{ leg: 0 }];
  legs.forEach((leg, index) => {
    for (let count = random(3); count > 0; count -= 1) instructions.push({ leg: index });
  });
  return { legs, instructions };
}

/** The same, as one would do it by hand: walk along the way and look. */
function twin(route, at) {
  const steps = route.instructions;
  const found = [];
  const later = [];
  const next = steps[at + 1];
  const after = steps[at + 2];
  for (let leg = steps[at].leg; leg < route.legs.length; leg += 1) {
    const id = route.legs[leg].connection;
    if (!id || found.indexOf(id) >= 0 || later.indexOf(id) >= 0) continue;
    const isNear = !next || leg <= next.leg || !after || leg < after.leg;
    (isNear ? found : later).push(id);
  }
  return found.length ? found : later.slice(0, 1);
}

for (let i = 0; i < 2000; i += 1) {
  const route = drawn();
  const at = random(route.instructions.length);
  const ahead = ways.connectionsAhead(route, route.instructions[at]);
  assert.deepStrictEqual(ahead.map((one) => one.id), twin(route, at), JSON.stringify([route, at]));
  // By ear a way has other steps, and the same rule.
  const heard = { legs: route.legs, instructions: [{ leg: 0 }], spoken: route.instructions };
  assert.deepStrictEqual(ways.connectionsAhead(heard, heard.spoken[at], heard.spoken), ahead);
  const kinds = ways.kindsAt(ahead);
  // Any way may be blocked, and what is offered can be there.
  assert(kinds.indexOf('way-blocked') >= 0);
  for (const kind of ways.allKinds) {
    const fits = ahead.some((one) => ways.suits(kind, one.kind));
    const always = kind === 'way-blocked' || kind === 'other-barrier';
    assert.strictEqual(kinds.indexOf(kind) >= 0, fits || always, kind);
  }
}

// The lift beside the way is not the lift on it.
const byLift = {
  legs: [
    { kind: 'room', room: 'a' }, { kind: 'door', connection: 'd' }, { kind: 'room', room: 'b' },
    { kind: 'lift', connection: 'l' }, { kind: 'room', room: 'c' },
    { kind: 'door', connection: 'e' },
  ],
  instructions: [{ leg: 0 }, { leg: 1 }, { leg: 3 }, { leg: 5 }],
};
const told = (at) => ways.connectionsAhead(byLift, byLift.instructions[at]);
assert.deepStrictEqual(told(0).map((one) => one.id), ['d']);
assert.deepStrictEqual(ways.kindsAt(told(0)), ['door-locked', 'way-blocked', 'other-barrier']);
assert.deepStrictEqual(told(1).map((one) => one.id), ['d', 'l']);
assert.deepStrictEqual(told(2).map((one) => one.id), ['l', 'e']);
assert.deepStrictEqual(ways.kindsAt([]), ['way-blocked', 'other-barrier']);
