// Edits that wait, on a small service of the test: each arrives once, whatever the network does.
//
// `node edits_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

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

const { EditQueue } = await import(path.join(folder, 'edit-queue.js'));
const patches = await import(path.join(folder, 'merge-patch.js'));

/** The service: one draft, its journal, and what the network loses. */
class Service {
  constructor() {
    this.records = { 'rooms/a': { id: 'a', name: 'A' }, 'rooms/b': { id: 'b', name: 'B' } };
    this.journal = [];
    this.account = 'anna';
    this.lost = () => '';
  }

  get revision() {
    return this.journal.length;
  }

  /** An edit of somebody: applied, or refused as the service does. */
  edit(one, by) {
    const known = this.journal.find((old) => old.id === one.id);
    if (known) return { id: one.id, revision: known.revision };
    const key = one.kind + '/' + one.record;
    const members = Object.keys(one.value);
    const other = one.basedOn === undefined ? null : this.journal.find((old) => (
      old.key === key && old.revision > one.basedOn
        && old.members.some((member) => members.indexOf(member) >= 0)));
    if (one.value.name === 'bad') {
      return { id: one.id, refused: { code: 'site-invalid', detail: 'No.' } };
    }
    if (other) {
      return { id: one.id, refused: {
        code: 'draft-edit-conflict', theirs: this.records[key], by: { id: other.by },
      } };
    }
    this.records[key] = patches.applyPatch(this.records[key], one.value);
    this.journal.push({
      id: one.id, key, kind: one.kind, record: one.record, members, by,
      revision: this.revision + 1, value: one.value,
    });
    return { id: one.id, revision: this.revision };
  }

  answer(address, request) {
    if (address.startsWith('/v1/session')) {
      return { account: this.account, changeToken: 'x', grants: [] };
    }
    const body = request.body ? JSON.parse(request.body) : null;
    if (address.endsWith('/draft/edits')) {
      const results = body.edits.map((one) => this.edit(one, this.account));
      return { revision: this.revision, results };
    }
    const after = Number(new URLSearchParams(address.split('?')[1]).get('after'));
    return { edits: this.journal.filter((one) => one.revision > after) };
  }
}

let service;
global.fetch = async (address, request) => {
  const loss = service.lost(address, request);
  if (loss === 'way') throw new TypeError('away');
  const value = service.answer(address, request);
  if (loss === 'back') throw new TypeError('lost');
  return { ok: true, status: 200, headers: { get: () => null }, json: async () => value };
};

async function until(holds, told) {
  for (let turn = 0; turn < 5000; turn += 1) {
    if (holds()) return;
    await new Promise((resolve) => whole(resolve, 0));
  }
  assert.fail(told());
}

async function queue() {
  const made = new EditQueue('museum', 'anna', {
    changed: () => null, done: () => null, refused: () => null,
    journal: async (after) => (await (await global.fetch('/x?after=' + after, {})).json()).edits,
  });
  await made.start();
  return made;
}

const patch = (record, value, basedOn) => ({
  do: 'patch', kind: 'rooms', record, value, basedOn, base: null, name: record,
});

// Merge patches: two after each other are one, and a difference makes one of the other.
const first = { names: { cy: 'Ystafell', de: null }, website: 'https://a' };
const second = { names: { de: 'Raum' }, website: null };
const record = { name: 'A', names: { de: 'Zimmer', fr: 'Salle' }, website: 'x' };
assert.deepStrictEqual(patches.applyPatch(record, patches.combine(first, second)),
  patches.applyPatch(patches.applyPatch(record, first), second));
assert.deepStrictEqual(patches.difference(record, { name: 'B', names: { de: null, fr: 'Salle' } }),
  { name: 'B', names: { de: null } });
assert.deepStrictEqual(patches.patchOf(patches.parts(first)), first);

// Without a connection edits of one record become one; the rest keeps its order.
service = new Service();
service.lost = () => 'way';
let edits = await queue();
// Nothing was tried before the account was known: so the edits may still grow.
await edits.add(patch('a', { name: 'A1' }, 0));
await edits.add(patch('a', { website: 'https://a' }, 0));
await edits.add(patch('b', { name: 'B1' }, 0));
assert.strictEqual(edits.waiting().length, 2);
service.lost = () => '';
listeners.online();
await until(() => edits.state === 'saved', () => edits.state);
assert.deepStrictEqual(service.journal.map((one) => one.value),
  [{ name: 'A1', website: 'https://a' }, { name: 'B1' }]);

// An answer that is lost: the edit is sent again, and arrives once. What follows is based on it.
let losses = 3;
service.lost = (address, request) => {
  if (request.method !== 'POST' || !address.endsWith('edits') || !losses) return '';
  losses -= 1;
  return 'back';
};
await edits.add(patch('a', { name: 'A2' }, 2));
await until(() => losses < 3, () => losses);
await edits.add(patch('a', { name: 'A3' }, 2));
await until(() => edits.state === 'saved', () => edits.state);
assert.strictEqual(service.journal.length, 4);
assert.strictEqual(service.records['rooms/a'].name, 'A3');
assert.strictEqual(edits.refused().length, 0);
// Also one that was made before the page has read what its own edit made.
await edits.add(patch('a', { name: 'A4' }, 2));
await until(() => edits.state === 'saved', () => edits.state);
assert.strictEqual(service.records['rooms/a'].name, 'A4');

// Somebody else has changed the same meanwhile: it is refused, kept, and known as a conflict.
service.edit({ id: 'theirs', kind: 'rooms', record: 'a', value: { name: 'T' } }, 'ben');
await edits.add(patch('a', { name: 'A5' }, 5));
await until(() => edits.refused().length === 1, () => JSON.stringify(edits.edits));
assert.strictEqual(edits.refused()[0].refusal.theirs.name, 'T');
assert.strictEqual(edits.refused()[0].refusal.revision, 6);
assert.strictEqual(edits.refused()[0].value.name, 'A5');
// Others' members don't disturb, and an edit that is refused holds up no other.
await edits.add(patch('a', { website: 'https://b' }, 5));
await edits.add(patch('b', { name: 'bad' }, 6));
await until(() => edits.refused().length === 2, () => JSON.stringify(edits.edits));
await edits.add(patch('b', { website: 'https://c' }, 6));
await until(() => edits.state === 'saved', () => edits.state);
assert.strictEqual(service.records['rooms/a'].name, 'T');
assert.strictEqual(service.records['rooms/b'].website, 'https://c');
assert.strictEqual(edits.refused().length, 2);

// Who has signed in since sends nothing of the one before.
service.account = 'ben';
const before = service.journal.length;
await edits.add(patch('b', { name: 'B9' }, 9));
await until(() => edits.state === 'signed-out', () => edits.state);
assert.strictEqual(service.journal.length, before);
service.account = 'anna';
edits.send();
await until(() => edits.state === 'saved', () => edits.state);
assert.strictEqual(service.records['rooms/b'].name, 'B9');

// Any order of losses, for many seeds: each edit arrives once, in order, and none is missing.
for (let seed = 1; seed < 60; seed += 1) {
  let number = seed;
  const chance = (share) => {
    number = (number * 48271) % 2147483647;
    return number / 2147483647 < share;
  };
  service = new Service();
  let away = true;
  service.lost = (address, request) => {
    if (away) return 'way';
    if (request.method !== 'POST' || !address.endsWith('edits')) return '';
    return chance(0.3) ? 'way' : chance(0.4) ? 'back' : '';
  };
  edits = await queue();
  const wanted = { a: {}, b: {} };
  for (let turn = 0; turn < 12; turn += 1) {
    const which = chance(0.5) ? 'a' : 'b';
    const value = { [chance(0.5) ? 'name' : 'website']: seed + '/' + turn };
    Object.assign(wanted[which], value);
    away = chance(0.4);
    await edits.add(patch(which, value, 0));
    if (chance(0.5)) await new Promise((resolve) => whole(resolve, 0));
  }
  away = false;
  listeners.online();
  await until(() => edits.state === 'saved', () => 'seed ' + seed + ': ' + edits.state);
  const ids = service.journal.map((one) => one.id);
  assert.strictEqual(new Set(ids).size, ids.length);
  assert.deepStrictEqual(edits.refused(), [], 'seed ' + seed);
  ['a', 'b'].forEach((which) => Object.keys(wanted[which]).forEach((member) => (
    assert.strictEqual(service.records['rooms/' + which][member], wanted[which][member],
      'seed ' + seed))));
}
process.exit(0);
