// Parts that panels of figures share: the period, a table, bars, and the legend of the colours.

import { button, el, fill } from '/app/elements.js';
import { number, t } from '/app/words.js';
import { colourOfStep } from './watch-paint.js';
import { HOUR_MILLISECONDS, fieldOf, hourOf, instantOf } from './watch-times.js';

export const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
const MOST_DAYS = 31;
const MOST_ROWS = 100;

/** Fields of a period with buttons for the usual ones; `changed(from, until)` gets instants. */
export class Period {
  constructor(prefix, days, changed) {
    this.changed = changed;
    this.until = hourOf(Date.now()) + HOUR_MILLISECONDS;
    this.from = this.until - days * DAY_MILLISECONDS;
    this.fault = el('p', { class: 'fault', role: 'alert', hidden: true });
    const field = (name) => el('input', {
      id: prefix + '-' + name, type: 'datetime-local', step: 3600, value: fieldOf(this[name]),
      on: { change: () => this.typed() },
    });
    this.fromField = field('from');
    this.untilField = field('until');
    const usual = (key, length) => button(t(key), () => {
      this.until = hourOf(Date.now()) + HOUR_MILLISECONDS;
      this.from = this.until - length;
      this.fromField.value = fieldOf(this.from);
      this.untilField.value = fieldOf(this.until);
      this.typed();
    }, { class: 'secondary' });
    this.element = el('div', { class: 'watch-period' }, [
      el('div', { class: 'two' }, [
        el('div', { class: 'field' }, [
          el('label', { for: prefix + '-from', text: t('watch.from') }), this.fromField,
        ]),
        el('div', { class: 'field' }, [
          el('label', { for: prefix + '-until', text: t('watch.until') }), this.untilField,
        ]),
      ]),
      el('div', { class: 'actions' }, [
        usual('watch.hour', HOUR_MILLISECONDS), usual('watch.day', DAY_MILLISECONDS),
        usual('watch.week', 7 * DAY_MILLISECONDS),
      ]),
      this.fault,
    ]);
  }

  /** What is wrong with the period, as a text; empty if nothing is. */
  wrong() {
    if (this.from === null || this.until === null) return t('watch.periodMissing');
    if (this.from >= this.until) return t('watch.periodTurned');
    return this.until - this.from > MOST_DAYS * DAY_MILLISECONDS
      ? t('watch.periodLong', { days: number(MOST_DAYS) }) : '';
  }

  typed() {
    this.from = instantOf(this.fromField.value);
    this.until = instantOf(this.untilField.value);
    const wrong = this.wrong();
    this.fault.textContent = wrong;
    this.fault.hidden = !wrong;
    if (!wrong) this.changed();
  }

  /** The whole hours that the period has. */
  get hours() {
    return [hourOf(this.from), Math.min(hourOf(this.from) + MOST_DAYS * DAY_MILLISECONDS,
      hourOf(this.until - 1) + HOUR_MILLISECONDS)];
  }
}

/**
 * A table of rows. `columns` are `{title, of, isNumber}`; `of` gives a text or an element. It shows
 * a hundred rows, and all others when asked.
 */
export function table(caption, columns, rows) {
  const body = el('tbody', {});
  const draw = (most) => fill(body, rows.slice(0, most).map((row) => el('tr', {},
    columns.map((column, at) => el(at ? 'td' : 'th', {
      scope: at ? null : 'row', class: column.isNumber ? 'number' : null,
    }, column.of(row))))));
  draw(MOST_ROWS);
  const more = rows.length > MOST_ROWS ? button(t('list.all.show'), () => {
    draw(rows.length);
    more.parentNode.removeChild(more);
  }, { class: 'link' }) : null;
  return el('div', { class: 'watch-table', tabindex: '0', role: 'region', 'aria-label': caption }, [
    el('table', {}, [
      el('caption', { text: caption }),
      el('thead', {}, el('tr', {}, columns.map((column) => el('th', {
        scope: 'col', class: column.isNumber ? 'number' : null, text: column.title,
      })))), body,
    ]), more,
  ]);
}

/** Bars: `rows` are `{name, value, text, action, isChosen}`. */
export function bars(rows) {
  const most = Math.max(1, ...rows.map((row) => row.value));
  return el('ul', { class: 'watch-bars' }, rows.map((row) => {
    const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.width = Math.max(row.value ? 2 : 0, (100 * row.value) / most) + '%';
    const content = [
      el('span', { class: 'bar-name', text: row.name }),
      el('span', { class: 'bar-track' }, bar), el('span', { class: 'bar-value', text: row.text }),
    ];
    return el('li', {}, row.action ? button(content, row.action, {
      class: 'bar-row', 'aria-pressed': row.isChosen ? 'true' : 'false',
    }) : el('div', { class: 'bar-row' }, content));
  }));
}

/** The colours of a heat map with the values that they stand for. */
export function legend(steps, digits) {
  return el('ul', { class: 'watch-legend', 'aria-label': t('watch.legend') },
    steps.map((end, at) => {
      const key = el('span', { class: 'swatch', 'aria-hidden': 'true' });
      key.style.backgroundColor = colourOfStep(steps, at);
      const text = t('watch.upTo', { value: number(end, digits) });
      return el('li', {}, [key, el('span', { text })]);
    }));
}

/** A length of time in words: seconds, minutes or hours. */
export function lengthText(seconds) {
  if (typeof seconds !== 'number') return '–';
  if (seconds < 90) return t('watch.seconds', { number: number(seconds) });
  if (seconds < 5400) return t('watch.minutes', { number: number(seconds / 60) });
  return t('watch.hours', { number: number(seconds / 3600, 1) });
}
