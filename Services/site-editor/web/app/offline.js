// Keeping a site on the phone: the app, its map, its rooms, its directory and its network of ways,
// with the size told.

import { endWorkers, kept, keep } from './phone.js';
import { ask, Fault, query, sitePath } from './service.js';
import { currentLanguage, languages } from './words.js';

const CACHE = 'whereabouts-kept';
const DAY_MILLISECONDS = 86400000;
const FRESH = 'x-whereabouts-fresh';
// What is shared or paired goes on at the service, and a page that is loaded without it says so.
const GOING_ON = [
  '/app/live-sharing.js', '/app/live-bar.js', '/app/live.css', '/app/live-panel.js',
  '/app/pairing.js', '/app/pair-panel.js', '/app/looking.js',
];
// What only a page without the service needs, and so was not loaded when it is kept.
const FILES = [
  '/app/preparing-worker.js', '/app/offline-routes.js', '/app/offline-network.js',
  '/app/offline-steps.js', '/app/offline-spoken.js', '/app/offline-around.js',
  '/app/offline-hours.js', '/app/offline-touch.js', '/app/by-ear.js', '/app/around.js',
  '/app/compass.js', '/app/ear-barriers.js', '/app/ear-follow.js', '/app/ear-start.js',
  '/app/ear-view.js', '/app/ear-walk.js', '/app/heading.js', '/app/route-track.js',
  '/app/speaking.js', '/app/free-panel.js', '/app/mine-panel.js', '/app/mine-held.js',
  '/app/settings-panel.js', '/app/offline-section.js', '/app/staff.js', '/app/twins.js',
  '/app/icon.svg', '/app/icon-192.png', '/app/icon-512.png',
].concat(languages.map((tag) => '/app/languages/' + tag + '.json'));

/** Starts the worker where something is kept: nobody gets one unasked. */
export function startOffline(site) {
  if (!canKeep() || !kept('buildings')) return;
  navigator.serviceWorker.register('/app/offline-worker.js', { scope: '/' }).catch(() => null);
  renew(site).catch(() => null);
}

/** Whether this page can keep maps: that needs HTTPS and a browser with service workers. */
export function canKeep() {
  return 'serviceWorker' in navigator && 'caches' in window && window.isSecureContext;
}

/** The address of the network of a building, or of the site. */
export function networkPath(site, building) {
  return sitePath(site.id, 'network') + query({ building });
}

/** The address of the outages that hold now. */
export function outagesPath(site) {
  return '/v1/outages' + query({ site: site.id, active: 'true' });
}

/**
 * The addresses that a site, or a building of it, needs without the service. Maps come in one
 * language; the lists of rooms and buildings have the names in all languages.
 */
export function neededAddresses(site, building) {
  const language = query({ language: currentLanguage() });
  const list = ['/v1/sites', sitePath(site.id, 'map') + language,
    sitePath(site.id, 'floors') + query({ limit: 1000, coordinates: 'wgs84' }),
    sitePath(site.id, 'directory') + query({ limit: 1000 }),
    sitePath(site.id, 'buildings') + query({ limit: 1000 }),
    networkPath(site, building), outagesPath(site)];
  const floors = building ? site.floorsOf(building) : site.floors;
  floors.forEach((floor) => {
    list.push(sitePath(site.id, 'floors', floor.id, 'map') + language,
      sitePath(site.id, 'rooms') + query({ limit: 1000, floor: floor.id }));
  });
  (building ? [building] : site.storeyedBuildings()).forEach((id) => {
    list.push(sitePath(site.id, 'buildings', id) + query({ coordinates: 'wgs84' }));
  });
  return list;
}

// Directions without the service

let routes = null;
let reading = null;
let arrived = null;

/** Takes the functions that search the kept network: their module comes when it is needed. */
export function provideRoutes(answers) {
  routes = answers;
  if (arrived) arrived(answers);
}

/** The functions of the kept network, and what is held of a site; null if nothing is. */
async function readRoutes(site) {
  const held = (kept('buildings') || {})[site.id];
  if (!held || !canKeep()) return null;
  if (!routes && !reading) {
    reading = new Promise((resolve) => {
      arrived = resolve;
      window.loading.module('/app/offline-routes.js', () => {
        reading = null;
        resolve(null);
      });
    });
  }
  if (!routes) await reading;
  return routes ? { routes, held } : null;
}

/** The answer of the kept network to a question for a route; null if there is none. */
export async function routeWithoutService(app, question) {
  const own = await readRoutes(app.site);
  return own && own.routes.route(app, question, own.held);
}

/** The rooms around a place by the kept map, as the service's guidance has them; null without. */
export async function roomsWithoutService(site, place, options) {
  const own = await readRoutes(site);
  return own && own.routes.around(site, place, options);
}

/** Whether a fault says that the service can't be reached. */
export function isAway(fault) {
  return [0, 502, 504].indexOf(fault.status) >= 0;
}

/** A kept answer of the service, and when it was given; null if it is not kept. */
export async function keptAnswer(path, options) {
  const cache = await caches.open(CACHE);
  const answer = await cache.match(path, options || {});
  if (!answer) return null;
  return { value: await answer.json(), at: Date.parse(answer.headers.get('date')) || 0 };
}

/** A request that the worker does not answer from what is kept. */
function asking(path) {
  const accept = /\/map($|\?)/.test(path) ? 'application/geo+json' : 'application/json';
  const headers = { [FRESH]: 'yes' };
  if (path.indexOf('/v1/') === 0) headers.accept = accept;
  return new Request(path, { credentials: 'same-origin', headers });
}

/** An answer; null for a network that is too large, which alone may be missing. */
async function answerTo(path, signal) {
  const answer = await fetch(asking(path), { signal });
  if (answer.ok) return answer;
  if (answer.status === 422) return null;
  throw new Fault(answer.status);
}

/** A list without what the map has already: outlines, and buildings with one name. */
function slim(list) {
  const result = Object.assign({}, list);
  if (list.rooms) {
    result.rooms = list.rooms.map((one) => Object.assign({}, one, { outline: undefined }));
  }
  if (list.buildings) {
    result.buildings = list.buildings.filter((one) => one.names && Object.keys(one.names).length)
      .map((one) => ({ id: one.id, name: one.name, names: one.names }));
  }
  return result;
}

/**
 * Reads an address for keeping: the answer, its bytes, and the address of the next page, if the
 * list has one. Null for a network that is too large, which alone may be missing.
 */
async function readFor(path, signal) {
  const answer = await answerTo(path, signal);
  if (!answer) return null;
  if (!/\/(rooms|buildings|directory)\?/.test(path)) {
    return { answer, bytes: (await answer.clone().arrayBuffer()).byteLength, next: null };
  }
  const list = await answer.json();
  const text = JSON.stringify(slim(list));
  const headers = { 'content-type': 'application/json', date: answer.headers.get('date') || '' };
  const next = list.next ? path.replace(/&after=[^&]*/, '') + '&after='
    + encodeURIComponent(list.next) : null;
  return { answer: new Response(text, { headers }), bytes: text.length, next };
}

/**
 * Reads all that a site or a building needs. `take(path, answer)` gets each, `progress(share)` says
 * how far it is. Gives the bytes, the addresses, and whether there is a network of ways.
 */
async function readAll(site, building, wish) {
  const paths = neededAddresses(site, building);
  const result = { bytes: 0, paths, routes: true };
  // One after the other: the service draws few maps at once for one address.
  for (let i = 0; i < paths.length; i += 1) {
    const read = await readFor(paths[i], wish.signal);
    if (read) {
      result.bytes += read.bytes;
      if (wish.take) await wish.take(paths[i], read.answer);
      if (read.next) paths.push(read.next);
    } else result.routes = false;
    if (wish.progress) wish.progress((i + 1) / paths.length);
  }
  return result;
}

/** The bytes that would be kept. */
export async function measureSite(site, building, signal) {
  return (await readAll(site, building, { signal })).bytes;
}

/** What is held of a site; undefined if nothing is. */
export function heldOf(site) {
  return (kept('buildings') || {})[site.id];
}

/**
 * Keeps a site or a building of it. It is a choice of its own: nothing else is kept because of it.
 * Nothing of half a site stays, since no button would remove it.
 */
export async function keepSite(site, building, signal, progress) {
  try {
    const cache = await caches.open(CACHE);
    const take = (path, answer) => cache.put(path, answer);
    const read = await readAll(site, building, { signal, progress, take });
    await keepPage();
    hold(site, read, building);
    await navigator.serviceWorker.register('/app/offline-worker.js', { scope: '/' });
  } catch (fault) {
    if (!heldOf(site)) await forget(site.id);
    throw fault;
  }
}

function hold(site, read, building) {
  const own = {
    at: Date.now(), bytes: read.bytes, building, routes: read.routes, language: currentLanguage(),
    name: site.name,
  };
  keep('buildings', Object.assign({}, kept('buildings') || {}, { [site.id]: own }));
}

/** Removes what is kept of a site. */
export async function dropSite(site) {
  const rest = Object.assign({}, kept('buildings') || {});
  delete rest[site.id];
  keep('buildings', Object.keys(rest).length ? rest : null);
  await forget(site.id);
  if (Object.keys(rest).length) return;
  await caches.delete(CACHE);
  await endWorkers();
}

/**
 * What is kept is read anew once a day at most, and when the app has another language; an answer
 * that stayed the same costs little.
 */
async function renew(site) {
  const held = heldOf(site);
  const isFresh = held && Date.now() - held.at < DAY_MILLISECONDS;
  if (!held || (isFresh && held.language === currentLanguage())) return;
  // Outages come from the service alone: without it this fails, and all stays as it is.
  await ask(outagesPath(site));
  await site.known;
  const cache = await caches.open(CACHE);
  const take = (path, answer) => cache.put(path, answer);
  const read = await readAll(site, held.building || '', { take });
  await keepPage();
  // Floors that are gone, or that the reader may no longer see.
  await forget(site.id, read.paths);
  hold(site, read, held.building || '');
}

/** Removes the kept answers of a site, but for some addresses. */
async function forget(id, but) {
  const cache = await caches.open(CACHE);
  const paths = (await keptPaths(id)).filter((path) => !but || but.indexOf(path) < 0);
  await Promise.all(paths.map((path) => cache.delete(path)));
}

/** The addresses of a site whose answers are kept. */
async function keptPaths(id) {
  const cache = await caches.open(CACHE);
  const keys = await cache.keys();
  const own = '/v1/sites/' + encodeURIComponent(id) + '/';
  return keys.map((key) => new URL(key.url)).filter((url) => url.pathname.indexOf(own) === 0
    || (url.pathname === '/v1/outages' && url.searchParams.get('site') === id))
    .map((url) => url.pathname + url.search);
}

/**
 * The page, the files of the app that it has loaded or that are kept, and those that it needs
 * without the service: all of one version, or none.
 */
async function keepPage() {
  const cache = await caches.open(CACHE);
  const loaded = performance.getEntriesByType('resource').map((entry) => new URL(entry.name));
  const before = (await cache.keys()).map((key) => new URL(key.url));
  const files = loaded.concat(before)
    .filter((url) => url.origin === location.origin && url.pathname.indexOf('/app/') === 0)
    .map((url) => url.pathname);
  const paths = Array.from(new Set([location.pathname].concat(files, FILES, GOING_ON)));
  const answers = await Promise.all(paths.map((path) => fetch(asking(path))));
  await Promise.all(answers.map((answer, index) => (
    answer.ok ? cache.put(paths[index], answer) : cache.delete(paths[index]))));
}
