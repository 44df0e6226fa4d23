// All places of the floor with their age and quality; a row opens the place.

import { el, button } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { currentLanguage, number, t, tn } from '/app/words.js';
import { STATES } from './survey-layer.js';
import { placeLine, placeName, redraw, shapeOf } from './survey-parts.js';

const MOST_ROWS = 60;
const ORDER = ['none', 'weak', 'old', 'waiting', 'good'];

function content(app) {
  const places = app.places();
  const counts = new Map(STATES.map((state) => [state, 0]));
  places.forEach((one) => counts.set(one.state, counts.get(one.state) + 1));
  const compare = new Intl.Collator(currentLanguage(), { numeric: true }).compare;
  const shown = places.filter((one) => !app.onlyState || one.state === app.onlyState)
    .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state)
      || compare(placeName(one), placeName(other)));
  const most = app.mostPlaces || MOST_ROWS;
  const select = el('select', {
    id: 'survey-state', on: {
      change: () => {
        app.onlyState = select.value;
        app.hasChosen = true;
        app.changed('places');
      },
    },
  }, [''].concat(STATES).map((state) => el('option', {
    value: state, selected: state === (app.onlyState || ''),
    text: state ? t('survey.stateCount', {
      state: t('survey.is.' + state), count: number(counts.get(state)),
    }) : t('survey.anyState'),
  })));
  app.shown = null;
  return [
    app.shell.head(t('survey.panel.places'), null,
      app.floor ? floorLine(app.draft.site, app.floor.id) : ''),
    el('p', { class: 'hint', text: t('survey.tapHint') }),
    el('div', { class: 'field' }, [
      el('label', { for: 'survey-state', text: t('survey.state') }), select,
    ]),
    el('p', { class: 'quiet', text: tn('survey.places', shown.length) }),
    el('ul', { class: 'rows' }, shown.slice(0, most).map((place, index) => el('li', {}, button([
      shapeOf(place.state),
      el('span', {}, [
        el('strong', { text: placeName(place) }), el('small', { text: placeLine(place) }),
      ]),
    ], () => app.map.open(place), { class: 'line', 'data-at': 'place-' + (place.id || index) })))),
    shown.length > most ? button(t('list.more'), () => {
      app.mostPlaces = most + MOST_ROWS;
      app.changed('places');
    }, { class: 'link', 'data-at': 'more' }) : null,
  ];
}

export function placesPanel(app, focus) {
  redraw(app, content(app), focus);
  app.update = () => redraw(app, content(app));
}
