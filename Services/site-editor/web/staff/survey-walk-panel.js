// The points to go to, in walking order, with the time that is left; and the pictures of the floor.

import { go } from '/app/address.js';
import { button, el } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { metresBetween } from '/app/measuring.js';
import { distance, duration, nameOf, number, t, tn } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { legend, redraw, runElement, sourceFields } from './survey-parts.js';
import { percent } from './survey-run.js';
import { secondsOf, walkingOrder } from './survey-walk.js';

const MOST_ROWS = 8;
// Between the scans of one point and those of the next one looks and presses.
const PRESS_SECONDS = 5;
const HEATS = ['none', 'coverage', 'error'];

export function pointKey(point) {
  return point.place.latitude.toFixed(6) + ',' + point.place.longitude.toFixed(6);
}

/** The points of the floor in the order of the walk, without those that were skipped. */
export function pointsOf(app) {
  const { floor } = app;
  if (!floor) return [];
  const points = floor.points(app.places()).filter((one) => !app.skipped.has(pointKey(one)));
  const key = [floor.id, app.last ? pointKey(app.last) : ''].concat(points.map(pointKey)).join();
  if (app.orderKey !== key) {
    app.orderKey = key;
    app.order = walkingOrder(points, app.last);
  }
  return app.order;
}

function roomOf(app, point) {
  const room = point.room && app.floor.room(point.room);
  return (room && nameOf(room)) || t('survey.point');
}

function survey(app, point) {
  return async () => {
    app.run.start(await app.run.placeAt(point));
  };
}

function nextElement(app, points) {
  const [point] = points;
  if (!point) return null;
  const away = app.last ? distance(metresBetween(app.last.place, point.place)) : '';
  const line = [
    away ? t('survey.fromLast', { distance: away }) : '',
    point.expectedError ? t('survey.error', { metres: number(point.expectedError, 1) }) : '',
    point.gainHere ? t('survey.wouldGain', { metres: number(point.gainHere, 1) }) : '',
  ].filter(Boolean).join(' · ');
  return el('section', { class: 'survey-next' }, [
    el('h2', { text: t('survey.next', { name: roomOf(app, point) }) }),
    line ? el('p', { class: 'quiet', text: line }) : null,
    el('div', { class: 'row' }, [
      button([icon('here'), el('span', { text: t('survey.here') })], survey(app, point), {
        class: 'primary', disabled: app.run.isRunning || !app.source, 'data-at': 'survey',
      }),
      button([icon('locate'), el('span', { text: t('survey.show') })],
        () => app.map.lookAt(point.place), { class: 'secondary', 'data-at': 'show' }),
      button(el('span', { text: t('survey.skip') }), () => {
        app.skipped.add(pointKey(point));
        app.did(async () => app.skipped.delete(pointKey(point)));
        app.changed('points');
      }, { class: 'link', 'data-at': 'skip' }),
    ]),
  ]);
}

function rows(app, points) {
  const most = app.mostPoints || MOST_ROWS;
  const shown = points.slice(1, 1 + most);
  return el('section', {}, [
    el('h2', { text: t('survey.then') }),
    el('ol', { class: 'rows', start: 2 }, shown.map((point, index) => el('li', {}, button([
      el('span', { class: 'survey-number', text: number(index + 2) }),
      el('span', {}, el('strong', { text: roomOf(app, point) })),
    ], () => {
      app.map.lookAt(point.place);
    }, { class: 'line', 'data-at': 'point-' + index })))),
    points.length - 1 > most ? button(t('list.more'), () => {
      app.mostPoints = most + 4 * MOST_ROWS;
      app.changed('points');
    }, { class: 'link', 'data-at': 'more' }) : null,
  ]);
}

function figures(app, points, places) {
  const { floor } = app;
  const seconds = secondsOf(points, app.last, app.run.seconds + PRESS_SECONDS);
  const error = floor.figures && floor.figures.expectedError;
  const lines = [
    points.length ? tn('survey.left', points.length, { time: duration(seconds) })
      : t('survey.allDone'),
    t('survey.covered', { share: percent(floor.covered(places)) }),
    error ? t('survey.floorError', { metres: number(error, 1) }) : '',
    floor.gained ? t('survey.gained', {
      from: number(floor.gained.from, 1), to: number(floor.gained.to, 1),
    }) : '',
  ].filter(Boolean);
  return el('ul', { class: 'survey-figures' }, lines.map((text) => el('li', { text })));
}

function heatField(app) {
  const select = el('select', {
    id: 'survey-heat', on: {
      change: () => {
        app.heat = select.value;
        app.hasChosen = true;
        app.changed('heat');
      },
    },
  }, HEATS.map((one) => el('option', {
    value: one, text: t('survey.heat.' + one), selected: one === app.heat,
  })));
  const none = app.heat === 'error' && !app.floor.heat('error', []).cells.length;
  return el('section', {}, [
    el('h2', {}, el('label', { for: 'survey-heat', text: t('survey.heat') })), select,
    none ? el('p', { class: 'hint', text: t('survey.noErrors') }) : null, legend(app),
  ]);
}

/** Where three more beacons would help; administrators may place them. */
function beaconElement(app) {
  const advice = app.floor.beaconAdvice();
  if (!advice.length) return null;
  return el('section', {}, [
    el('h2', { text: t('survey.beacons') }),
    el('p', { class: 'hint', text: t('survey.beaconsHint') }),
    el('ol', { class: 'rows' }, advice.map((one, index) => {
      const room = one.room && app.floor.room(one.room);
      const place = { latitude: one.latitude, longitude: one.longitude };
      return el('li', {}, button([
        el('span', { class: 'survey-number', text: t('survey.beaconSign', { number: index + 1 }) }),
        el('span', {}, [
          el('strong', { text: (room && nameOf(room)) || t('survey.point') }),
          el('small', { text: t('survey.beaconGain', { metres: number(one.gain, 1) }) }),
        ]),
      ], () => app.map.lookAt(place), { class: 'line', 'data-at': 'beacon-' + index }));
    })),
  ]);
}

function content(app) {
  const { floor } = app;
  if (app.failed && (!floor || !floor.reading)) {
    return [el('h1', { text: t('survey.panel.walk') }),
      staffFault(app.failed, () => app.readFloor())];
  }
  if (!floor || !floor.rooms) {
    return [el('h1', { text: t('survey.panel.walk') }),
      el('p', { class: 'quiet pad', text: t('survey.reading') })];
  }
  const places = app.places();
  const points = pointsOf(app);
  app.shown = {
    points, beacons: floor.beaconAdvice().map((one, index) => ({
      place: { latitude: one.latitude, longitude: one.longitude }, isWish: true,
      text: t('survey.beaconSign', { number: index + 1 }),
    })),
  };
  const isFromCoach = floor.coach && floor.coach.places.length;
  return [
    app.shell.head(t('survey.points'), null, floorLine(app.draft.site, floor.id)),
    figures(app, points, places),
    runElement(app),
    nextElement(app, points),
    sourceFields(app),
    el('p', { class: 'hint', text: t(isFromCoach ? 'survey.byCoach' : 'survey.byPlan') }),
    el('p', { class: 'hint', text: t('survey.tapHint') }),
    points.length > 1 ? rows(app, points) : null,
    beaconElement(app),
    heatField(app),
    floor.isCut ? el('p', { class: 'hint', text: t('survey.cut') }) : null,
  ];
}

/** The first panel of surveyors. */
export function walkPanel(app, focus) {
  redraw(app, content(app), focus);
  app.update = () => redraw(app, content(app));
  app.leave = () => { app.shown = null; };
}

/** Leads on to the next point. */
export function nextButton() {
  return button([icon('next'), el('span', { text: t('survey.goOn') })],
    () => go({ panel: null, record: null, point: null }), {
      class: 'secondary', 'data-at': 'go-on',
    });
}
