// Rooms that are free now, the nearest first.

import { address, go, show } from './address.js';
import { button, el } from './elements.js';
import { computersText } from './computers.js';
import { floorLine } from './floors.js';
import { icon } from './icons.js';
import { readPlace } from './places.js';
import { presentRoom } from './position-store.js';
import { profileNow } from './profiles.js';
import { ask, query, sitePath } from './service.js';
import { waitFor } from './waiting.js';
import { currentLanguage, distance, duration, t, timeOfDay, tn } from './words.js';
import { addPanels } from './panels.js';

/** Shows the free rooms. */
export async function showFree(app, focus) {
  app.shell.waiting(t('wait.free'));
  const kiosk = readPlace(address().kiosk);
  const near = kiosk && kiosk.kind === 'room' ? kiosk.id : presentRoom();
  const members = {
    language: currentLanguage(), near: near ? 'room:' + near : '',
    stepFree: profileNow().profile === 'walking' ? '' : 'true',
  };
  let answer;
  try {
    const path = sitePath(app.site.id, 'rooms', 'free') + query(members);
    answer = await waitFor('wait.free', (signal) => ask(path, { signal }));
  } catch (fault) {
    app.shell.failed(fault, () => showFree(app, focus));
    return;
  }
  if (!answer) {
    show({});
    return;
  }
  app.shell.set([
    app.shell.head(t('home.free'), () => show({})),
    answer.rooms.length ? null : el('p', { class: 'pad', text: t('free.none') }),
    near || !answer.rooms.length ? null : el('p', { class: 'quiet pad', text: t('free.noPlace') }),
    el('ul', { class: 'rows' }, answer.rooms.slice(0, 60).map((room) => row(app, room, answer))),
    leftOut(answer),
  ], focus);
}

function row(app, room, answer) {
  const parts = [
    floorLine(app.site, room.floor),
    room.freeUntil ? t('free.until', { time: timeOfDay(room.freeUntil, answer.timeZone) }) : '',
    room.seconds !== undefined ? duration(room.seconds) + ', ' + distance(room.distanceMetres) : '',
    computersText(room.computers),
  ];
  return el('li', {}, [
    button([icon('room'), el('span', {}, [
      el('strong', { text: room.name }),
      el('small', { text: parts.filter(Boolean).join(' · ') }),
    ])], () => show({ room: room.room }), { class: 'line' }),
    button(icon('way'), () => go({ from: 'here', to: room.room, panel: null }), {
      class: 'round', 'aria-label': t('card.toName', { name: room.name }),
    }),
  ]);
}

function leftOut(answer) {
  const unknown = answer.leftOut.filter((one) => one.reason === 'timetable-unknown').length;
  if (!unknown) return null;
  return el('p', { class: 'quiet pad', text: tn('free.unknown', unknown) });
}

addPanels({ free: showFree });
