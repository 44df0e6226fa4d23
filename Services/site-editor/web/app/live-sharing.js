// One's own position for who has a link: made, renewed and ended here. It goes on in any panel.

import { address, linkTo, show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { LiveBar } from './live-bar.js';
import { addPanels } from './panels.js';
import { ofTab, setOfTab } from './phone.js';
import { onPosition, present } from './position-store.js';
import { bridge } from './shell-bridge.js';
import { say } from './announcing.js';
import { ask, sitePath } from './service.js';
import { share, toast } from './sharing.js';
import { t, timeOfDay } from './words.js';

const RENEW_MILLISECONDS = 5000;
const REST_MILLISECONDS = 60000;
const RETRY_MILLISECONDS = 15000;
/** After a quarter of an hour without a word the service ends a share. */
const HELD_MILLISECONDS = 600000;
/** A share of another end is another tab's. */
const OTHER_MILLISECONDS = 10000;

const listeners = new Set();
let placed = false;
let app = null;
let bar = null;
let now = null;
let timer = 0;
let sentAt = 0;
let sending = false;
let moved = false;
let parts = null;

/** What is shared: its secret and until when; null for nothing. */
export function shared() {
  return now;
}

/** Calls `listener()` when sharing begins or ends; the answer stops it. */
export function onShared(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The link to hand on. */
export function sharedLink() {
  return now ? linkTo({ shared: now.secret }) : '';
}

/** Hands the link on in the best way that there is. */
export function handOn() {
  share(sharedLink(), t('looked.title'));
}

function path() {
  return sitePath(app.site.id, 'shared-position');
}

/** Makes the link. */
export async function startSharing() {
  const answer = await ask(path(), { method: 'POST' });
  begin({
    site: app.site.id, secret: answer.secret, until: Date.now() + answer.secondsLeft * 1000,
  });
  say(t('live.started'));
}

/** Ends it, here and at the service. */
export async function stopSharing() {
  await ask(path(), { method: 'DELETE' });
  end(t('live.stopped'));
}

/** A shell goes on to scan behind a locked screen, if it can. */
function inBackground(on) {
  const shell = bridge();
  if (shell) shell.background(on);
}

function begin(wanted) {
  now = wanted;
  inBackground(true);
  setOfTab('share', now);
  sentAt = 0;
  draw();
  next(0);
  told();
}

/** The panels that show it, and "My data", draw it anew. */
function told() {
  listeners.forEach((listener) => listener());
  document.dispatchEvent(new Event('whereabouts-held-changed'));
}

function end(text) {
  clearTimeout(timer);
  now = null;
  inBackground(false);
  setOfTab('share', null);
  draw();
  say(text);
  told();
}

function draw() {
  if (!bar) bar = new LiveBar(app.shell, t('live.share'));
  if (!now) {
    parts = null;
    bar.show(null);
    return;
  }
  if (!parts) build();
  const text = t('live.on', { time: timeOfDay(now.until, app.site.timeZone()) });
  if (parts.text.textContent !== text) parts.text.textContent = text;
  const position = present();
  const known = Boolean(position) && position.state !== 'lost';
  if (parts.none.hidden === known) return;
  parts.none.hidden = known;
  app.shell.laid();
}

/** Makes the line once: a new button would lose the focus, and a tap on the former. */
function build() {
  parts = { text: el('span'), none: el('small', { text: t('live.noPlace') }) };
  bar.show([
    icon('share'),
    button([parts.text, parts.none], () => show({ panel: 'live' }), { class: 'live-text' }),
    button(t('live.stop'), stop, { class: 'primary live-stop' }),
  ]);
}

/** Ends it after a tap; while the service does not answer, sharing is said to go on. */
export async function stop() {
  try {
    await stopSharing();
  } catch (fault) {
    say(t('live.notStopped'));
    toast(t('live.notStopped'));
  }
}

function next(delay) {
  clearTimeout(timer);
  timer = setTimeout(send, delay);
}

async function send() {
  if (!now || sending) return;
  if (Date.now() >= now.until) {
    end(t('live.stopped'));
    return;
  }
  sending = true;
  moved = false;
  sentAt = Date.now();
  const sent = now;
  try {
    placed = placed || Boolean(present());
    // A page that was loaded again knows no place yet. The last one, with its age, says more than
    // that nobody knows it. Then the service hears that, or it would end the share.
    const isHeld = sent.again && !placed && Date.now() - (sent.putAt || 0) < HELD_MILLISECONDS;
    const answer = await ask(path(), isHeld ? {} : {
      method: 'PUT', body: bodyOf(present(), sent.secret),
    });
    const isOther = isHeld
      && Math.abs(Date.now() + answer.secondsLeft * 1000 - sent.until) > OTHER_MILLISECONDS;
    if (now === sent && isOther) {
      end(t('live.stopped'));
      return;
    }
    if (now === sent && !isHeld) {
      now.putAt = Date.now();
      setOfTab('share', now);
    }
    if (now === sent) next(moved ? RENEW_MILLISECONDS : REST_MILLISECONDS);
  } catch (fault) {
    if (now !== sent) return;
    // The session has ended, or another tab has begun another share.
    if (fault.status === 404 || fault.status === 403) end(t('live.stopped'));
    else next(Math.max(RETRY_MILLISECONDS, (fault.retryAfter || 0) * 1000));
  } finally {
    sending = false;
    // Another share has begun meanwhile.
    if (now && now !== sent) next(0);
  }
}

/** A position as the service takes it. */
export function bodyOf(position, secret) {
  if (!position || position.state === 'lost' || position.latitude === undefined) {
    return { secret, state: 'lost' };
  }
  const body = {
    secret, state: position.state, latitude: position.latitude, longitude: position.longitude,
    ageSeconds: Math.min(3600, Math.max(0, (Date.now() - position.at) / 1000)),
  };
  if (position.floor) body.floor = position.floor;
  if (position.radius) body.radiusMetres = Math.min(100000, position.radius);
  if (position.area) body.area = 'staff';
  return body;
}

function start() {
  app = addPanels({});
  if (address().kiosk || address().embed) return;
  onPosition(() => {
    if (!now) return;
    draw();
    // What comes while a place is on its way is sent after it.
    moved = true;
    if (!sending) next(Math.max(0, sentAt + RENEW_MILLISECONDS - Date.now()));
  });
  // "My data" ends it, too.
  document.addEventListener('whereabouts-share-ended', () => {
    if (now) end(t('live.stopped'));
  });
  const before = ofTab('share');
  if (before && before.site === app.site.id && before.until > Date.now()) {
    begin(Object.assign({}, before, { again: true }));
  } else setOfTab('share', null);
}

start();
