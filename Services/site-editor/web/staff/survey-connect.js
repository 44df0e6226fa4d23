// Connects two places by two taps: by a walk on one floor, by stairs or a lift between floors.

import { say } from '/app/announcing.js';
import { button, el } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { t } from '/app/words.js';
import { newID } from './edit-store.js';
import { placeName, redraw } from './survey-parts.js';

const BETWEEN_FLOORS = ['stairs', 'lift', 'ramp', 'escalator'];

function stopOf(end) {
  const stop = {
    floor: end.floor, latitude: end.place.place.latitude, longitude: end.place.place.longitude,
  };
  return stop;
}

async function connect(app, from, to) {
  const isFlat = from.floor === to.floor;
  const kind = isFlat ? 'walk' : app.connectKind || BETWEEN_FLOORS[0];
  const id = 'c-' + newID().slice(0, 8) + newID().slice(0, 4);
  await app.edit({
    do: 'put', kind: 'connections', record: id, value: { kind, stops: [stopOf(from), stopOf(to)] },
    name: t('survey.connect.name', { from: placeName(from.place), to: placeName(to.place) }),
  });
  app.connected = { from, to, kind };
  say(t('survey.connect.done', { from: placeName(from.place), to: placeName(to.place) }), true);
}

async function choose(app, place) {
  if (!place || !place.id) {
    say(t('survey.connect.miss'), true);
    return;
  }
  const end = { place, floor: app.floor.id };
  const first = app.connectFrom;
  if (!first) app.connectFrom = end;
  else if (first.place.id === place.id) app.connectFrom = null;
  else {
    await connect(app, first, end);
    // The second is the first of the next: a row of places takes one tap each.
    app.connectFrom = end;
  }
  app.changed('connect');
}

function content(app) {
  const from = app.connectFrom;
  app.chosen = from ? [from.place.id] : [];
  const places = app.places().filter((one) => one.id);
  const kind = el('select', {
    id: 'connect-kind', on: { change: () => { app.connectKind = kind.value; } },
  }, BETWEEN_FLOORS.map((one) => el('option', {
    value: one, text: t('kind.' + one), selected: one === app.connectKind,
  })));
  const { connected } = app;
  return [
    app.shell.head(t('survey.panel.connect'), null),
    el('p', { class: 'hint', text: t('survey.connect.hint') }),
    el('p', { class: 'survey-big', text: from ? t('survey.connect.from', {
      name: placeName(from.place), floor: floorLine(app.draft.site, from.floor),
    }) : t('survey.connect.first') }),
    from ? button(el('span', { text: t('survey.connect.drop') }), () => {
      app.connectFrom = null;
      app.changed('connect');
    }, { class: 'link', 'data-at': 'drop' }) : null,
    el('div', { class: 'field' }, [
      el('label', { for: 'connect-kind', text: t('survey.connect.kind') }), kind,
    ]),
    connected ? el('p', { class: 'news good', text: t('survey.connect.done', {
      from: placeName(connected.from.place), to: placeName(connected.to.place),
    }) }) : null,
    el('ul', { class: 'rows' }, places.slice(0, 100).map((place) => el('li', {}, button([
      icon('here'), el('strong', { text: placeName(place) }),
    ], () => choose(app, place), {
      class: 'line', 'data-at': 'end-' + place.id,
      'aria-pressed': String(Boolean(from && from.place.id === place.id)),
    })))),
  ];
}

export function connectPanel(app, focus) {
  redraw(app, content(app), focus);
  app.update = () => redraw(app, content(app));
  app.tapFor = (tap, place) => choose(app, place);
  app.leave = () => {
    app.tapFor = null;
    app.chosen = null;
  };
}
