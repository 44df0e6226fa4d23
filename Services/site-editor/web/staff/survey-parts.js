// Parts that several panels of the survey's screen have.

import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { number, t, tn } from '/app/words.js';
import { LIMITS, RAMP, STATES, paintShape } from './survey-layer.js';
import { canScan } from './survey-scans.js';
import { gainText } from './survey-run.js';
import { when } from './staff-times.js';

const COUNTS = [1, 3, 5, 10];
const SHAPE = 22;

/** The shape of a state, as on the map. Its name stands beside it. */
export function shapeOf(state) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const canvas = el('canvas', {
    class: 'survey-shape', width: SHAPE * ratio, height: SHAPE * ratio, 'aria-hidden': 'true',
  });
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintShape(context, state, SHAPE / 2, SHAPE / 2, 6.5);
  return canvas;
}

/** What a place is like, in words. */
export function placeLine(place) {
  const parts = [t('survey.is.' + place.state)];
  if (place.surveys) {
    parts.push(tn('survey.surveys', place.surveys));
    parts.push(when(new Date(place.newest).toISOString()));
  }
  if (place.error !== null) parts.push(t('survey.error', { metres: number(place.error, 1) }));
  if (!place.isPublished) parts.push(t('survey.draftOnly'));
  return parts.join(' · ');
}

/** The name of a place; one without a location has none. */
export function placeName(place) {
  return place.name || place.id || t('survey.loose');
}

/** The choices of a survey: where scans come from, and how many. */
export function sourceFields(app) {
  const scanners = app.scannerIDs();
  const options = [];
  if (canScan()) options.push(['phone', t('survey.source.phone')]);
  scanners.forEach((id) => options.push([id, t('survey.source.scanner', { name: id })]));
  if (!options.length) {
    return el('p', { class: 'news', text: t('survey.noSource') });
  }
  if (!options.some(([value]) => value === app.source)) [[app.source]] = options;
  const source = el('select', {
    id: 'survey-source', disabled: app.run.isRunning, on: {
      change: () => { app.source = source.value; },
    },
  }, options.map(([value, text]) => el('option', {
    value, text, selected: value === app.source,
  })));
  const count = el('select', {
    id: 'survey-count', disabled: app.run.isRunning, on: {
      change: () => { app.wanted = Number(count.value); },
    },
  }, COUNTS.map((value) => el('option', {
    value, text: tn('survey.scans', value), selected: value === app.wanted,
  })));
  return el('div', { class: 'survey-source' }, [
    el('div', { class: 'field' }, [
      el('label', { for: 'survey-source', text: t('survey.source') }), source,
    ]),
    el('div', { class: 'field' }, [
      el('label', { for: 'survey-count', text: t('survey.count') }), count,
    ]),
  ]);
}

/** The survey that runs, or what the last one gave; of one place if `place` is given. */
export function runElement(app, next, place) {
  const { run } = app;
  if (run.isRunning) {
    const name = run.place.name || t('survey.place');
    return el('div', { class: 'survey-run', role: 'group', 'aria-label': name }, [
      el('strong', { text: t('survey.running', { name }) }),
      el('progress', {
        max: run.wanted, value: run.ids.length, 'aria-label': t('survey.progress'),
      }),
      el('p', {
        text: run.ids.length ? [
          t('survey.got', { scans: number(run.ids.length), all: number(run.wanted) }),
          tn('survey.readings', run.readings),
          tn('survey.transmitters', run.signals.known.size),
        ].join(' · ') : t('survey.waitFirst'),
      }),
      run.fault ? el('p', { class: 'news bad', text: t(run.fault) }) : null,
      button([icon('close'), el('span', { text: t('survey.stop') })], () => run.stop(),
        { class: 'secondary', 'data-at': 'stop' }),
    ]);
  }
  if (place && run.place && (run.place.id !== place.id || !place.id)) return null;
  if (!run.result) {
    return run.fault ? el('p', { class: 'news bad', text: t(run.fault) }) : null;
  }
  const { result } = run;
  return el('div', { class: 'news good survey-result' }, [
    el('p', {
      text: t('survey.result', {
        name: run.place.name || t('survey.place'), figures: [
          tn('survey.scans', result.scans), tn('survey.readings', result.readings),
          tn('survey.transmitters', result.transmitters),
        ].join(' · '),
      }),
    }),
    el('p', { text: gainText(result) }),
    next || null,
  ]);
}

/** What the figures on the map mean: shapes of places, and shades of squares. */
export function legend(app) {
  const shades = app.heat === 'none' ? null : el('ul', { class: 'survey-ramp' },
    RAMP.map((colour, index) => {
      const limits = LIMITS[app.heat];
      const text = index < limits.length ? t('survey.upTo', { metres: number(limits[index]) })
        : t('survey.beyond', { metres: number(limits[limits.length - 1]) });
      const swatch = el('span', { class: 'survey-shade', 'aria-hidden': 'true' });
      swatch.style.backgroundColor = colour;
      return el('li', {}, [swatch, el('span', { text })]);
    }));
  return [
    shades,
    el('ul', { class: 'survey-legend' }, STATES.map((state) => el('li', {}, [
      shapeOf(state), el('span', { text: t('survey.is.' + state) }),
    ]))),
  ];
}

/** Draws a panel anew and leaves the keyboard where it was, by `id` or `data-at`. */
export function redraw(app, children, focus) {
  const at = document.activeElement;
  const inside = at && app.shell.content.contains(at) && at !== app.shell.content;
  const name = inside && (at.id || at.getAttribute('data-at'));
  const top = app.shell.content.scrollTop;
  if (focus === undefined) {
    // Nothing closes under a finger: a choice that is open stays, until somebody has chosen.
    if (inside && at.tagName === 'SELECT' && !app.hasChosen) return;
    app.hasChosen = false;
    fill(app.shell.content, children);
    app.shell.content.scrollTop = top;
  } else app.shell.set(children, focus);
  if (focus === undefined && name) {
    const all = Array.from(app.shell.content.querySelectorAll('[id], [data-at]'));
    const found = all.find((one) => one.id === name || one.getAttribute('data-at') === name);
    const heading = app.shell.content.querySelector('h1');
    const target = found || heading;
    if (!target) return;
    if (!found) target.setAttribute('tabindex', '-1');
    target.focus({ preventScroll: true });
  }
}
