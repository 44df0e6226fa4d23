// A name in several languages: those of the app, those that the record has, and any other.

import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { hasWord, languages, t } from '/app/words.js';

// A tag of BCP 47, as far as the service takes them: a language, a script or a region.
const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** Whether a text is the tag of a language. */
export function isLanguage(tag) {
  return TAG.test(tag);
}

function languageName(tag) {
  return hasWord('language.' + tag) ? t('language.' + tag) : tag;
}

export class NamesFields {
  /** `names` are those of the record by language; `changed` is called when somebody types. */
  constructor(id, names, changed) {
    this.id = id;
    this.names = names || {};
    this.changed = changed;
    this.inputs = new Map();
    this.rows = el('div', {});
    const present = Object.keys(this.names);
    Array.from(new Set(languages.concat(present))).forEach((tag) => {
      this.add(tag, this.names[tag] || '');
    });
    this.other = el('input', {
      id: this.id + '-other', maxlength: 35, autocomplete: 'off', spellcheck: 'false',
      placeholder: t('names.tag'), 'aria-describedby': this.id + '-fault',
      on: {
        keydown: (event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          this.addOther();
        },
      },
    });
    this.fault = el('p', { class: 'fault', id: this.id + '-fault', hidden: true });
    this.element = el('fieldset', { class: 'names' }, [
      el('legend', { text: t('field.names') }),
      el('p', { class: 'hint', text: t('names.hint') }), this.rows,
      el('div', { class: 'field' }, [
        el('label', { for: this.id + '-other', text: t('names.other') }),
        el('div', { class: 'row' }, [this.other, button([
          icon('plus'), el('span', { text: t('names.add') }),
        ], () => this.addOther(), { class: 'secondary' })]),
        this.fault,
      ]),
    ]);
  }

  add(tag, value) {
    const id = this.id + '-' + tag;
    const input = el('input', {
      id, value, lang: tag, maxlength: 400, autocomplete: 'off', on: { input: this.changed },
    });
    this.inputs.set(tag, input);
    this.rows.appendChild(el('div', { class: 'field' }, [
      el('label', { for: id, lang: hasWord('language.' + tag) ? tag : null,
        text: languageName(tag) }),
      input,
    ]));
    return input;
  }

  addOther() {
    const tag = this.other.value.trim();
    const fine = isLanguage(tag);
    this.fault.hidden = fine;
    fill(this.fault, fine ? null : t('names.fault'));
    if (!fine) return;
    this.other.value = '';
    (this.inputs.get(tag) || this.add(tag, '')).focus();
  }

  /** The name of each language; null where there is none. */
  value() {
    const result = {};
    this.inputs.forEach((input, tag) => {
      const before = this.names[tag];
      result[tag] = input.value === before ? before : input.value.trim() || null;
    });
    return result;
  }
}
