// Strokes of a drawing as steps: what is shown before it has arrived, and what one undo takes back.
//
// `node draw_steps_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import path from 'path';

const folder = process.argv[2];
global.window = { addEventListener: () => null };
global.document = { body: { getAttribute: () => 'museum' } };
global.location = { hash: '' };
const whole = global.setTimeout;
global.setTimeout = (run) => whole(run, 0);

const { Draft } = await import(path.join(folder, 'draft.js'));
const { changedBy } = await import(path.join(folder, 'merge-patch.js'));

/** The service: records, and a journal of edits with the record before each. */
class Service {
  constructor() {
    this.records = new Map([['rooms/a', { id: 'a', name: 'A' }], ['rooms/b', { id: 'b', name: 'B' }]]);
    this.journal = [];
    this.isAway = false;
  }

  note(id, key, now, undoes) {
    const before = this.records.get(key) || null;
    if (now) this.records.set(key, now);
    else this.records.delete(key);
    this.journal.push({ id, key, before, undoes, revision: this.journal.length + 1 });
    return { id, revision: this.journal.length };
  }

  undo(body) {
    const isUndone = (one) => this.journal.some((other) => other.undoes === one.revision
      && !isUndone(other));
    const found = body.revision ? this.journal[body.revision - 1]
      : this.journal.filter((one) => !one.undoes && !isUndone(one)).pop();
    if (!found) throw new Error('nothing to undo');
    return this.note(body.id, found.key, found.before, found.revision);
  }

  answer(address, body) {
    if (address.startsWith('/v1/session')) return { account: 'anna', changeToken: 'x', grants: [] };
    if (address.endsWith('/draft/undo')) return this.undo(body);
    if (!body) return { edits: [] };
    const results = body.edits.map((one) => {
      const key = one.kind + '/' + one.record;
      const now = changedBy(this.records.get(key) || null, one);
      assert.ok(now || one.do === 'remove', 'there is nothing to patch: ' + key);
      return this.note(one.id, key, now);
    });
    return { revision: this.journal.length, results };
  }
}

let service;
global.fetch = async (address, request) => {
  if (service.isAway) throw new TypeError('away');
  const value = service.answer(address, request.body ? JSON.parse(request.body) : null);
  return { ok: true, status: 200, headers: { get: () => null }, json: async () => value };
};

async function begin() {
  service = new Service();
  const draft = new Draft({ id: 'museum' }, 'anna', { edits: true });
  const { records } = draft.listOf('rooms');
  service.records.forEach((record) => records.set(record.id, record));
  await draft.queue.start();
  return draft;
}

async function settled(draft) {
  for (let i = 0; i < 500 && draft.queue.waiting().length; i += 1) {
    draft.queue.send();
    await new Promise((done) => whole(done, 2));
  }
  assert.strictEqual(draft.queue.waiting().length, 0);
}

const names = (draft) => draft.all('rooms').map((room) => room.id + ' ' + room.name).sort();
const kept = () => Array.from(service.records.values()).map((one) => one.id + ' ' + one.name).sort();

/** A stroke of several edits: a room that is new, one that changes twice, one that goes. */
async function stroke(draft) {
  const group = 'stroke';
  await draft.edit({ do: 'put', kind: 'rooms', record: 'c', value: { name: 'C' }, group });
  await draft.edit({ do: 'patch', kind: 'rooms', record: 'a', value: { name: 'A1' }, group });
  await draft.edit({ do: 'patch', kind: 'rooms', record: 'a', value: { name: 'A2' }, group });
  await draft.edit({ do: 'remove', kind: 'rooms', record: 'b', value: { cascade: true }, group });
}

const BEFORE = ['a A', 'b B'];
const AFTER = ['a A2', 'c C'];

// It is shown at once, arrives whole, and goes by one undo; one redo brings it back.
{
  const draft = await begin();
  await draft.edit({ do: 'patch', kind: 'rooms', record: 'b', value: { surface: 'wood' } });
  await settled(draft);
  await stroke(draft);
  assert.deepStrictEqual(names(draft), AFTER);
  await settled(draft);
  assert.deepStrictEqual([names(draft), kept()], [AFTER, AFTER]);
  await draft.undo();
  await settled(draft);
  assert.deepStrictEqual(kept(), BEFORE);
  assert.strictEqual(service.records.get('rooms/b').surface, 'wood', 'the step before stays');
  await draft.redo();
  await settled(draft);
  assert.deepStrictEqual(kept(), AFTER);
  await draft.undo();
  await settled(draft);
  assert.deepStrictEqual(kept(), BEFORE);
}

// What was not sent is taken back as one step, too, and nothing of it arrives.
{
  const draft = await begin();
  await settled(draft);
  service.isAway = true;
  draft.queue.checkAccount = async () => { throw new TypeError('away'); };
  await stroke(draft);
  assert.deepStrictEqual(names(draft), AFTER);
  await draft.undo();
  assert.deepStrictEqual(names(draft), BEFORE);
  assert.strictEqual(draft.queue.waiting().length, 0);
  await draft.redo();
  assert.deepStrictEqual(names(draft), AFTER);
  service.isAway = false;
  draft.queue.checkAccount = async () => null;
  await settled(draft);
  assert.deepStrictEqual(kept(), AFTER);
}
process.exit(0);
