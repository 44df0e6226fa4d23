// Keeping a site on the phone: the app, its map, its rooms, its directory and its network of ways,
// with the size told.

import { button, el, fill } from './elements.js';
import { buildingName } from './floors.js';
import { endWorkers, kept, keep, mayKeep } from './phone.js';
import { ask, Fault, query, sitePath } from './service.js';
import { waitFor } from './waiting.js';
import { say } from './announcing.js';
import { currentLanguage, languages, number, t } from './words.js';

const CACHE = 'whereabouts-kept';
const MOST_BYTES_A_BUILDING = 3e6;
const DAY_MILLISECONDS = 86400000;
const FRESH = 'x-whereabouts-fresh';
// What only a page without the service needs, and so was not loaded when it is kept.
const FILES = [
  '/app/preparing-worker.js', '/app/offline-routes.js', '/app/offline-network.js',
  '/app/offline-steps.js', '/app/offline-hours.js', '/app/icon.svg', '/app/icon-192.png',
  '/app/icon-512.png',
].concat(languages.map((tag) => '/app/languages/' + tag + '.json'));

/** Starts the worker where something is kept: nobody gets one unasked. */
export function startOffline(site) {
  if (!usable() || !mayKeep() || !kept('buildings')) return;
  navigator.serviceWorker.register('/app/offline-worker.js', { scope: '/' }).catch(() => null);
  renew(site).catch(() => null);
}

function usable() {
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

/** The addresses that a site, or a building of it, needs without the service. */
export function neededAddresses(site, building) {
  const language = query({ language: currentLanguage() });
  const list = ['/v1/sites', sitePath(site.id, 'map') + language,
    sitePath(site.id, 'floors') + query({ limit: 1000, coordinates: 'wgs84' }),
    sitePath(site.id, 'directory') + query({ limit: 1000 }),
    networkPath(site, building), outagesPath(site)];
  const floors = building ? site.floorsOf(building) : site.floors;
  floors.forEach((floor) => {
    list.push(sitePath(site.id, 'floors', floor.id, 'map') + language);
  });
  (building ? [building] : site.storeyedBuildings()).forEach((id) => {
    list.push(sitePath(site.id, 'buildings', id) + query({ coordinates: 'wgs84' }));
  });
  return list;
}

// Directions without the service

let routes = null;
let reading = null;

/** Takes the function that searches the kept network: its module comes when it is needed. */
export function provideRoutes(answer) {
  routes = answer;
}

/** The answer of the kept network to a question for a route; null if there is none. */
export async function routeWithoutService(app, question) {
  const held = (kept('buildings') || {})[app.site.id];
  if (!held || !usable()) return null;
  if (!routes && !reading) {
    reading = new Promise((resolve) => {
      const done = () => {
        reading = null;
        resolve();
      };
      document.head.appendChild(el('script', {
        type: 'module', src: '/app/offline-routes.js', on: { load: done, error: done },
      }));
    });
  }
  if (!routes) await reading;
  return routes ? routes(app, question, held) : null;
}

/** A kept answer of the service, and when it was given; null if it is not kept. */
export async function keptAnswer(path) {
  const cache = await caches.open(CACHE);
  const answer = await cache.match(path);
  if (!answer) return null;
  return { value: await answer.json(), at: Date.parse(answer.headers.get('date')) || 0 };
}

// The section of the menu

/** The section of the menu. */
export function offlineSection(app) {
  const body = el('div', {});
  const section = el('section', {}, [el('h2', { text: t('offline') }), body]);
  if (!usable()) {
    fill(body, el('p', { class: 'quiet', text: t('offline.unusable') }));
    return section;
  }
  const draw = () => {
    const held = (kept('buildings') || {})[app.site.id];
    fill(body, held ? heldRow(app, held, draw) : offer(app, draw));
  };
  draw();
  return section;
}

function offer(app, draw) {
  const size = el('p', { class: 'quiet', text: t('offline.about') });
  const choice = buildingChoice(app);
  const row = el('div', { class: 'row' });
  const first = button(t('offline.size'), async () => {
    const building = choice ? choice.value : '';
    const total = await waitFor('wait.size', (signal) => measure(app.site, building, signal))
      .catch(() => null);
    if (total === null) {
      size.textContent = t('fault.offline');
      return;
    }
    const whole = { size: number(total / 1e6, 1) };
    const buildings = building ? 1 : Math.max(1, app.site.storeyedBuildings().length);
    if (total > MOST_BYTES_A_BUILDING * buildings) {
      size.textContent = t('offline.tooMuch', whole);
      return;
    }
    size.textContent = t('offline.sizeIs', whole);
    fill(row, [button(t('offline.keep'), () => keepSite(app, building, total, draw), {
      class: 'primary',
    })]);
  }, { class: 'secondary' });
  fill(row, first);
  if (choice) choice.addEventListener('change', () => fill(row, first));
  return [size, choice ? el('label', { class: 'field' }, [
    el('span', { text: t('offline.what') }), choice,
  ]) : null, row];
}

/** Where a site has several buildings: which one, or all. The one in view comes first. */
function buildingChoice(app) {
  const ids = app.site.storeyedBuildings();
  if (ids.length < 2) return null;
  const floor = app.view && app.site.floorOf(app.view.floorID);
  const own = floor ? floor.building : ids[0];
  const all = [own].concat(ids.filter((id) => id !== own));
  return el('select', {}, all.map((id) => el('option', {
    value: id, text: buildingName(app.site.buildingOf(id)) || id,
  })).concat(el('option', { value: '', text: t('offline.all') })));
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

/** The bytes that would be kept. */
async function measure(site, building, signal) {
  const paths = neededAddresses(site, building);
  let sum = 0;
  // One after the other: the service draws few maps at once for one address.
  for (let i = 0; i < paths.length; i += 1) {
    const answer = await answerTo(paths[i], signal);
    if (answer) sum += (await answer.arrayBuffer()).byteLength;
  }
  return sum;
}

async function keepSite(app, building, total, draw) {
  await waitFor('wait.keep', async (signal) => {
    const paths = neededAddresses(app.site, building);
    const routes = await keepAnswers(paths, signal);
    await keepPage();
    localStorage.setItem('whereabouts.keep', 'yes');
    const held = Object.assign({}, kept('buildings') || {});
    held[app.site.id] = { at: Date.now(), bytes: total, building, routes };
    keep('buildings', held);
    await navigator.serviceWorker.register('/app/offline-worker.js', { scope: '/' });
    return true;
  }).catch(() => null).then((done) => {
    if (done) return null;
    say(t('fault.offline'));
    // Nothing of half a site stays, since no button would remove it.
    return (kept('buildings') || {})[app.site.id] ? null : forget(app.site.id);
  });
  draw();
}

/** Keeps answers; false if there was no network of ways. */
async function keepAnswers(paths, signal) {
  const cache = await caches.open(CACHE);
  let routes = true;
  for (let i = 0; i < paths.length; i += 1) {
    const answer = await answerTo(paths[i], signal);
    if (answer) await cache.put(paths[i], answer);
    else routes = false;
  }
  return routes;
}

/** What is kept is read anew once a day at most; an answer that stayed the same costs little. */
async function renew(site) {
  const held = (kept('buildings') || {})[site.id];
  if (!held || Date.now() - held.at < DAY_MILLISECONDS) return;
  // Outages come from the service alone: without it this fails, and all stays as it is.
  await ask(outagesPath(site));
  await site.known;
  const paths = neededAddresses(site, held.building || '');
  const routes = await keepAnswers(paths);
  await keepPage();
  // Floors that are gone, or that the reader may no longer see.
  await forget(site.id, paths);
  const renewed = Object.assign({}, held, { at: Date.now(), routes });
  keep('buildings', Object.assign({}, kept('buildings') || {}, { [site.id]: renewed }));
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
  const paths = Array.from(new Set([location.pathname].concat(files, FILES)));
  const answers = await Promise.all(paths.map((path) => fetch(asking(path))));
  await Promise.all(answers.map((answer, index) => (
    answer.ok ? cache.put(paths[index], answer) : cache.delete(paths[index]))));
}

/** Whether the network of ways was kept, too: not so by versions before it. */
function hasRoutes(held) {
  return held.building !== undefined && held.routes !== false;
}

function heldRow(app, held, draw) {
  return [
    el('p', { text: t('offline.held', { size: number(held.bytes / 1e6, 1) }) }),
    el('p', { class: 'quiet', text: t(hasRoutes(held) ? 'offline.routes' : 'offline.noRoutes') }),
    button(t('offline.drop'), async () => {
      const rest = Object.assign({}, kept('buildings') || {});
      delete rest[app.site.id];
      keep('buildings', Object.keys(rest).length ? rest : null);
      await forget(app.site.id);
      if (!Object.keys(rest).length) {
        await caches.delete(CACHE);
        await endWorkers();
      }
      draw();
    }, { class: 'secondary' }),
  ];
}
