// A field that finds places as one types; the keyboard walks through the results.

import { button, el, fill } from './elements.js';
import { icon, iconOfKind } from './icons.js';
import { floorLine } from './floors.js';
import { withNearest } from './nearest-kinds.js';
import { findPlaces, tellApart } from './places.js';
import { say } from './announcing.js';
import { faultText } from './waiting.js';
import { kindName, t, tn } from './words.js';

const PAUSE_MILLISECONDS = 140;
let boxes = 0;

export class SearchBox {
  /**
   * `options`: label, choose(place), clear(), extras: places that are offered beside, and
   * `nearest`: whether a kind's word finds the nearest place of the kind.
   */
  constructor(site, options) {
    boxes += 1;
    this.site = site;
    this.options = options;
    this.results = [];
    this.at = -1;
    const list = 'results-' + boxes;
    this.input = el('input', {
      type: 'search', role: 'combobox', autocomplete: 'off', 'aria-autocomplete': 'list',
      'aria-expanded': 'false', 'aria-controls': list, 'aria-label': options.label,
      placeholder: options.label, enterkeyhint: 'search', spellcheck: 'false', maxlength: 200,
      on: {
        input: () => this.typed(), keydown: (event) => this.pressed(event),
        focus: () => this.focused(), blur: () => setTimeout(() => this.close(), 180),
      },
    });
    this.clearing = button(icon('close'), () => this.clear(), {
      class: 'round small', 'aria-label': t('search.clear'), hidden: true,
    });
    this.list = el('ul', { class: 'results', id: list, role: 'listbox', hidden: true,
      'aria-label': options.label });
    this.element = el('div', { class: 'box' }, [
      icon(options.icon || 'search'), this.input, this.clearing, this.list,
    ]);
  }

  /** Shows a name without searching for it. */
  setText(text) {
    this.input.value = text;
    this.clearing.hidden = !text;
    this.close();
  }

  clear() {
    this.setText('');
    this.input.focus();
    if (this.options.clear) this.options.clear();
  }

  focused() {
    this.input.select();
    if (!this.input.value && this.options.extras) this.offer(this.options.extras());
  }

  typed() {
    clearTimeout(this.timer);
    if (this.control) this.control.abort();
    this.results = [];
    const text = this.input.value.trim();
    this.clearing.hidden = !this.input.value;
    if (!text) {
      if (this.options.extras) this.offer(this.options.extras());
      else this.close();
      return;
    }
    this.hurried = false;
    this.timer = setTimeout(() => this.search(text), PAUSE_MILLISECONDS);
  }

  async search(text) {
    const control = new AbortController();
    this.control = control;
    const slow = setTimeout(() => this.note(t('search.waiting')), 300);
    try {
      const places = await findPlaces(this.site, text, control.signal);
      if (control.signal.aborted) return;
      const found = this.options.nearest ? withNearest(text, places) : places;
      this.offer(found);
      const relabel = () => this.relabel(found);
      tellApart(this.site, found, relabel, control.signal).catch(() => null);
      if (this.hurried && found.length) {
        this.choose(0);
        return;
      }
      if (!found.length) this.note(t('search.none', { text }));
      say(found.length ? tn('search.found', found.length) : t('search.none', { text }), true);
    } catch (fault) {
      if (fault.name !== 'AbortError') this.note(faultText(fault));
    } finally {
      clearTimeout(slow);
    }
  }

  note(text) {
    this.results = [];
    this.open([el('li', { class: 'note', role: 'presentation', text })]);
  }

  offer(results) {
    this.results = results;
    this.at = -1;
    this.input.removeAttribute('aria-activedescendant');
    if (!results.length) {
      this.close();
      return;
    }
    this.open(results.map((place, index) => this.row(place, index)));
  }

  /** The line below a name: the kind, and where it is. */
  lineOf(place) {
    const one = place.floors && place.floors.length === 1;
    const floor = place.where || (one ? floorLine(this.site, place.floors[0]) : '');
    const kind = place.category ? kindName(place.category) : kindName(place.kind);
    return [place.line || kind, floor].filter(Boolean).join(' · ');
  }

  /** Writes the lines anew; the rows stay, and with them the chosen one. */
  relabel(results) {
    if (this.results !== results) return;
    results.forEach((place, index) => {
      const small = this.list.children[index].querySelector('small');
      const line = this.lineOf(place);
      if (small.textContent !== line) small.textContent = line;
    });
  }

  row(place, index) {
    const kind = place.category ? kindName(place.category) : kindName(place.kind);
    const line = this.lineOf(place);
    const name = iconOfKind(place.category || place.kind, iconOfKind(place.kind, 'room'));
    return el('li', {
      role: 'option', id: this.list.id + '-' + index, 'aria-selected': 'false',
      on: {
        mousedown: (event) => event.preventDefault(), click: () => this.choose(index),
      },
    }, [
      icon(place.icon || name),
      el('span', {}, [el('strong', { text: place.name || kind }), el('small', { text: line })]),
    ]);
  }

  open(children) {
    fill(this.list, children);
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.results.length) {
      event.preventDefault();
      this.move((this.at + step + this.results.length) % this.results.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Enter before the results have come chooses the first of them.
      if (this.results.length) this.choose(Math.max(0, this.at));
      else this.hurried = true;
    } else if (event.key === 'Escape') {
      if (this.list.hidden) this.clear();
      else this.close();
    }
  }

  move(index) {
    const rows = this.list.children;
    if (this.at >= 0 && rows[this.at]) rows[this.at].setAttribute('aria-selected', 'false');
    this.at = index;
    rows[index].setAttribute('aria-selected', 'true');
    this.input.setAttribute('aria-activedescendant', rows[index].id);
    if (rows[index].scrollIntoView) rows[index].scrollIntoView({ block: 'nearest' });
  }

  choose(index) {
    const place = this.results[index];
    this.setText(place.name);
    this.input.blur();
    this.options.choose(place);
  }
}
