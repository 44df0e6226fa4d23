// Sources of a position: the shell's scans, a place link, what the reader says, and satellites.

import { ask } from './service.js';
import { metresBetween } from './measuring.js';
import { bridge, onScanned } from './shell-bridge.js';
import { placeRecord } from './places.js';
import { present, putPosition } from './position-store.js';

const SCAN_MILLISECONDS = 5000;
const REST_MILLISECONDS = 60000;

let memory = '';
let timer = 0;
let scanning = false;
let rests = 0;
let refused = false;
let newestScan = null;

/** The newest reading of the shell, or null. */
export function lastScan() {
  return newestScan;
}

/** Begins to scan by the shell; false if it has none, or no permission. */
export function startScanning(site) {
  const shell = bridge();
  if (!shell || refused || !shell.permission(true)) return false;
  if (scanning) {
    shell.scanNow();
    return true;
  }
  scanning = true;
  onScanned((reading) => locate(site, reading));
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) next(0);
  });
  next(0);
  return true;
}

function next(delay) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    bridge().scanNow();
    next(REST_MILLISECONDS);
  }, delay);
}

async function locate(site, reading) {
  newestScan = reading;
  if (refused) return;
  const body = Object.assign({ site: site.id, memory }, reading);
  try {
    const answer = await ask('/v1/locate', { method: 'POST', body });
    memory = answer.memory || '';
    rests = answer.motion === 'still' || near(answer) ? rests + 1 : 0;
    putPosition(positionOf(answer));
  } catch (fault) {
    // A service that locates no visitors is not asked again: the reader says where they are.
    refused = fault.status === 403;
    if (refused) {
      clearTimeout(timer);
      return;
    }
    const age = present() ? Date.now() - present().at : Infinity;
    if (age > REST_MILLISECONDS) putPosition({ source: 'bridge', state: 'lost' });
  }
  next(document.hidden || rests > 5 ? REST_MILLISECONDS : SCAN_MILLISECONDS);
}

function near(answer) {
  const before = present();
  if (!before || before.latitude === undefined || answer.latitude === undefined) return false;
  return metresBetween(before, answer) < 1.5;
}

/** A position of an answer of /v1/locate. */
export function positionOf(answer) {
  return {
    source: 'bridge', state: answer.state, latitude: answer.latitude, longitude: answer.longitude,
    floor: answer.floor || null, room: answer.room || null, radius: answer.radius95,
    area: answer.area || null,
  };
}

/** Watches satellites; `refused(code)` says why it can't. The answer stops it. */
export function watchSatellites(refused) {
  if (!navigator.geolocation) {
    refused(0);
    return () => null;
  }
  const id = navigator.geolocation.watchPosition((fix) => putPosition({
    source: 'gnss', latitude: fix.coords.latitude, longitude: fix.coords.longitude, floor: null,
    radius: fix.coords.accuracy * 1.6, state: fix.coords.accuracy > 120 ? 'uncertain' : 'located',
  }), (failure) => refused(failure.code), { enableHighAccuracy: true, maximumAge: 20000 });
  return () => navigator.geolocation.clearWatch(id);
}

/** Takes a place that a link or the reader named; false if the site has no such place. */
export async function standAt(site, place, source) {
  if (place.kind === 'point') {
    putPosition({
      source, latitude: place.latitude, longitude: place.longitude, floor: place.floor, radius: 6,
    });
    return true;
  }
  const record = await placeRecord(site, place).catch(() => null);
  const middle = (record && middleOf(record)) || await middleByRoute(site, place);
  if (!middle) return false;
  putPosition(Object.assign({
    source, floor: (record && record.floor) || null, room: place.kind === 'room' ? place.id : null,
  }, middle));
  return true;
}

/** Where a place is whose record is not for strangers: a way from it begins there. */
async function middleByRoute(site, place) {
  if (place.kind !== 'location') return null;
  const end = { location: place.id };
  const body = { site: site.id, from: end, to: [end, { entrance: true }, { kind: 'room' }] };
  const answer = await ask('/v1/routes', { method: 'POST', body }).catch(() => null);
  const route = answer && answer.routes[0];
  const first = route && route.instructions[0];
  if (!first) return null;
  return {
    latitude: first.latitude, longitude: first.longitude, floor: first.floor || null, radius: 4,
  };
}

function middleOf(record) {
  if (record.latitude !== undefined) {
    return { latitude: record.latitude, longitude: record.longitude, radius: 4 };
  }
  if (!record.outline || !record.outline.length) return null;
  const latitudes = record.outline.map((corner) => corner.latitude);
  const longitudes = record.outline.map((corner) => corner.longitude);
  const low = [Math.min(...latitudes), Math.min(...longitudes)];
  const high = [Math.max(...latitudes), Math.max(...longitudes)];
  const edge = [low, high].map((one) => ({ latitude: one[0], longitude: low[1] }));
  const radius = metresBetween(edge[0], edge[1]) / 2;
  return {
    latitude: (low[0] + high[0]) / 2, longitude: (low[1] + high[1]) / 2,
    radius: Math.max(3, radius),
  };
}
