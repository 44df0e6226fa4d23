// Keeping a site on the phone: the app, its map, its rooms and its directory, with the size told.
//
// Routes need the service: the package that would let the page search for them does not exist yet.

import { button, el, fill } from './elements.js';
import { kept, keep, mayKeep } from './phone.js';
import { query, sitePath } from './service.js';
import { waitFor } from './waiting.js';
import { say } from './announcing.js';
import { currentLanguage, number, t } from './words.js';

const CACHE = 'whereabouts-kept';

/** Starts the worker where something is kept: nobody gets one unasked. */
export function startOffline() {
  if (!usable() || !mayKeep() || !kept('buildings')) return;
  navigator.serviceWorker.register('/app/offline-worker.js', { scope: '/' }).catch(() => null);
}

function usable() {
  return 'serviceWorker' in navigator && 'caches' in window && window.isSecureContext;
}

/** The addresses that a site needs without the service. */
export function neededAddresses(site) {
  const language = query({ language: currentLanguage() });
  const list = ['/v1/sites', sitePath(site.id, 'map') + language,
    sitePath(site.id, 'floors') + query({ limit: 1000, coordinates: 'wgs84' }),
    sitePath(site.id, 'directory') + query({ limit: 1000 })];
  site.floors.forEach((floor) => {
    list.push(sitePath(site.id, 'floors', floor.id, 'map') + language);
  });
  site.storeyedBuildings().forEach((id) => {
    list.push(sitePath(site.id, 'buildings', id) + query({ coordinates: 'wgs84' }));
  });
  return list;
}

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
  const first = button(t('offline.size'), async () => {
    const total = await waitFor('wait.size', (signal) => measure(app.site, signal))
      .catch(() => null);
    if (total === null) {
      size.textContent = t('fault.offline');
      return;
    }
    size.textContent = t('offline.sizeIs', { size: number(total / 1e6, 1) });
    fill(row, [button(t('offline.keep'), () => keepSite(app, total, draw), { class: 'primary' })]);
  }, { class: 'secondary' });
  const row = el('div', { class: 'row' }, first);
  return [size, row];
}

/** The bytes that would be kept. */
async function measure(site, signal) {
  const sizes = await Promise.all(neededAddresses(site).map(async (path) => {
    const accept = path.indexOf('/map') > 0 ? 'application/geo+json' : 'application/json';
    const answer = await fetch(path, { credentials: 'same-origin', signal, headers: { accept } });
    const text = await answer.arrayBuffer();
    return answer.ok ? text.byteLength : 0;
  }));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function keepSite(app, total, draw) {
  await waitFor('wait.keep', async (signal) => {
    const cache = await caches.open(CACHE);
    const paths = neededAddresses(app.site);
    for (let i = 0; i < paths.length; i += 1) {
      const accept = paths[i].indexOf('/map') > 0 ? 'application/geo+json' : 'application/json';
      const request = new Request(paths[i], { credentials: 'same-origin', headers: { accept } });
      const answer = await fetch(request, { signal });
      if (answer.ok) await cache.put(paths[i], answer);
    }
    await cache.add(new Request(location.pathname, { credentials: 'same-origin' }));
    await keepFiles();
    localStorage.setItem('whereabouts.keep', 'yes');
    const held = Object.assign({}, kept('buildings') || {});
    held[app.site.id] = { at: Date.now(), bytes: total };
    keep('buildings', held);
    await navigator.serviceWorker.register('/app/offline-worker.js', { scope: '/' });
  }).catch(() => say(t('fault.offline')));
  draw();
}

/** The files of the app that this page has loaded. */
async function keepFiles() {
  const cache = await caches.open(CACHE);
  const paths = performance.getEntriesByType('resource')
    .map((entry) => new URL(entry.name))
    .filter((url) => url.origin === location.origin && url.pathname.indexOf('/app/') === 0)
    .map((url) => url.pathname);
  const beside = ['/app/preparing-worker.js', '/app/languages/en.json'];
  const all = Array.from(new Set(paths.concat(beside)));
  await Promise.all(all.map((path) => cache.add(path).catch(() => null)));
}

function heldRow(app, held, draw) {
  return [
    el('p', { text: t('offline.held', { size: number(held.bytes / 1e6, 1) }) }),
    el('p', { class: 'quiet', text: t('offline.noRoutes') }),
    button(t('offline.drop'), async () => {
      const rest = Object.assign({}, kept('buildings') || {});
      delete rest[app.site.id];
      keep('buildings', Object.keys(rest).length ? rest : null);
      const cache = await caches.open(CACHE);
      await Promise.all(neededAddresses(app.site).map((path) => cache.delete(path)));
      draw();
    }, { class: 'secondary' }),
  ];
}
