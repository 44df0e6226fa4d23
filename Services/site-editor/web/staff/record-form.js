// The form of one record: its names, hours, visibility, website and telephone.

import { address, go, linkTo } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { share } from '/app/sharing.js';
import { t } from '/app/words.js';
import { HoursPicker } from './hours-picker.js';
import { applyPatch, difference } from './merge-patch.js';
import { NamesFields } from './names-fields.js';
import { KINDS, floorsOf, oneOf, recordName } from './record-kinds.js';
import { mayChange } from './staff-rights.js';
import { staffFault } from './staff-faults.js';

const VISIBILITIES = ['', 'public', 'staff', 'hidden'];
const REQUIRED = ['level'];
// These are an empty text where there is none; the others are left out.
const KEPT_EMPTY = { rooms: ['name'], buildings: ['name'], zones: ['name'], directory: ['name'] };
const MOST_LETTERS = 400;
let forms = 0;

export class RecordForm {
  constructor(app, kind, record) {
    forms += 1;
    this.app = app;
    this.kind = kind;
    this.id = record;
    this.key = kind + '/' + record;
    this.prefix = 'form-' + forms + '-';
    this.read();
    this.news = el('div', {});
    this.fields = el('form', {
      novalidate: true, on: { submit: (event) => this.submitted(event) },
    });
    this.title = el('div', {});
    this.draw();
    const typed = app.typed.get(this.key);
    this.element = [this.title, this.news, this.fields];
    if (typed) this.tellNews(t('form.typed'));
  }

  /** The record as it is now, and at which revision. */
  read() {
    const { draft, typed } = this.app;
    this.record = draft.shown(this.kind, this.id);
    const kept = typed.get(this.key);
    this.basedOn = kept ? kept.basedOn : draft.revisionOf(this.kind, this.id);
  }

  draw() {
    const { app, kind, record } = this;
    /** What somebody types is compared with the record that they see. */
    this.drawn = record;
    this.drawnOn = this.basedOn;
    const kept = app.typed.get(this.key);
    const shown = kept ? applyPatch(record, kept.patch) : record;
    const floors = floorsOf(record);
    const line = [oneOf(kind), floors.length ? floorLine(app.draft.site, floors[0]) : '', this.id];
    const more = button(icon('share'), () => this.share(), {
      class: 'round share', 'aria-label': t('staff.link'), title: t('staff.link'),
    });
    fill(this.title, app.shell.head(recordName(kind, record), () => this.close(),
      line.filter(Boolean).join(' · '), more));
    this.inputs = new Map();
    const may = mayChange(app.rights, kind, record);
    const parts = KINDS[kind].members.map((name) => this.fieldOf(name, shown));
    const group = el('fieldset', { class: 'plain', disabled: !may }, parts);
    this.save = el('button', { id: this.prefix + 'save', type: 'submit', class: 'primary' }, [
      icon('keep'), el('span', { text: t('form.save') }),
    ]);
    this.reset = button(el('span', { text: t('form.reset') }), () => this.forget(), {
      class: 'secondary',
    });
    fill(this.fields, [
      group, may ? el('div', { class: 'row form-end' }, [this.save, this.reset])
        : el('p', { class: 'quiet', text: t('form.readOnly') }),
    ]);
    this.changed();
  }

  fieldOf(name, record) {
    if (name === 'names' || name === 'titles') {
      const names = new NamesFields(this.prefix + name, record[name], () => this.changed());
      this.inputs.set(name, { value: () => names.value(), check: () => true });
      return names.element;
    }
    if (name === 'openingHours') {
      const hours = new HoursPicker(this.prefix + name, record[name], () => this.changed());
      this.inputs.set(name, { value: () => hours.value(), check: () => hours.check() });
      return hours.element;
    }
    if (name === 'visibility') return this.visibilityField(record);
    if (name === 'proposed') return this.proposedField(record);
    return this.textField(name, record);
  }

  textField(name, record) {
    const id = this.prefix + name;
    const fault = el('p', { class: 'fault', id: id + '-fault', hidden: true });
    const kinds = { website: 'url', telephone: 'tel' };
    const input = el('input', {
      id, type: kinds[name] || 'text', value: record[name] || '', maxlength: MOST_LETTERS,
      autocomplete: 'off', 'aria-describedby': id + '-fault',
      on: {
        input: () => {
          if (!fault.hidden) check();
          this.changed();
        },
      },
    });
    const check = () => {
      const key = faultOf(name, input.value.trim());
      fault.hidden = !key;
      fill(fault, key ? t(key) : null);
      if (key) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
      return !key;
    };
    const empty = (KEPT_EMPTY[this.kind] || []).indexOf(name) >= 0 ? '' : null;
    // What nobody typed stays as it is, with spaces at its ends.
    const value = () => (input.value === record[name] ? record[name]
      : input.value.trim() || empty);
    this.inputs.set(name, { value, check, input });
    return el('div', { class: 'field' }, [
      el('label', { for: id, text: t('field.' + name) }), input, fault,
    ]);
  }

  visibilityField(record) {
    const id = this.prefix + 'visibility';
    const select = el('select', { id, on: { change: () => this.changed() } },
      VISIBILITIES.map((value) => el('option', {
        value, text: t('visibility.' + (value || 'usual')),
        selected: value === (record.visibility || ''),
      })));
    this.inputs.set('visibility', { value: () => select.value || null, check: () => true });
    const hint = t('visibility.hint.' + this.kind);
    return el('div', { class: 'field' }, [
      el('label', { for: id, text: t('field.visibility') }), select,
      el('p', { class: 'hint', text: hint }),
    ]);
  }

  /** A surveyor has proposed the room: it is not published until somebody accepts it. */
  proposedField(record) {
    if (!this.record.proposed) return null;
    const id = this.prefix + 'proposed';
    const input = el('input', {
      id, type: 'checkbox', checked: record.proposed !== true, disabled: !this.app.rights.edits,
      on: { change: () => this.changed() },
    });
    this.inputs.set('proposed', { value: () => (input.checked ? null : true), check: () => true });
    return el('div', { class: 'field' }, [
      el('span', { class: 'check' }, [input, el('label', { for: id, text: t('field.accepted') })]),
      el('p', { class: 'hint', text: t('field.proposedHint') }),
    ]);
  }

  /** What somebody typed, as a patch of the record. */
  patch() {
    const after = {};
    this.inputs.forEach((input, name) => { after[name] = input.value(); });
    return difference(this.drawn, after);
  }

  changed() {
    const patch = this.patch();
    const some = Object.keys(patch).length > 0;
    if (some) this.app.typed.set(this.key, { patch, basedOn: this.drawnOn });
    else this.app.typed.delete(this.key);
    this.save.disabled = false;
    this.reset.hidden = !some;
  }

  submitted(event) {
    event.preventDefault();
    this.keep();
  }

  /** Checks what was typed, and keeps it; it is sent as soon as that is possible. */
  async keep() {
    let first = null;
    this.inputs.forEach((input) => {
      if (!input.check() && !first) first = input;
    });
    if (first) {
      this.tellNews(t('form.faults'), true);
      if (first.input) first.input.focus();
      return;
    }
    const patch = this.patch();
    if (!Object.keys(patch).length) {
      this.tellNews(t('form.nothing'));
      return;
    }
    this.app.typed.delete(this.key);
    const name = recordName(this.kind, this.record);
    this.saving = true;
    await this.app.draft.patch(this.kind, this.id, patch, this.drawnOn, name);
    this.tellSaved();
  }

  /** Says whether what was saved has arrived, or waits in this browser. */
  tellSaved() {
    const { queue } = this.app.draft;
    if (!this.saving) return;
    const own = (edits) => edits.some((one) => one.kind === this.kind && one.record === this.id);
    if (!own(queue.waiting())) {
      this.saving = false;
      if (!own(queue.refused())) this.tellNews(t('form.kept'));
    } else if (queue.state !== 'sending' && this.saving !== 'told') {
      this.saving = 'told';
      this.tellNews(t('form.keptHere'));
    }
  }

  forget() {
    this.app.typed.delete(this.key);
    this.read();
    this.draw();
    this.tellNews(t('form.forgotten'));
    const input = this.fields.querySelector('input');
    if (input) input.focus();
  }

  /** The record has changed: what somebody has typed stays. */
  update(isForeign) {
    const focused = document.activeElement && document.activeElement.id;
    const isOwn = focused && focused.indexOf(this.prefix) === 0;
    const before = JSON.stringify(this.record);
    const typed = this.app.typed.get(this.key);
    this.read();
    if (!this.record) {
      this.app.render(false);
      return;
    }
    if (JSON.stringify(this.record) === before) return;
    if (typed && isForeign) this.tellNews(t('form.meanwhile'));
    // Who types goes on in the same field; the others show what is new once the form is left.
    if (typed && this.fields.contains(document.activeElement)) return;
    this.draw();
    const again = isOwn && document.getElementById(focused);
    if (again) again.focus();
  }

  tellNews(text, isFault) {
    fill(this.news, el('p', { class: isFault ? 'news bad' : 'news', text }));
    say(text, true);
  }

  share() {
    const now = address();
    share(linkTo({
      screen: now.screen, kind: this.kind, record: this.id, floor: this.app.map.view.floorID,
      at: this.app.map.placeText(),
    }), recordName(this.kind, this.record));
  }

  close() {
    go({ kind: this.kind, record: null, panel: null });
  }
}

/** The key of the sentence for what is wrong with a text; null if it is fine. */
function faultOf(name, text) {
  if (REQUIRED.indexOf(name) >= 0 && !text) return 'field.fault.required';
  if (name === 'website' && text && !/^https?:\/\/[^\s/]+/.test(text)) return 'field.fault.website';
  if (name === 'telephone' && text && !/^[+\d][\d\s()./-]*(\s*(ext|x)\.?\s*\d+)?$/i.test(text)) {
    return 'field.fault.telephone';
  }
  return null;
}

/** Opens the form once the record is read; says so if there is none. */
export async function recordPanel(app, focus) {
  const { kind, record } = address();
  app.shell.waiting(t('wait.record'));
  try {
    if (!app.draft.stored(kind, record)) await app.draft.readOne(kind, record);
  } catch (fault) {
    app.shell.set(staffFault(fault, () => app.render(true)));
    return;
  }
  const now = address();
  if (now.kind !== kind || now.record !== record) return;
  if (!app.draft.shown(kind, record)) {
    app.shell.set([
      app.shell.head(t('record.gone'), () => go({ record: null })),
      el('p', { class: 'quiet', text: t('record.goneHint') }),
    ], focus);
    return;
  }
  const form = new RecordForm(app, kind, record);
  app.shell.set(form.element, focus);
  app.form = form;
  app.update = (what, value) => {
    if (what === 'queue') form.tellSaved();
    if (what === 'record' && (!value.record || (value.kind === kind && value.record === record))) {
      form.update(value.isForeign);
    }
  };
  app.leave = () => {
    app.form = null;
    app.map.leave();
  };
  app.map.showRecord(kind, form.record, app.stays === true).catch(() => null);
}
