// What the panels of the administration share: parts that are read by themselves, questions before
// something ends, and secrets that are shown once.

import { say } from '/app/announcing.js';
import { copyButton } from '/app/copying.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { handOver } from '/app/qr-picture.js';
import { t } from '/app/words.js';
import { staffFault } from './staff-faults.js';

let fields = 0;

/** What somebody has to fill in first, as a sentence. */
export class Missing extends Error {}

/** A panel: a heading, what was done last, and parts below. */
export class AdminPanel {
  constructor(app, name) {
    this.app = app;
    this.site = app.draft.site;
    this.told = el('div', { tabindex: '-1', class: 'told' });
    this.body = el('div', {});
    this.element = [el('h1', { text: t('panel.' + name) }), this.told, this.body];
  }

  tell(text, further) {
    fill(this.told, [el('p', { class: 'news good', text }), further]);
    this.told.focus();
    say(text, true);
  }

  failed(fault) {
    const isMissing = fault instanceof Missing;
    fill(this.told, isMissing ? el('p', { class: 'news bad', text: fault.message })
      : staffFault(fault));
    if (isMissing) say(fault.message, true);
    this.told.focus();
  }

  /** Runs what changes something: `work()` gives the sentence for what was done. */
  async run(work) {
    fill(this.told, el('p', { class: 'quiet', text: t('admin.wait') }));
    try {
      const text = await work();
      if (text) this.tell(text);
      return true;
    } catch (fault) {
      this.failed(fault);
      return false;
    }
  }
}

/** A part of a panel. `read()` gives what `draw` makes elements of. */
export class Part {
  constructor(title, read, draw) {
    this.read = read;
    this.draw = draw;
    this.body = el('div', {});
    this.element = el('section', {}, [title ? el('h2', { text: title }) : null, this.body]);
  }

  /** Reads; without a former answer it says what it waits for. */
  async show(quietly) {
    if (!quietly) fill(this.body, el('p', { class: 'quiet pad', text: t('admin.reading') }));
    try {
      this.value = await this.read();
      this.redraw();
    } catch (fault) {
      fill(this.body, staffFault(fault, () => this.show()));
    }
  }

  /** Draws anew; the keyboard stays on the same row. */
  redraw() {
    const focused = document.activeElement;
    const name = this.body.contains(focused) ? nameOfControl(focused) : '';
    fill(this.body, this.draw(this.value));
    if (!name) return;
    const same = Array.from(this.body.querySelectorAll('button, a, pre, .table'))
      .find((one) => nameOfControl(one) === name);
    if (same) same.focus();
  }
}

function nameOfControl(element) {
  return element.getAttribute('aria-label') || element.textContent;
}

/** Asks once more in place of what `place` shows; `back` shows that again. */
export function asks(place, text, yes, act) {
  const before = Array.from(place.childNodes);
  const focused = document.activeElement;
  const back = () => {
    fill(place, before);
    if (focused && place.contains(focused)) focused.focus();
  };
  const heading = el('p', { text, tabindex: '-1' });
  fill(place, el('div', { class: 'sure', role: 'group', 'aria-label': text }, [
    heading,
    el('div', { class: 'row' }, [
      button(yes, () => {
        back();
        act();
      }, { class: 'primary danger' }),
      button(t('cancel'), back, { class: 'secondary' }),
    ]),
  ]));
  heading.focus();
}

/** A row of a list: an icon, a title, lines below, and buttons. `line` opens something. */
export function row(name, title, lines, buttons, open) {
  const content = [icon(name), el('span', {}, [
    el('strong', { text: title }),
    lines.filter(Boolean).map((text) => el('small', { text })),
  ])];
  return el('li', { class: 'admin-row' }, [
    open ? button(content, open, { class: 'line' }) : el('div', { class: 'line' }, content),
    buttons && buttons.length ? el('div', { class: 'row' }, buttons) : null,
  ]);
}

/** A button of a row; its label says of which. */
export function rowButton(text, of, act, kind) {
  return button(el('span', { text }), act, {
    class: kind || 'secondary', 'aria-label': text + ': ' + of,
  });
}

/** A field with its label; `make(id)` gives the input. */
export function field(label, make, hint) {
  fields += 1;
  const id = 'admin-field-' + fields;
  const input = make(id);
  if (hint) input.setAttribute('aria-describedby', id + '-hint');
  return {
    input,
    element: el('div', { class: 'field' }, [
      el('label', { for: id, text: label }), input,
      hint ? el('p', { class: 'hint', id: id + '-hint', text: hint }) : null,
    ]),
  };
}

/** A field for a text. */
export function textField(label, attributes, hint) {
  return field(label, (id) => el('input', Object.assign({
    id, type: 'text', autocomplete: 'off', maxlength: 200,
  }, attributes || {})), hint);
}

/** A field to choose in: `options` have value and text. */
export function choiceField(label, options, present, changed, hint) {
  return field(label, (id) => el('select', { id, on: { change: () => changed && changed() } },
    options.map((one) => el('option', {
      value: one.value, text: one.text, selected: one.value === present,
    }))), hint);
}

/** Boxes to tick, one for each of `options`; `value()` gives the ticked ones. */
export function tickBoxes(title, options) {
  const boxes = options.map((one) => {
    fields += 1;
    const id = 'admin-field-' + fields;
    const input = el('input', { id, type: 'checkbox' });
    return {
      value: one.value, input,
      element: el('span', { class: 'check' }, [input, el('label', { for: id, text: one.text })]),
    };
  });
  return {
    value: () => boxes.filter((one) => one.input.checked).map((one) => one.value),
    element: el('fieldset', { class: 'ticks' }, [
      el('legend', { text: title }), boxes.map((one) => one.element),
    ]),
  };
}

/** A form that `send()` sends. */
export function form(content, text, send, cancel) {
  const submit = el('button', { type: 'submit', class: 'primary' }, el('span', { text }));
  return el('form', {
    novalidate: true, class: 'admin-form', on: {
      submit: async (event) => {
        event.preventDefault();
        submit.disabled = true;
        await send();
        submit.disabled = false;
      },
    },
  }, [
    content,
    el('div', { class: 'row' }, [
      submit, cancel ? button(t('cancel'), cancel, { class: 'secondary' }) : null,
    ]),
  ]);
}

/** A secret that is shown once: to copy, and for a link as a picture for a telephone, too. */
export function secret(text, title, hint, isLink) {
  return el('div', { class: 'secret' }, [
    el('p', {}, el('strong', { text: title })),
    el('div', { class: 'row' }, [
      el('output', { class: 'secret-text', text }), copyButton(text),
    ]),
    el('p', { class: 'hint', text: hint }),
    isLink ? handOver(text, t('admin.secret.scan'), t('admin.secret.scanAbout')) : null,
  ]);
}

/** More rows of a list: the first `most`, and a button for the rest. */
export function bounded(rows, most, drawAll) {
  if (rows.length <= most) return rows;
  return rows.slice(0, most).concat(el('li', {}, button(t('list.more'), drawAll, {
    class: 'link',
  })));
}

/** All pages of a list, up to `most` rows. */
export async function allPages(read, member, most) {
  let rows = [];
  let after = '';
  do {
    const page = await read(after);
    rows = rows.concat(page[member]);
    after = page.next || '';
  } while (after && rows.length < most);
  return { rows, more: Boolean(after) };
}
