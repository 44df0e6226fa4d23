// Where a walk by ear begins: a room, the entrance, or the last sign that was read.

import { address, go } from './address.js';
import { button, el } from './elements.js';
import { floorLine } from './floors.js';
import { icon } from './icons.js';
import { isAway, routeWithoutService } from './offline.js';
import { placeName, placeQuestion, placeText } from './places.js';
import { positionsKept, putPosition } from './position-store.js';
import { SearchBox } from './search-box.js';
import { ask } from './service.js';
import { profileQuestion } from './profiles.js';
import { waitFor } from './waiting.js';
import { ago, t } from './words.js';

/** The members of a question for a way by ear: who has no other profile goes by touch. */
export function earQuestion() {
  const own = profileQuestion();
  return own.profile === 'walking' ? Object.assign(own, { profile: 'by-touch' }) : own;
}

/**
 * The inside of the entrance from which `target` is reached best, as a position; null if there is
 * none. Sites don't say which door is the main one, so the nearest to the target counts.
 */
async function entranceTo(app, target, signal) {
  const site = app.site;
  const body = Object.assign({
    site: site.id, from: placeQuestion(target, site.floors), to: [{ entrance: true }],
  }, earQuestion());
  const answer = await ask('/v1/routes', { method: 'POST', body, signal }).catch((fault) => (
    isAway(fault) ? routeWithoutService(app, body) : null)) || {};
  const route = answer.routes && answer.routes[0];
  if (!route) return null;
  for (let i = route.legs.length - 1; i >= 0; i -= 1) {
    const inside = route.legs[i].paths.filter((path) => path.floor);
    const path = inside[inside.length - 1];
    if (path) {
      const pair = path.wgs84[path.wgs84.length - 1];
      return {
        position: { latitude: pair[1], longitude: pair[0], floor: path.floor, radius: 3 },
        room: route.legs[i].room || null,
      };
    }
  }
  return null;
}

/** The fields and buttons that ask where one is. `target` is the place to go to, `done` goes on. */
export function earStart(app, target, done) {
  const note = el('p', { class: 'quiet', role: 'status' });
  const box = new SearchBox(app.site, {
    label: t('where.room'), icon: 'room',
    choose: (place) => done(placeText(place.kind, place.id)),
  });
  const entrance = button([icon('door'), el('span', { text: t('ear.entrance') })], async () => {
    const found = await waitFor('wait.route', (signal) => entranceTo(app, target, signal))
      .catch(() => null);
    if (!found) {
      note.textContent = t('ear.noEntrance');
      return;
    }
    putPosition(Object.assign({ source: 'said', room: null }, found.position));
    done('here', await describe(app, found));
  }, { class: 'secondary wide' });
  return el('section', { class: 'ask' }, [
    el('h2', { text: t('where.ask') }), box.element,
    el('div', { class: 'stack' }, [
      target && target.kind !== 'kind' ? entrance : null, lastSign(app, done),
    ]),
    el('p', { class: 'quiet', text: t('where.code') }), note,
  ]);
}

async function describe(app, found) {
  const room = found.room
    ? await placeName(app.site, { kind: 'room', id: found.room }).catch(() => '') : '';
  const where = [room, floorLine(app.site, found.position.floor)].filter(Boolean).join(', ');
  return t('ear.atEntrance', { place: where });
}

/** The last sign whose code or tag was read, however long ago. */
function lastSign(app, done) {
  const sign = positionsKept().find((one) => one.source === 'link');
  if (!sign) return null;
  const label = el('span', { text: t('ear.sign', { age: ago(Date.now() - sign.at) }) });
  return button([icon('here'), label], () => {
    if (sign.room) done(sign.room);
    else {
      putPosition(Object.assign({}, sign, { at: Date.now() }));
      done('here');
    }
  }, { class: 'secondary wide' });
}

/** The field that asks where to go. */
export function earTarget(app) {
  const box = new SearchBox(app.site, {
    label: t('route.needTo'), icon: 'here', nearest: true,
    choose: (place) => go({
      to: placeText(place.kind, place.id), from: address().from || address().kiosk || 'here',
    }),
  });
  return el('section', { class: 'ask' }, [el('h2', { text: t('route.needTo') }), box.element]);
}
