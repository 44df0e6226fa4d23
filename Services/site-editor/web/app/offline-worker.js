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
  const own = /^\/(app\/|s\/|v1\/sites)/.test(url.pathname) || url.pathname === '/v1/session';
  if (own) event.respondWith(answer(request, url));
  else if (url.pathname === '/v1/outages') event.respondWith(noted(request, url));
});

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
  // A map in another language is better than none.
  if (/\/map$/.test(url.pathname)) return cache.match(url.pathname, { ignoreSearch: true });
  if (/\/search$/.test(url.pathname)) return searchHeld(cache, url);
  const one = /^(\/v1\/sites\/[^/]+)\/(rooms|directory)\/([^/]+)$/.exec(url.pathname);
  return one ? recordHeld(cache, one) : undefined;
}

/** All kept maps and lists of a site; its network has no names. */
async function listsOf(cache, site) {
  const keys = await cache.keys();
  const own = keys.map((key) => new URL(key.url)).filter((url) => (
    url.pathname.indexOf(site + '/') === 0 && !/\/network$/.test(url.pathname)));
  const answers = await Promise.all(own.map((url) => cache.match(url.href)));
  return Promise.all(answers.map((one) => one.json().catch(() => ({}))));
}

async function searchHeld(cache, url) {
  const words = plain(url.searchParams.get('q')).split(' ').filter(Boolean);
  const site = url.pathname.replace(/\/search$/, '');
  const results = [];
  const seen = new Set();
  const take = (kind, id, category, name, floors) => {
    const text = plain(name);
    if (!name || seen.has(kind + id) || !words.every((word) => text.indexOf(word) >= 0)) return;
    seen.add(kind + id);
    results.push({ kind, id, category, name, floors, match: 'exact' });
  };
  (await listsOf(cache, site)).forEach((list) => {
    (list.features || []).forEach((one) => {
      const own = one.properties;
      if (own.layer === 'area') take('room', own.id, own.kind, own.name, own.floors);
    });
    (list.directory || []).forEach((one) => take('directory', one.id, one.kind, one.name, []));
  });
  return json({ results: results.slice(0, 24), version: 1, next: null });
}

async function recordHeld(cache, parts) {
  const lists = await listsOf(cache, parts[1]);
  const id = decodeURIComponent(parts[3]);
  let record = null;
  lists.forEach((list) => {
    if (parts[2] === 'directory') {
      record = record || (list.directory || []).find((one) => one.id === id);
      return;
    }
    const found = (list.features || []).find((one) => (
      one.properties.layer === 'area' && one.properties.id === id));
    if (found && !record) record = roomOf(found);
  });
  return record ? json(record) : undefined;
}

function roomOf(feature) {
  const own = feature.properties;
  const outline = feature.geometry.coordinates[0];
  return {
    id: own.id, name: own.name || own.id, kind: own.kind, floor: own.floors[0],
    accessible: own.accessible, openingHours: own.openingHours,
    outline: outline.map((one) => ({ latitude: one[1], longitude: one[0] })),
  };
}

function plain(text) {
  return String(text || '').toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

function json(value) {
  return new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
}
