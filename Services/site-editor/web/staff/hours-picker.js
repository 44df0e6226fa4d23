// Opening hours by picking days and times: rows of days, each with its spans, or closed.

import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { t, weekday } from '/app/words.js';
import { alwaysText, faultsOf, pickable, textOf } from './hours-text.js';

const WORKDAYS = [0, 1, 2, 3, 4];
const MOST_SPANS = 6;

export class HoursPicker {
  /** `text` are the hours of the record; `changed` is called with each change. */
  constructor(id, text, changed) {
    this.id = id;
    this.changed = changed;
    this.before = text || '';
    const shown = pickable(text);
    this.mode = shown.mode;
    this.rows = shown.rows;
    this.written = shown.mode === 'text' ? text : '';
    this.body = el('div', { class: 'hours-body' });
    this.faults = el('div', { class: 'fault', id: this.id + '-faults', hidden: true });
    const modes = ['none', 'always', 'days', 'text'];
    this.choice = el('select', {
      id: this.id + '-mode', on: { change: () => this.choose(this.choice.value) },
    }, modes.map((mode) => el('option', {
      value: mode, text: t('hours.mode.' + mode), selected: mode === this.mode,
    })));
    this.element = el('fieldset', { class: 'hours', 'aria-describedby': this.id + '-faults' }, [
      el('legend', { text: t('field.openingHours') }),
      el('div', { class: 'field' }, [
        el('label', { for: this.id + '-mode', text: t('hours.mode') }), this.choice,
      ]),
      this.body, this.faults,
    ]);
    this.draw();
  }

  choose(mode) {
    this.mode = mode;
    if (mode === 'days' && !this.rows.length) {
      this.rows = [{ days: WORKDAYS.slice(), spans: [usualSpan()], closed: false }];
    }
    if (mode === 'text' && !this.written) this.written = this.before;
    this.draw();
    this.touched();
  }

  touched() {
    if (!this.faults.hidden) this.check();
    this.changed();
  }

  draw() {
    if (this.mode === 'text') fill(this.body, this.textField());
    else if (this.mode === 'days') {
      fill(this.body, [
        this.rows.map((row, index) => this.rowElement(row, index)),
        button([icon('plus'), el('span', { text: t('hours.addDays') })], () => {
          const named = new Set([].concat(...this.rows.map((row) => row.days)));
          const left = [0, 1, 2, 3, 4, 5, 6].filter((day) => !named.has(day));
          this.rows.push({ days: left, spans: [usualSpan()], closed: false });
          this.draw();
          this.focus(this.rows.length - 1);
          this.touched();
        }, { class: 'secondary' }),
        el('p', { class: 'hint', text: t('hours.rest') }),
      ]);
    } else fill(this.body, el('p', { class: 'hint', text: t('hours.hint.' + this.mode) }));
  }

  focus(row) {
    const found = this.body.querySelectorAll('.hours-row')[row];
    const input = found && found.querySelector('input');
    if (input) input.focus();
  }

  textField() {
    const id = this.id + '-text';
    const input = el('input', {
      id, value: this.written, maxlength: 250, spellcheck: 'false', autocomplete: 'off',
      on: {
        input: () => {
          this.written = input.value;
          this.touched();
        },
      },
    });
    return el('div', { class: 'field' }, [
      el('label', { for: id, text: t('hours.text') }), input,
      el('p', { class: 'hint', text: t('hours.hint.text') }),
    ]);
  }

  rowElement(row, index) {
    const spans = row.closed ? null : el('div', {}, [
      row.spans.map((span, at) => this.spanElement(row, span, at)),
      row.spans.length < MOST_SPANS ? button([
        icon('plus'), el('span', { text: t('hours.addSpan') }),
      ], () => {
        row.spans.push({ from: '', until: '' });
        this.draw();
        this.touched();
      }, { class: 'link' }) : null,
    ]);
    return el('div', {
      class: 'hours-row', role: 'group', 'aria-label': t('hours.row', { number: index + 1 }),
    }, [
      el('div', { class: 'days' }, [0, 1, 2, 3, 4, 5, 6].map((day) => (
        this.dayElement(row, index, day)))),
      spans,
      el('div', { class: 'row' }, [
        this.closedElement(row, index),
        button([icon('close'), el('span', { text: t('hours.removeRow') })], () => {
          this.rows.splice(index, 1);
          this.draw();
          say(t('hours.removed'));
          this.touched();
        }, { class: 'link' }),
      ]),
    ]);
  }

  dayElement(row, index, day) {
    const id = [this.id, index, day].join('-');
    const input = el('input', {
      type: 'checkbox', id, checked: row.days.indexOf(day) >= 0, on: {
        change: () => {
          row.days = row.days.filter((one) => one !== day);
          if (input.checked) row.days.push(day);
          this.touched();
        },
      },
    });
    return el('span', {}, [
      input, el('label', { for: id, 'aria-label': weekday(day), text: weekday(day, true) }),
    ]);
  }

  closedElement(row, index) {
    const id = [this.id, index, 'closed'].join('-');
    const input = el('input', {
      type: 'checkbox', id, checked: row.closed, on: {
        change: () => {
          row.closed = input.checked;
          if (!row.closed && !row.spans.length) row.spans = [usualSpan()];
          this.draw();
          document.getElementById(id).focus();
          this.touched();
        },
      },
    });
    return el('span', { class: 'check' }, [input, el('label', { for: id, text: t('hours.shut') })]);
  }

  spanElement(row, span, at) {
    const time = (name) => {
      const input = el('input', {
        type: 'time', value: span[name], 'aria-label': t('hours.' + name), on: {
          input: () => {
            span[name] = input.value;
            this.touched();
          },
        },
      });
      return input;
    };
    return el('div', { class: 'span' }, [
      time('from'), el('span', { 'aria-hidden': 'true', text: '–' }), time('until'),
      button(icon('close'), () => {
        row.spans.splice(at, 1);
        this.draw();
        this.touched();
      }, { class: 'round small', 'aria-label': t('hours.removeSpan') }),
    ]);
  }

  /** Shows what is wrong; true if nothing is. */
  check() {
    const faults = this.mode === 'days' ? faultsOf(this.rows) : [];
    const texts = faults.map((fault) => t(fault.key, {
      row: (fault.row || 0) + 1, day: fault.day === undefined ? '' : weekday(fault.day),
    }));
    const shown = Array.from(new Set(texts));
    this.faults.hidden = !shown.length;
    fill(this.faults, shown.map((text) => el('p', { text })));
    return !shown.length;
  }

  /** The text for the record; null where none is stated. What nobody changed stays as it was. */
  value() {
    if (this.mode === 'none') return null;
    if (this.mode === 'always') return alwaysText;
    if (this.mode === 'text') {
      return this.written === this.before ? this.before : this.written.trim() || null;
    }
    if (faultsOf(this.rows).length) return this.before || null;
    const before = pickable(this.before);
    const same = before.mode === 'days' && textOf(before.rows) === textOf(this.rows);
    return same ? this.before : textOf(this.rows);
  }
}

function usualSpan() {
  return { from: '09:00', until: '17:00' };
}
