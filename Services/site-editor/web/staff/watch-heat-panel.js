// How full rooms were in a period: on the map, as a table, and hour by hour.

import { el, fill } from '/app/elements.js';
import { ask, query, sitePath } from '/app/service.js';
import { number, t, tn } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { RoomHeat } from './watch-paint.js';
import { Period, bars, legend, table } from './watch-parts.js';
import { HOUR_MILLISECONDS, hourText } from './watch-times.js';

const PAGE = 10000;
const MOST_PAGES = 3;
const MOST_BARS = 7 * 24;
const SQUARE_METRES = 100;
/** The measures: what a room's row gives. */
const MEASURES = {
  density: {
    digits: 1,
    of: (row) => (row.squareMetres > 0 ? (row.deviceHours * SQUARE_METRES) / row.squareMetres : 0),
  },
  devices: { digits: 0, of: (row) => row.devices },
  positions: { digits: 0, of: (row) => row.positions },
};

/** All pages of a list of the service. */
export async function readAll(path, members, list, signal) {
  let rows = [];
  let after = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await ask(path + query(Object.assign({ limit: PAGE, after }, members)),
      { signal });
    rows = rows.concat(answer[list]);
    after = answer.next;
    if (!after) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

class HeatPanel {
  constructor(app) {
    this.app = app;
    this.heat = new RoomHeat(app.map.view);
    this.hour = null;
    this.rows = [];
    this.period = new Period('heat', 1, () => {
      this.hour = null;
      this.read();
    });
    this.measure = 'density';
    const measure = el('select', {
      id: 'heat-measure', on: {
        change: () => {
          this.measure = measure.value;
          this.draw();
        },
      },
    }, Object.keys(MEASURES).map((one) => el('option', {
      value: one, text: t('watch.measure.' + one), selected: one === this.measure,
    })));
    this.result = el('div', {});
    this.hours = el('div', {});
    this.element = [
      el('h1', { class: 'unseen', text: t('watch.panel.heat') }), this.period.element,
      el('div', { class: 'field' }, [
        el('label', { for: 'heat-measure', text: t('watch.measure') }), measure,
      ]), this.result, this.hours,
    ];
  }

  /** The time of the rooms' counts: the chosen hour, or the whole period. */
  get times() {
    return this.hour === null ? this.period.hours : [this.hour, this.hour + HOUR_MILLISECONDS];
  }

  async read() {
    if (this.control) this.control.abort();
    const control = new AbortController();
    this.control = control;
    fill(this.result, el('p', { class: 'quiet pad', text: t('wait.watch') }));
    const path = sitePath(this.app.site.id, 'room-hours');
    const iso = (instants) => ({
      from: new Date(instants[0]).toISOString(), until: new Date(instants[1]).toISOString(),
    });
    try {
      const rooms = await readAll(path, iso(this.times), 'rooms', control.signal);
      if (control.signal.aborted) return;
      this.rows = rooms.rows;
      this.isCut = rooms.isCut;
      this.draw();
      if (this.hour === null) {
        const each = Object.assign({ each: 'hour' }, iso(this.period.hours));
        const answer = await ask(path + query(each), { signal: control.signal });
        this.ofHours = answer.hours;
      }
      if (!control.signal.aborted) this.drawHours();
    } catch (fault) {
      if (!control.signal.aborted) fill(this.result, staffFault(fault, () => this.read()));
    }
  }

  draw() {
    const measure = MEASURES[this.measure];
    const inRooms = this.rows.filter((row) => row.room);
    this.heat.show(new Map(inRooms.map((row) => [row.room, measure.of(row)])));
    this.app.map.layer.schedule();
    const sorted = inRooms.slice().sort((one, other) => measure.of(other) - measure.of(one));
    const outside = this.rows.find((row) => !row.room);
    const name = (row) => this.app.names.of('room', row.room);
    fill(this.result, sorted.length ? [
      this.heat.steps.length ? legend(this.heat.steps, measure.digits) : null,
      this.isCut ? el('p', { class: 'news', text: t('watch.cut') }) : null,
      outside ? el('p', {
        class: 'quiet', text: tn('watch.outside', outside.devices),
      }) : null,
      table(t('watch.heatTable'), [
        { title: t('watch.room'), of: name },
        { title: t('watch.measure.density'), isNumber: true,
          of: (row) => number(MEASURES.density.of(row), 1) },
        { title: t('watch.measure.devices'), isNumber: true, of: (row) => number(row.devices) },
        { title: t('watch.inHours'), isNumber: true, of: (row) => number(row.hours) },
        { title: t('watch.measure.positions'), isNumber: true,
          of: (row) => number(row.positions) },
      ], sorted),
    ] : el('p', { class: 'quiet pad', text: t('watch.nothing') }));
  }

  /** The hours of the period, the newest last; one can be chosen. */
  drawHours() {
    const rows = (this.ofHours || []).slice(-MOST_BARS).map((row) => {
      const hour = Date.parse(row.hour);
      return {
        name: hourText(hour), value: row.devices, text: number(row.devices),
        isChosen: hour === this.hour, action: () => {
          this.hour = hour === this.hour ? null : hour;
          this.drawHours();
          this.read();
        },
      };
    });
    const focused = this.hours.contains(document.activeElement)
      ? Array.from(this.hours.querySelectorAll('button')).indexOf(document.activeElement) : -1;
    fill(this.hours, rows.length ? el('section', {}, [
      el('h2', { text: t('watch.byHour') }),
      el('p', { class: 'quiet', text: t('watch.byHourHint') }), bars(rows),
    ]) : null);
    const again = focused >= 0 && this.hours.querySelectorAll('button')[focused];
    if (again) again.focus();
  }
}

/** Shows how full rooms were. */
export function heatPanel(app, focus) {
  const panel = new HeatPanel(app);
  app.shell.set(panel.element, focus);
  app.draw((context, view) => panel.heat.paint(context, view), null);
  app.namesChanged = () => panel.draw();
  const stop = app.map.view.on('floor', () => {
    app.map.layer.schedule();
    panel.draw();
  });
  app.tap = (mark, place) => {
    const id = place.area && place.area.layer === 'area' ? place.area.id : null;
    const row = id && panel.rows.find((one) => one.room === id);
    if (row) {
      app.tell(t('watch.roomValue', {
        room: app.names.of('room', id), devices: number(row.devices), hours: number(row.hours),
      }));
    }
    return true;
  };
  app.leave = () => {
    stop();
    if (panel.control) panel.control.abort();
  };
  window.whereabouts.heat = panel.heat;
  panel.read();
}
