// All requests to the service go through here: the session, the change token, and what failed.

import { twice } from './fetching.js';

// These POSTs only ask: a second one changes nothing.
const QUESTIONS = ['/v1/routes', '/v1/locate', '/v1/guidance', '/v1/session/anonymous'];

let changeToken = null;
let sessionReady = null;
const listeners = [];
let reachable = true;

/** What the service refused, or that it can't be reached (`status` 0). */
export class Fault extends Error {
  constructor(status, problem) {
    super((problem && problem.detail) || String(status));
    this.status = status;
    this.code = (problem && problem.code) || '';
    this.retryAfter = 0;
    this.problem = problem || null;
  }
}

/** Calls `listener(reachable)` when the service can't be reached, and when it can again. */
export function onReachable(listener) {
  listeners.push(listener);
}

function tell(now) {
  if (now === reachable) return;
  reachable = now;
  listeners.forEach((listener) => listener(now));
}

/** Opens the session: that of who is signed in, else an anonymous one. */
export function openSession() {
  if (!sessionReady) {
    sessionReady = beginSession().catch((fault) => {
      sessionReady = null;
      throw fault;
    });
  }
  return sessionReady;
}

/** Opens another session, after one has ended. */
export function openNewSession() {
  sessionReady = null;
  return openSession();
}

async function beginSession() {
  // A cookie that has expired is as good as none.
  let session = await send('/v1/session', {}).catch((fault) => {
    if (fault.status === 401) return {};
    throw fault;
  });
  const link = linkOfAddress();
  // A session that sees the site goes on: what it shares and is paired with would stay behind.
  if (link && !(session.changeToken && await sees(link.site))) {
    session = await send('/v1/session/anonymous', { method: 'POST', body: link });
  } else if (!session.changeToken) {
    session = await send('/v1/session/anonymous', { method: 'POST' });
  }
  changeToken = session.changeToken;
  return session;
}

async function sees(site) {
  const answer = await send('/v1/sites', {}).catch(() => null);
  return Boolean(answer && answer.sites.some((one) => one.id === site));
}

/** A site and its secret, where the address has `#link=`: browsers keep that part to themselves. */
function linkOfAddress() {
  const secret = new URLSearchParams(location.hash.slice(1)).get('link');
  const site = document.body.getAttribute('data-site');
  return secret && site ? { site, link: secret } : null;
}

/** A JSON answer of the service. `options` may have method, body, file, signal and headers. */
export async function ask(path, options) {
  const wish = options || {};
  await openSession();
  try {
    return await send(path, wish);
  } catch (fault) {
    // The session has ended, or another tab has begun a new one.
    if (fault.status !== 401 && fault.code !== 'change-token-wrong') throw fault;
    await openNewSession();
    return send(path, wish);
  }
}

async function send(path, wish) {
  const headers = Object.assign({ accept: 'application/json' }, wish.headers || {});
  const request = { method: wish.method || 'GET', headers, credentials: 'same-origin' };
  if (wish.signal) request.signal = wish.signal;
  if (wish.file) request.body = wish.file;
  if (wish.body !== undefined) {
    headers['content-type'] = 'application/json';
    request.body = JSON.stringify(wish.body);
  }
  if (request.method !== 'GET' && changeToken) headers['x-change-token'] = changeToken;
  const asks = request.method === 'GET' || QUESTIONS.indexOf(path) >= 0;
  const exchange = async () => {
    const told = await fetch(path, request);
    return { answer: told, value: await valueOf(told) };
  };
  let answer;
  let value;
  try {
    ({ answer, value } = await (asks ? twice(exchange) : exchange()));
  } catch (failure) {
    if (failure && failure.name === 'AbortError') throw failure;
    tell(false);
    throw new Fault(0);
  }
  if (answer.status === 502 || answer.status === 504) tell(false);
  else tell(true);
  if (answer.status === 304 || answer.status === 204) return null;
  if (answer.ok && value !== null) return value;
  const fault = new Fault(answer.status, value);
  fault.retryAfter = Number(answer.headers.get('retry-after')) || 0;
  throw fault;
}

/** The JSON of an answer, null where it has none; the network's failures are passed on. */
async function valueOf(answer) {
  if (answer.status === 304 || answer.status === 204) return null;
  return answer.json().catch((failure) => {
    if (failure instanceof SyntaxError) return null;
    throw failure;
  });
}

/** The path of a site's resource: each part is escaped. */
export function sitePath(site) {
  const parts = Array.prototype.slice.call(arguments, 1).map(encodeURIComponent);
  return '/v1/sites/' + [encodeURIComponent(site)].concat(parts).join('/');
}

/** A query of members that have a value. */
export function query(members) {
  const all = new URLSearchParams();
  Object.keys(members).forEach((name) => {
    const value = members[name];
    if (value !== null && value !== undefined && value !== '') all.set(name, value);
  });
  const text = all.toString();
  return text ? '?' + text : '';
}
