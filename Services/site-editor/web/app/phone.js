// What this phone keeps: nothing until the reader says so, and then only what is listed here.

const PREFIX = 'whereabouts.';
// Choices, which are kept if that is allowed.
const CHOICES = ['language', 'profile', 'senses', 'names'];
// Kept maps have their own button: to keep one is no permission for anything else.
const MAPS = 'buildings';
const MEMBERS = ['keep'].concat(CHOICES, MAPS);
const SINCE = PREFIX + 'since.';

function store(kind) {
  try {
    return kind === 'session' ? window.sessionStorage : window.localStorage;
  } catch (refused) {
    return null;
  }
}

const passing = {};

/** Whether the reader allowed that choices are kept. */
export function mayKeep() {
  const local = store('local');
  return Boolean(local && local.getItem(PREFIX + 'keep') === 'yes');
}

/** Allows it, from the present choices on; or forbids it and erases them. Kept maps stay. */
export function allowKeeping(allowed) {
  const local = store('local');
  if (!local) return;
  if (!allowed) {
    ['keep'].concat(CHOICES).forEach((name) => forget(local, name));
    return;
  }
  local.setItem(PREFIX + 'keep', 'yes');
  noteSince(local, 'keep');
  CHOICES.filter((name) => name in passing).forEach((name) => keep(name, passing[name]));
}

function parsed(text) {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch (broken) {
    return null;
  }
}

/** A choice that is kept, or that lasts while the page is open. */
export function kept(name) {
  if (name in passing) return passing[name];
  const local = store('local');
  return parsed(local && local.getItem(PREFIX + name));
}

/**
 * Remembers a choice: on the phone if that is allowed, else while the page is open. Which maps are
 * kept is always noted, since the reader asked for just that.
 */
export function keep(name, value) {
  passing[name] = value;
  const local = store('local');
  const allowed = name === MAPS || (CHOICES.indexOf(name) >= 0 && mayKeep());
  if (!local || !allowed) return;
  if (value === null) {
    forget(local, name);
    return;
  }
  local.setItem(PREFIX + name, JSON.stringify(value));
  noteSince(local, name);
}

function forget(local, name) {
  local.removeItem(PREFIX + name);
  local.removeItem(SINCE + name);
}

/** Notes when a member was first kept: "my data" says it. */
function noteSince(local, name) {
  if (!local.getItem(SINCE + name)) local.setItem(SINCE + name, new Date().toISOString());
}

/** When a member was first kept; null for one that was kept before this was noted. */
export function keptSince(name) {
  const local = store('local');
  const time = Date.parse((local && local.getItem(SINCE + name)) || '');
  return Number.isNaN(time) ? null : time;
}

/** Whether something was seen since the tab was opened. */
export function seenInTab(name) {
  const session = store('session');
  return Boolean(session && session.getItem(PREFIX + name));
}

/** Notes that it was seen. */
export function noteSeen(name) {
  const session = store('session');
  if (session) session.setItem(PREFIX + name, 'yes');
}

/** What this tab alone remembers until it is closed, so that loading it again loses nothing. */
export function ofTab(name) {
  const session = store('session');
  return parsed(session && session.getItem(PREFIX + name));
}

/** Remembers something in this tab; null forgets it. */
export function setOfTab(name, value) {
  const session = store('session');
  if (!session) return;
  if (value === null) session.removeItem(PREFIX + name);
  else session.setItem(PREFIX + name, JSON.stringify(value));
}

/** All that is kept, by name. */
export function allKept() {
  const result = {};
  const local = store('local');
  MEMBERS.forEach((name) => {
    const text = local && local.getItem(PREFIX + name);
    if (text) result[name] = text;
  });
  return result;
}

/** Erases all that the phone keeps of this app, the kept maps too. */
export async function erase() {
  const local = store('local');
  const session = store('session');
  Object.keys(passing).forEach((name) => delete passing[name]);
  [local, session].forEach((one) => {
    if (!one) return;
    const own = Object.keys(one).filter((key) => key.indexOf(PREFIX) === 0);
    own.forEach((key) => one.removeItem(key));
  });
  await endWorkers();
  if (!('caches' in window)) return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.indexOf('whereabouts-') === 0)
    .map((name) => caches.delete(name)));
}

/** Ends the service worker: without anything kept it has nothing to do. */
export async function endWorkers() {
  if (!('serviceWorker' in navigator)) return;
  const own = await navigator.serviceWorker.getRegistrations();
  await Promise.all(own.map((one) => one.unregister()));
}
