// Where the reader is, by each source, with its age. It stays in the page and goes with it.

const MINUTE = 60000;
const FRESH = {
  bridge: MINUTE, gnss: MINUTE, said: 20 * MINUTE, link: 20 * MINUTE, kiosk: Infinity,
  paired: 2 * MINUTE,
};
const RANK = { kiosk: 0, bridge: 1, paired: 1.2, said: 2, link: 2, gnss: 3 };
const OLD_WORD = 3 * MINUTE;
// Sources that follow the reader; others say a place once.
const LIVE = ['bridge', 'paired', 'gnss'];

const sources = new Map();
const listeners = new Set();

/** Takes a position of a source: source, latitude, longitude, floor, room, radius and state. */
export function putPosition(position) {
  const whole = Object.assign({ at: Date.now(), state: 'located' }, position);
  sources.set(whole.source, whole);
  const best = present();
  listeners.forEach((listener) => listener(best));
}

/** Calls `listener(position)` with the best one at each change; the answer stops it. */
export function onPosition(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function rankOf(position, now) {
  const old = (position.source === 'said' || position.source === 'link')
    && now - position.at > OLD_WORD;
  const weak = position.state === 'lost' ? 10 : position.state === 'uncertain' ? 1.5 : 0;
  return RANK[position.source] + (old ? 1.5 : 0) + weak;
}

/** The best position that is fresh enough, or null. */
export function present() {
  const now = Date.now();
  const fresh = Array.from(sources.values()).filter((one) => now - one.at <= FRESH[one.source]);
  fresh.sort((one, other) => rankOf(one, now) - rankOf(other, now) || other.at - one.at);
  return fresh[0] || null;
}

/** Whether a position is a dot that goes along with the reader. */
export function isLive(position) {
  return position !== null && position.state === 'located' && LIVE.indexOf(position.source) >= 0;
}

/** The room of the present position, or an empty text. */
export function presentRoom() {
  const best = present();
  return (best && best.state === 'located' && best.room) || '';
}

/** The members of a route's beginning at the present position, or null. */
export function presentPlace(site) {
  const best = present();
  if (!best || best.state === 'lost') return null;
  if (best.room && best.source !== 'bridge') return { room: best.room };
  if (best.latitude === undefined) return null;
  const floor = site.floorOf(best.floor);
  const place = { latitude: best.latitude, longitude: best.longitude };
  if (floor) place.level = floor.level;
  if (best.radius) place.radiusMetres = Math.min(1000, best.radius);
  return place;
}

/** Forgets what one source said. */
export function dropPosition(source) {
  if (!sources.delete(source)) return;
  const best = present();
  listeners.forEach((listener) => listener(best));
}

/** Forgets all positions. */
export function forgetPositions() {
  sources.clear();
  listeners.forEach((listener) => listener(null));
}

/** All positions as the page knows them. */
export function positionsKept() {
  return Array.from(sources.values());
}
