// Tests ends of ways as people write them, lists of rooms, names of profiles, and faults that stay.
//
// `node addresses_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');

/** As much of an element as the modules use. */
class Node {
  constructor(tag) {
    this.tag = tag;
    this.children = [];
    this.style = {};
    this.text = '';
  }

  setAttribute(name, value) { this[name] = value; }

  addEventListener() { return this; }

  appendChild(child) {
    this.children.push(child);
    return child;
  }

  set textContent(text) { this.text = text; }

  get textContent() { return this.text + this.children.map((one) => one.textContent).join(''); }

  all(tag) {
    return this.children.flatMap((one) => (one.tag === tag ? [one] : []).concat(one.all(tag)));
  }
}
globalThis.Node = Node;
const popped = [];
globalThis.document = {
  documentElement: { lang: 'en' },
  body: { getAttribute: () => 'toilet lift', hasAttribute: () => true, contains: () => true },
  createElement: (tag) => new Node(tag), createElementNS: (space, tag) => new Node(tag),
  createTextNode: (text) => Object.assign(new Node('text'), { text }),
};
globalThis.location = { hash: '', search: '', pathname: '/s/s', origin: '' };
const move = (state, title, url) => { location.search = new URL(url, 'http://x').search; };
globalThis.history = { state: null, replaceState: move, pushState: move };
globalThis.window = {
  addEventListener: (name, listener) => { if (name === 'popstate') popped.push(listener); },
  matchMedia: () => ({ matches: false }),
};
globalThis.localStorage = { getItem: () => null, setItem: () => null, removeItem: () => null };

const RECORDS = {
  'rooms/foyer': { id: 'foyer', name: 'Foyer', kind: 'lobby', floor: 'g' },
  'rooms/store': { id: 'store', name: 'Store', kind: 'storage', floor: 'g' },
  'locations/desk': { id: 'desk', name: 'Ticket desk', floor: 'g' },
};
const lift = (id) => ({ kind: 'room', id, name: '', floors: ['g'], category: 'lift', match: 'exact' });
const RESULTS = { lift: [lift('lift.0'), lift('lift.1')], Aufzug: [lift('lift.0'), lift('lift.1')] };
globalThis.fetch = async (path) => {
  const url = new URL(path, 'http://x');
  const name = url.pathname.replace('/v1/sites/s/', '');
  let value = RECORDS[name];
  if (name === 'search') value = { results: RESULTS[url.searchParams.get('q')] || [] };
  if (/session/.test(name)) value = { changeToken: 'x' };
  if (name.startsWith('/app/')) value = JSON.parse(readFileSync(new URL('.' + name.slice(4), folder)));
  const status = value ? 200 : 404;
  return { ok: Boolean(value), status, headers: new Map(), json: async () => value || {} };
};

const load = (name) => import(new URL(name, folder));
const words = await load('words.js');
const { readingForm } = await load('form-address.js');
const { faultOfEnds } = await load('route-refusal.js');
const { roomsOfFloor } = await load('directory-panel.js');
const { profileChoice, unknownProfile } = await load('profiles.js');
const { Fault } = await load('service.js');
const { faultElement } = await load('waiting.js');

await words.loadWords('en');
const site = { id: 's', floors: [] };
const go = (search) => {
  location.search = search;
  popped.forEach((listener) => listener());
};

/** The address that becomes of one, what the fields show, and what is searched for. */
async function asked(search) {
  go(search);
  let searched = '';
  const fields = ['', ''].map((value) => ({
    value, focus: () => null, dispatchEvent() { searched = this.value; },
  }));
  let waits = false;
  const app = {
    site, leave: null,
    shell: { waiting: () => { waits = true; }, content: { querySelectorAll: () => fields } },
  };
  await readingForm(async () => null, async () => null)(app, false);
  await new Promise((done) => setTimeout(done, 150));
  const now = new URLSearchParams(location.search);
  return {
    ends: [now.get('from'), now.get('to')], fields: fields.map((one) => one.value), searched, waits,
  };
}

// A name that somebody wrote is a question, whatever else the address has.
for (const more of ['', '&profile=walking&lang=en']) {
  let now = await asked('?from=foyer&to=corridor' + more);
  assert.deepEqual([now.ends, now.fields, now.searched],
    [['foyer', null], ['', 'corridor'], 'corridor'], more);
  now = await asked('?from=nowhere&to=store' + more);
  assert.deepEqual([now.ends, now.fields, now.searched],
    [[null, 'store'], ['nowhere', ''], 'nowhere'], more);
  // At which lift somebody stands, only they know; they go to the nearest.
  now = await asked('?from=lift&to=lift' + more);
  assert.deepEqual([now.ends, now.fields, now.searched],
    [[null, 'kind:lift'], ['lift', ''], 'lift'], more);
}
assert.deepEqual((await asked('?from=foyer&to=lift&profile=walking&lang=en')).ends,
  ['foyer', 'kind:lift']);
// A place of the site stays as the link has it, and nobody waits for a form.
for (const to of ['desk', 'lift', 'store', 'directory:gone']) {
  const now = await asked('?from=foyer&to=' + to);
  assert.deepEqual([now.ends, now.fields, now.waits], [['foyer', to], ['', ''], false], to);
}

// What a link names by its kind, and the site lacks, is named.
const lost = new Fault(404, { code: 'place-unknown' });
assert.equal((await faultOfEnds(site, lost, ['foyer', 'directory:gone'], () => null)).textContent,
  '“directory:gone” is not on the map.');
assert.equal((await faultOfEnds(site, lost, [undefined, 'room:away'], () => null)).textContent,
  '“room:away” is not on the map.');

// A question that gets the same answer again is not offered again.
const buttons = (fault) => faultElement(fault, () => null).all('button').length;
[0, 429, 500, 503].forEach((status) => assert.equal(buttons(new Fault(status)), 1, status));
[400, 401, 403, 404, 410].forEach((status) => assert.equal(buttons(new Fault(status)), 0, status));
assert.equal(buttons(new TypeError('other')), 1);

// Each room with a name is in the list, whatever its kind.
const area = (name, kind, layer) => ({ id: name, name, kind, layer: layer || 'area' });
const floor = { areas: [
  area('Foyer', 'lobby'), area('Long Gallery', 'corridor'), area('Lift A', 'lift'),
  area('Stairs', 'stairs'), area('Shop', 'shop'), area('', 'corridor'), area('Path', '', 'path'),
] };
assert.deepEqual(roomsOfFloor(floor, 'g').map((one) => one.name),
  ['Foyer', 'Long Gallery', 'Lift A', 'Stairs', 'Shop']);
assert.deepEqual(roomsOfFloor(null, 'g'), []);

// A message calls a profile what its button does.
for (const language of ['en', 'cy', 'de']) {
  await words.loadWords(language);
  go('?profile=wheelchiar');
  const told = unknownProfile();
  const shown = profileChoice(() => null).all('span').map((one) => one.textContent);
  assert.equal(shown.length, 4);
  shown.forEach((name) => assert.ok(told.indexOf(name + ' (') > 0, language + ': ' + name));
}
