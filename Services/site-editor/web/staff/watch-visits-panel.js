// Visits of zones in a period, and how long they were: on the map, as bars and as a table.

import { el, fill } from '/app/elements.js';
import { sitePath } from '/app/service.js';
import { number, t, tn } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { readAll } from './watch-heat-panel.js';
import { RoomHeat } from './watch-paint.js';
import { Period, bars, legend, lengthText, table } from './watch-parts.js';

const KINDS = ['room', 'zone', 'building'];
const MOST_BARS = 12;

class VisitsPanel {
  constructor(app) {
    this.app = app;
    this.heat = new RoomHeat(app.map.view);
    this.kind = 'room';
    this.rows = [];
    this.period = new Period('visits', 1, () => this.read());
    const kind = el('select', {
      id: 'visits-kind', on: {
        change: () => {
          this.kind = kind.value;
          this.read();
        },
      },
    }, KINDS.map((one) => el('option', {
      value: one, text: t('watch.kind.' + one), selected: one === this.kind,
    })));
    this.result = el('div', {});
    this.element = [
      el('h1', { class: 'unseen', text: t('watch.panel.visits') }), this.period.element,
      el('div', { class: 'field' }, [
        el('label', { for: 'visits-kind', text: t('watch.kindOf') }), kind,
      ]), this.result,
    ];
  }

  async read() {
    if (this.control) this.control.abort();
    const control = new AbortController();
    this.control = control;
    fill(this.result, el('p', { class: 'quiet pad', text: t('wait.watch') }));
    try {
      const found = await readAll(sitePath(this.app.site.id, 'visit-summary'), {
        from: new Date(this.period.from).toISOString(),
        until: new Date(this.period.until).toISOString(), kind: this.kind,
      }, 'zones', control.signal);
      if (control.signal.aborted) return;
      this.rows = found.rows;
      this.isCut = found.isCut;
      this.draw();
    } catch (fault) {
      if (!control.signal.aborted) fill(this.result, staffFault(fault, () => this.read()));
    }
  }

  name(row) {
    return this.app.names.of(row.kind, row.zone);
  }

  draw() {
    const sorted = this.rows.slice().sort((one, other) => other.visits - one.visits);
    this.heat.show(new Map(this.kind === 'room'
      ? sorted.map((row) => [row.zone, row.visits]) : []));
    this.app.map.layer.schedule();
    const all = sorted.reduce((sum, row) => sum + row.visits, 0);
    fill(this.result, sorted.length ? [
      el('p', { class: 'watch-total', text: tn('watch.visits', all) }),
      this.isCut ? el('p', { class: 'news', text: t('watch.cut') }) : null,
      this.heat.steps.length ? legend(this.heat.steps, 0) : null,
      el('section', {}, [
        el('h2', { text: t('watch.median') }),
        bars(sorted.filter((row) => typeof row.medianSeconds === 'number').slice(0, MOST_BARS)
          .map((row) => ({
            name: this.name(row), value: row.medianSeconds, text: lengthText(row.medianSeconds),
          }))),
      ]),
      table(t('watch.visitsTable'), [
        { title: t('watch.place'), of: (row) => this.name(row) },
        { title: t('watch.visitsColumn'), isNumber: true, of: (row) => number(row.visits) },
        { title: t('watch.measure.devices'), isNumber: true, of: (row) => number(row.devices) },
        { title: t('watch.lasting'), isNumber: true, of: (row) => number(row.lasting) },
        { title: t('watch.median'), isNumber: true, of: (row) => lengthText(row.medianSeconds) },
        { title: t('watch.mean'), isNumber: true, of: (row) => lengthText(row.meanSeconds) },
        { title: t('watch.longest'), isNumber: true, of: (row) => lengthText(row.longestSeconds) },
      ], sorted),
    ] : el('p', { class: 'quiet pad', text: t('watch.nothing') }));
  }
}

/** Shows the visits. */
export function visitsPanel(app, focus) {
  const panel = new VisitsPanel(app);
  app.shell.set(panel.element, focus);
  app.draw((context, view) => panel.heat.paint(context, view), null);
  app.namesChanged = () => panel.draw();
  const stop = app.map.view.on('floor', () => app.map.layer.schedule());
  app.leave = () => {
    stop();
    if (panel.control) panel.control.abort();
  };
  panel.read();
}
