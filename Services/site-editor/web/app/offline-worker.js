// The service worker: the service answers while it can be reached, else what is kept on the phone.

'use strict';

const CACHE = 'whereabouts-kept';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const request = event.request;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  // What is being kept comes from the service alone.
  if (request.headers.has('x-whereabouts-fresh')) return;
  if (url.searchParams.has('version')) return;
  const own = /^\/(app\/|s\/|v1\/sites)/.test(url.pathname) || url.pathname === '/v1/session';
  if (own) event.respondWith(ownAnswer(event, url));
  else if (url.pathname === '/v1/outages') event.respondWith(noted(request, url));
});

/** A draft is not kept, and its editors have to see that the service is away. */
async function ownAnswer(event, url) {
  // Requests have no referrer here.
  const page = event.clientId ? await self.clients.get(event.clientId) : null;
  const isStaffs = page && /^\/staff(\/|$)/.test(new URL(page.url).pathname);
  return isStaffs ? fetch(event.request) : answer(event.request, url);
}

/** Outages come from the service alone. A kept list is renewed, so that the page knows its age. */
async function noted(request, url) {
  const fresh = await fetch(request);
  const path = url.pathname + url.search;
  if (!fresh.ok || !(await caches.has(CACHE))) return fresh;
  const cache = await caches.open(CACHE);
  if (await cache.match(path)) await cache.put(path, fresh.clone());
  return fresh;
}

async function answer(request, url) {
  try {
    const fresh = await fetch(request);
    if (fresh.status < 500) return fresh;
    return (await held(url)) || fresh;
  } catch (unreachable) {
    const stored = await held(url);
    if (stored) return stored;
    throw unreachable;
  }
}

async function held(url) {
  const cache = await caches.open(CACHE);
  if (url.pathname.indexOf('/s/') === 0) return cache.match(url.pathname);
  if (url.pathname === '/v1/session') {
    return new Response(JSON.stringify({ grants: [], changeToken: 'offline' }), {
      headers: { 'content-type': 'application/json' },
    });
  }
  const exact = await cache.match(url.pathname + url.search);
  if (exact) return exact;
  if (/\/map$/.test(url.pathname)) return mapHeld(cache, url);
  if (/\/search$/.test(url.pathname)) return searchHeld(cache, url);
  const one = /^(\/v1\/sites\/[^/]+)\/(rooms|directory)\/([^/]+)$/.exec(url.pathname);
  return one ? recordHeld(cache, one) : undefined;
}

// Maps and lists are read at each word that is typed: what was read last stays for a moment.
const MOMENT_MILLISECONDS = 5000;
let read = { site: '', at: 0, lists: null };

/** All kept maps and lists of a site; its network has no names. */
function listsOf(cache, site) {
  if (read.site !== site || Date.now() - read.at > MOMENT_MILLISECONDS) {
    read = { site, at: Date.now(), lists: readLists(cache, site) };
  }
  return read.lists;
}

async function readLists(cache, site) {
  const keys = await cache.keys();
  const own = keys.map((key) => new URL(key.url)).filter((url) => (
    url.pathname.indexOf(site + '/') === 0 && !/\/network$/.test(url.pathname)));
  const answers = await Promise.all(own.map((url) => cache.match(url.href)));
  return Promise.all(answers.map((one) => one.json().catch(() => ({}))));
}

/** The records of a site that have names in several languages, by layer and id. */
async function namedRecords(cache, site) {
  const records = new Map();
  (await listsOf(cache, site)).forEach((list) => {
    (list.rooms || []).forEach((one) => records.set('area ' + one.id, one));
    (list.buildings || []).forEach((one) => records.set('building ' + one.id, one));
    if (list.timeZone && list.id) records.set('building ' + list.id, list);
  });
  return records;
}

/** A record's name in a language, else its plain one; empty for one that is only an id. */
function nameIn(record, language) {
  const name = (record.names && record.names[language]) || record.name || '';
  return name === record.id ? '' : name;
}

/** The map, kept in another language, with the names of this one. */
async function mapHeld(cache, url) {
  const kept = await cache.match(url.pathname, { ignoreSearch: true });
  if (!kept) return undefined;
  const language = url.searchParams.get('language') || '';
  const records = await namedRecords(cache, siteOf(url));
  const map = await kept.json();
  map.features.forEach((one) => {
    const own = one.properties;
    const record = records.get(own.layer + ' ' + own.id);
    if (record && record.names) own.name = nameIn(record, language);
  });
  return json(map, 'application/geo+json');
}

function siteOf(url) {
  return /^\/v1\/sites\/[^/]+/.exec(url.pathname)[0];
}

/** Finds by the names of all languages, and gives them in the reader's. */
async function searchHeld(cache, url) {
  const words = plain(url.searchParams.get('q')).split(' ').filter(Boolean);
  const language = url.searchParams.get('language') || '';
  const site = siteOf(url);
  const records = await namedRecords(cache, site);
  const results = [];
  const seen = new Set();
  const take = (kind, record, floors, plainName) => {
    if (seen.has(kind + record.id)) return;
    const names = Object.keys(record.names || {}).map((one) => record.names[one]);
    const fits = names.concat(nameIn(record, ''), plainName || '').some((one) => {
      const text = plain(one);
      return text !== '' && words.every((word) => text.indexOf(word) >= 0);
    });
    if (!fits) return;
    seen.add(kind + record.id);
    const name = nameIn(record, language) || plainName || names[0];
    results.push({ kind, id: record.id, category: record.kind, name, floors, match: 'exact' });
  };
  (await listsOf(cache, site)).forEach((list) => {
    (list.features || []).forEach((one) => {
      const own = one.properties;
      const record = records.get(own.layer + ' ' + own.id) || own;
      if (own.layer === 'area') take('room', record, own.floors, own.name);
      if (own.layer === 'building') take('building', record, [], own.name);
    });
    (list.directory || []).forEach((one) => take('directory', one, [], ''));
  });
  return json({ results: results.slice(0, 24), version: 1, next: null });
}

async function recordHeld(cache, parts) {
  const lists = await listsOf(cache, parts[1]);
  const records = await namedRecords(cache, parts[1]);
  const id = decodeURIComponent(parts[3]);
  let record = null;
  lists.forEach((list) => {
    if (parts[2] === 'directory') {
      record = record || (list.directory || []).find((one) => one.id === id);
      return;
    }
    const found = (list.features || []).find((one) => (
      one.properties.layer === 'area' && one.properties.id === id));
    if (found && !record) record = roomOf(found, records.get('area ' + id));
  });
  return record ? json(record) : undefined;
}

function roomOf(feature, record) {
  const own = feature.properties;
  const outline = feature.geometry.coordinates[0];
  return Object.assign({
    id: own.id, name: own.name || own.id, kind: own.kind, floor: own.floors[0],
    accessible: own.accessible, openingHours: own.openingHours,
  }, record || {}, { outline: outline.map((one) => ({ latitude: one[1], longitude: one[0] })) });
}

function plain(text) {
  return String(text || '').toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

function json(value, kind) {
  const headers = { 'content-type': kind || 'application/json' };
  return new Response(JSON.stringify(value), { headers });
}
