// Tests that a kind's word finds the nearest place, and that a mistyped profile is named.
//
// `node nearest_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');
const KINDS = 'toilet lift entrance stairs';
globalThis.document = {
  documentElement: {}, body: { getAttribute: () => KINDS, hasAttribute: () => true },
};
globalThis.location = { hash: '', search: '?profile=wheelchiar', pathname: '/s/s', origin: '' };
globalThis.window = { addEventListener: () => null };
globalThis.localStorage = { getItem: () => null, setItem: () => null, removeItem: () => null };

// The results of the search by what is asked for.
const RESULTS = {
  lift: [{ kind: 'room', id: 'r', name: '', floors: ['g'], category: 'lift', match: 'exact' }],
  stairs: [{ kind: 'room', id: 's', name: 'Stairs', floors: ['g'], match: 'exact' }],
  toilet: [
    { kind: 'room', id: 'a', name: 'Toilet', floors: ['g'], match: 'exact' },
    { kind: 'room', id: 'b', name: 'Toilet', floors: ['f'], match: 'exact' },
  ],
  entrance: [{ kind: 'location', id: 'entrance', name: 'Entrance', floors: [], match: 'exact' }],
};
globalThis.fetch = async (path) => {
  const file = String(path).startsWith('/app/');
  const asked = new URL(path, 'http://x').searchParams.get('q');
  const isFound = file || /session/.test(path) || asked !== null;
  const value = () => {
    if (file) return JSON.parse(readFileSync(new URL('.' + path.slice(4), folder)));
    return asked === null ? { changeToken: 'x' } : { results: RESULTS[asked] || [] };
  };
  return {
    ok: isFound, status: isFound ? 200 : 404, json: async () => value(), headers: new Map(),
  };
};
const words = await import(new URL('words.js', folder));
const { kindOfWord, nearestPlace, offeredKinds, withNearest } = await import(
  new URL('nearest-kinds.js', folder));
const { findPlace, placeName } = await import(new URL('places.js', folder));
const { unknownProfile } = await import(new URL('profiles.js', folder));

for (const [language, known, name] of [
  ['en', ['lift', ' Lift ', 'elevator'], 'Nearest lift'],
  ['de', ['lift', 'aufzug', 'Aufzug', 'elevator'], 'Nächster Aufzug'],
  ['cy', ['lift', 'Lifft', 'elevator'], 'Lifft agosaf'],
]) {
  await words.loadWords(language);
  known.forEach((word) => assert.equal(kindOfWord(word), 'lift', language + ' ' + word));
  assert.equal(nearestPlace('lift').name, name);
  assert.equal(kindOfWord('lif'), null);
  assert.equal(kindOfWord('ramp'), null, 'the site has none');
}
await words.loadWords('en');
assert.deepEqual(offeredKinds(), ['toilet', 'lift', 'entrance']);
assert.equal(nearestPlace('stairs').name, 'Nearest: Stairs');
assert.deepEqual(withNearest('lift', []).map((one) => one.id), ['lift']);
assert.deepEqual(withNearest('lift', RESULTS.lift).map((one) => one.id), ['lift', 'r']);
assert.deepEqual(withNearest('stairs', RESULTS.stairs).map((one) => one.id), ['s', 'stairs']);
assert.deepEqual(withNearest('hall', []), []);

// In the address: only where a place is sought, and no name of the site stands for.
const site = { id: 's', floors: [] };
const kindAndID = async (text, isSought) => {
  const place = await findPlace(site, text, isSought);
  return place.kind + ':' + place.id;
};
assert.equal(await kindAndID('lift', true), 'kind:lift');
assert.equal(await kindAndID('lift', false), 'location:lift');
assert.equal(await kindAndID('elevator', true), 'kind:lift');
assert.equal(await kindAndID('stairs', true), 'room:s');
assert.equal(await kindAndID('toilet', true), 'kind:toilet', 'two have that name');
assert.equal(await kindAndID('entrance', true), 'location:entrance');
assert.equal(await kindAndID('desk', true), 'location:desk');
assert.equal(await placeName(site, { kind: 'kind', id: 'lift' }), 'Nearest lift');

const told = unknownProfile();
assert.match(told, /“wheelchiar”/);
['walking', 'step-free-preferred', 'step-free-strict', 'wheelchair', 'by-touch'].forEach((one) => (
  assert.ok(told.indexOf('(' + one + ')') > 0, one)));
assert.match(told, /Shown here: Walk \(walking\)\./);
