// A scanner or tag that one is paired with: its positions are the reader's own, while it lasts.

import { addPanels } from './panels.js';
import { ofTab, setOfTab } from './phone.js';
import { dropPosition, putPosition } from './position-store.js';
import { positionOf } from './position-sources.js';
import { say } from './announcing.js';
import { ask, query, sitePath } from './service.js';
import { t } from './words.js';

const ASK_MILLISECONDS = 5000;
const REST_MILLISECONDS = 60000;
const OLD_SECONDS = 15;
const SCAN_WAIT_SECONDS = 20;

const listeners = new Set();
let app = null;
let now = null;
let timer = 0;
let mayScanAt = 0;
let rests = 0;
let lastAt = '';

/** The pairing: its id, the device and until when; null for none. */
export function paired() {
  return now;
}

/** Calls `listener()` when a pairing begins or ends; the answer stops it. */
export function onPaired(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Pairs by a code that a scanner shows, or that somebody gave for a tag. */
export async function pair(code) {
  const path = sitePath(app.site.id, 'pairings');
  const answer = await ask(path, { method: 'POST', body: { code } });
  begin({
    site: app.site.id, id: answer.id, device: answer.scanner, until: Date.parse(answer.until),
  });
}

/** Ends the pairing, here and at the service. */
export async function unpair(id) {
  await ask(sitePath(app.site.id, 'pairings', id), { method: 'DELETE' }).catch((fault) => {
    if (fault.status !== 404) throw fault;
  });
  if (now && now.id === id) end();
}

function begin(wanted) {
  now = wanted;
  mayScanAt = 0;
  rests = 0;
  setOfTab('pairing', now);
  next(0);
  told();
}

/** The panels that show it, and "My data", draw it anew. */
function told() {
  listeners.forEach((listener) => listener());
  document.dispatchEvent(new Event('whereabouts-held-changed'));
}

function end() {
  clearTimeout(timer);
  now = null;
  setOfTab('pairing', null);
  dropPosition('paired');
  say(t('pair.ended'));
  told();
}

function next(delay) {
  clearTimeout(timer);
  timer = setTimeout(follow, delay);
}

async function follow() {
  if (!now || document.hidden) return;
  const asked = now;
  try {
    const found = await newest(asked);
    if (asked !== now) return;
    if (found) take(found.position, found.ageSeconds);
    next(rests > 5 ? REST_MILLISECONDS : ASK_MILLISECONDS);
  } catch (fault) {
    if (asked !== now) return;
    if (fault.code === 'pairing-unknown') end();
    else next(Math.max(REST_MILLISECONDS, (fault.retryAfter || 0) * 1000));
  }
}

/** The newest position; a scanner that scans only when it is asked to is asked. */
async function newest(asked) {
  const path = sitePath(app.site.id, 'pairings', asked.id, 'position');
  const known = await ask(path).catch((fault) => {
    if (fault.code === 'position-unknown') return null;
    throw fault;
  });
  if (known && known.ageSeconds <= OLD_SECONDS) return known;
  return await scanned(asked).catch(() => null) || known;
}

async function scanned(asked) {
  if (Date.now() < mayScanAt) return null;
  // A tag makes no scans, and a scanner may be away: it is asked again after a while.
  mayScanAt = Date.now() + REST_MILLISECONDS;
  const request = await ask(sitePath(app.site.id, 'scan-requests'), {
    method: 'POST', body: { scanner: asked.device, timeoutSeconds: SCAN_WAIT_SECONDS },
  });
  const result = await ask('/v1/scan-requests/' + encodeURIComponent(request.id) + '/result'
    + query({ wait: SCAN_WAIT_SECONDS }));
  const own = result.results.find((one) => one.position);
  if (!own) return null;
  mayScanAt = 0;
  return { position: own.position, ageSeconds: 0 };
}

function take(answer, ageSeconds) {
  rests = answer.at === lastAt || answer.motion === 'still' ? rests + 1 : 0;
  lastAt = answer.at;
  putPosition(Object.assign(positionOf(answer), {
    source: 'paired', at: Date.now() - ageSeconds * 1000,
  }));
}

function start() {
  app = addPanels({});
  document.addEventListener('visibilitychange', () => {
    if (now && !document.hidden) next(0);
  });
  // "My data" may have ended it. After "Erase all" the page forgets it in any case.
  document.addEventListener('whereabouts-pairing-ended', () => {
    if (now) next(0);
  });
  document.addEventListener('whereabouts-all-erased', () => {
    if (now) end();
  });
  const before = ofTab('pairing');
  if (before && before.site === app.site.id && before.until > Date.now()) begin(before);
  else setOfTab('pairing', null);
}

start();
