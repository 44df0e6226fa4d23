// Magnetic routes: draw a line, walk along it while a logger records the field, hand its file in.

import { say } from '/app/announcing.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query } from '/app/service.js';
import { distance, nameOf, number, t } from '/app/words.js';
import { newID } from './edit-store.js';
import { staffFault } from './staff-faults.js';
import { when } from './staff-times.js';
import { FieldFault, joinWalk, readLog } from './survey-field.js';
import { redraw } from './survey-parts.js';
import { pathLength } from './survey-path.js';
import { percent } from './survey-run.js';

const LEAST_METRES = 5;
const CENTIMETRES = 100;

/** What is drawn and walked. It stays while the page is open. */
class FieldWalk {
  constructor(app) {
    this.app = app;
    this.begin(null);
    this.routes = null;
    this.read();
  }

  /** Begins with a new line, or with that of a route to walk it again. */
  begin(route) {
    const { floor } = this.app;
    this.route = route;
    this.line = route && floor && floor.frame
      ? route.polyline.map(([x, y]) => floor.frame.degrees(x, y)) : [];
    this.passedAt = [];
    this.loggerAt = 0;
    this.fault = null;
    this.result = '';
    this.sure = '';
  }

  get isWalking() {
    return this.passedAt.length > 0 && this.passedAt.length < this.line.length;
  }

  get isWalked() {
    return this.passedAt.length > 1 && this.passedAt.length === this.line.length;
  }

  async read() {
    const { app } = this;
    try {
      const answer = await ask('/v1/magnetic-routes'
        + query({ site: app.draft.site.id, limit: 100 }));
      this.routes = answer.magneticRoutes;
    } catch (fault) {
      this.fault = fault;
    }
    app.changed('field');
  }

  tap(place) {
    if (this.route || this.passedAt.length) return;
    this.line.push(place);
    this.app.changed('field');
  }

  /** The walker is at the next point. */
  pass() {
    this.passedAt.push(Date.now());
    say(this.isWalked ? t('survey.field.walked') : t('survey.field.at', {
      number: number(this.passedAt.length + 1),
    }), true);
    this.app.changed('field');
  }

  async take(file) {
    const { app } = this;
    this.fault = null;
    try {
      const log = readLog(await textOf(file));
      const walk = joinWalk(log, this.passedAt, this.loggerAt);
      await this.send(walk);
    } catch (fault) {
      this.fault = fault;
      if (fault instanceof FieldFault) say(t(fault.key), true);
    }
    app.changed('field');
  }

  async send(walk) {
    const { app, route } = this;
    const site = app.draft.site.id;
    let answer;
    if (route) {
      const path = '/v1/magnetic-routes/' + encodeURIComponent(route.id) + '/validations';
      answer = await ask(path + query({ site }), {
        method: 'POST', body: Object.assign({ site }, walk),
      });
    } else {
      const polyline = this.line.map((place) => {
        const point = app.floor.frame.metres(place);
        return [point.x, point.y].map((one) => Math.round(one * CENTIMETRES) / CENTIMETRES);
      });
      const id = 'm-' + newID().slice(0, 8);
      answer = await ask('/v1/magnetic-routes' + query({ site }), {
        method: 'POST', body: Object.assign({ site, id, floor: app.floor.id, polyline }, walk),
      });
    }
    const found = answer.validation;
    this.begin(null);
    const key = found && found.isReliable ? 'survey.field.reliable' : 'survey.field.unreliable';
    this.result = found ? t(key, { metres: number(found.meanMetres, 1) })
      : t('survey.field.recorded');
    say(this.result, true);
    await this.read();
    app.renewSoon();
  }

  async remove(route) {
    this.sure = '';
    this.fault = null;
    try {
      const path = '/v1/magnetic-routes/' + encodeURIComponent(route.id);
      await ask(path + query({ site: this.app.draft.site.id }), { method: 'DELETE' });
      await this.read();
    } catch (fault) {
      this.fault = fault;
    }
    this.app.changed('field');
  }
}

function textOf(file) {
  return new Response(file).text();
}

function faultElement(fault) {
  if (!fault) return null;
  return fault instanceof FieldFault ? el('p', { class: 'news bad', text: t(fault.key) })
    : staffFault(fault, null);
}

function routeRow(app, walk, route) {
  const line = [
    t('survey.field.state.' + route.state),
    route.validation ? t('survey.field.error', {
      metres: number(route.validation.meanMetres, 1),
    }) : '',
    when(route.recordedAt),
  ].filter(Boolean).join(' · ');
  const isSure = walk.sure === route.id;
  return el('li', {}, [
    el('strong', { text: route.id }), el('small', { class: 'quiet', text: line }),
    el('div', { class: 'row' }, isSure ? [
      button(t('survey.field.yes'), () => walk.remove(route), {
        class: 'primary', 'data-at': 'yes-' + route.id,
      }),
      button(t('cancel'), () => {
        walk.sure = '';
        app.changed('field');
      }, { class: 'secondary', 'data-at': 'no-' + route.id }),
    ] : [
      button(el('span', { text: t('survey.field.again') }), () => {
        walk.begin(route);
        app.changed('field');
      }, { class: 'secondary', 'data-at': 'again-' + route.id }),
      button(el('span', { text: t('survey.field.remove') }), () => {
        walk.sure = route.id;
        app.changed('field');
      }, { class: 'link', 'data-at': 'remove-' + route.id }),
    ]),
  ]);
}

function steps(app, walk) {
  const taps = walk.line.map((place) => ({ place, floor: '' }));
  const length = pathLength(taps);
  const isDrawn = walk.line.length > 1 && length >= LEAST_METRES && app.floor.frame;
  const next = walk.passedAt.length + 1;
  if (walk.isWalked) {
    const input = el('input', {
      id: 'field-file', type: 'file', accept: '.csv,.txt,text/csv,text/plain', on: {
        change: () => input.files[0] && walk.take(input.files[0]),
      },
    });
    return [
      el('div', { class: 'field' }, [
        el('label', { for: 'field-file', text: t('survey.field.file') }), input,
      ]),
      el('p', { class: 'hint', text: t('survey.field.fileHint') }),
    ];
  }
  return [
    el('p', { class: 'survey-big', text: walk.isWalking
      ? t('survey.field.at', { number: number(next) })
      : t(walk.route ? 'survey.field.walkAgain' : 'survey.field.draw') }),
    el('p', { class: 'quiet', text: t('survey.path.length', { distance: distance(length) }) }),
    el('div', { class: 'row' }, [
      button([icon('here'), el('span', {
        text: walk.isWalking ? t('survey.field.pass', { number: number(next) })
          : t('survey.field.start'),
      })], () => walk.pass(), { class: 'primary', disabled: !isDrawn, 'data-at': 'pass' }),
      walk.isWalking || walk.route ? null : button(el('span', { text: t('survey.path.untap') }),
        () => {
          walk.line.pop();
          app.changed('field');
        }, { class: 'secondary', disabled: !walk.line.length, 'data-at': 'untap' }),
      button(el('span', { text: t('survey.field.logger') }), () => {
        walk.loggerAt = Date.now();
        say(t('survey.field.loggerNoted'), true);
        app.changed('field');
      }, { class: 'secondary', 'data-at': 'logger' }),
    ]),
    walk.loggerAt ? el('p', { class: 'hint', text: t('survey.field.loggerNoted') }) : null,
  ];
}

function content(app, walk) {
  const { floor } = app;
  if (!floor) return [el('p', { class: 'quiet pad', text: t('survey.reading') })];
  app.shown = { line: walk.line };
  const routes = (walk.routes || []).filter((one) => (
    one.floor === floor.id && one.state !== 'deleted'));
  const isBegun = walk.line.length || walk.passedAt.length;
  return [
    app.shell.head(t('survey.panel.field'), null),
    el('p', { class: 'hint', text: t('survey.field.hint') }),
    walk.result ? el('p', { class: 'news good', text: walk.result }) : null,
    faultElement(walk.fault),
    steps(app, walk),
    isBegun ? button(el('span', { text: t('survey.field.drop') }), () => {
      walk.begin(null);
      app.changed('field');
    }, { class: 'link', 'data-at': 'drop' }) : null,
    floor.gaps.length ? el('section', {}, [
      el('h2', { text: t('survey.field.gaps') }),
      el('ul', { class: 'survey-figures' }, floor.gaps.map((gap) => {
        const room = floor.room(gap.room);
        return el('li', { text: t('survey.field.uncovered', {
          name: (room && nameOf(room)) || gap.room, share: percent(gap.uncovered),
        }) });
      })),
    ]) : null,
    routes.length ? el('section', {}, [
      el('h2', { text: t('survey.field.routes') }),
      el('ul', { class: 'rows' }, routes.map((route) => routeRow(app, walk, route))),
    ]) : null,
  ];
}

export function fieldPanel(app, focus) {
  if (!app.fieldWalk) app.fieldWalk = new FieldWalk(app);
  const walk = app.fieldWalk;
  redraw(app, content(app, walk), focus);
  app.update = () => redraw(app, content(app, walk));
  app.tapFor = (place) => walk.tap(place);
  app.leave = () => {
    app.tapFor = null;
    app.shown = null;
  };
}
