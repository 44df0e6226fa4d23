// The sight of the directions by ear: the step in large letters, large buttons, the choices.

import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { sensesForm } from './senses.js';
import { canVibrate, voiceNow } from './speaking.js';
import { t } from './words.js';

// A longer step is set smaller, so that the buttons stay in view.
const LONG_TEXT = 110;

export class EarView {
  /** `act(name)` runs for a button, `changed(name)` for a choice; `barriers` asks by itself. */
  constructor(walk, act, changed, barriers) {
    this.walk = walk;
    this.act = act;
    this.changed = changed;
    this.count = el('p', { class: 'ear-count' });
    this.told = el('p', { class: 'ear-told' });
    this.aside = el('p', { class: 'ear-aside' });
    this.back = this.large('back', 'back', 'b');
    this.next = this.large('next', 'next', 'n');
    this.next.classList.add('main');
    if (barriers.isOffered) barriers.key = this.large('barrier', 'barrier', 'x');
    this.settings = el('div', {});
    this.list = el('ol', { class: 'ear-all' }, walk.steps.map((step) => el('li', {
      text: step.text,
    })));
    this.elements = [
      el('div', { class: 'ear-now' }, [this.count, this.told, this.aside]),
      el('div', { class: 'ear-keys', role: 'group', 'aria-label': t('ear.controls') }, [
        this.back, this.next, this.large('repeat', 'repeat', 'r'),
        this.large('where', 'locate', 'w'), this.large('around', 'around', 'a'),
        barriers.key,
      ]),
      barriers.element,
      el('details', { class: 'group' }, [
        el('summary', {}, [icon('directory'), el('span', { text: t('steps') })]), this.list,
      ]),
      this.settings,
    ];
    this.drawSettings();
  }

  large(name, sign, letter) {
    return button([
      icon(sign), el('span', { text: t('ear.' + name) }),
      el('kbd', { 'aria-hidden': 'true', text: letter.toUpperCase() }),
    ], () => this.act(name), { class: 'ear-key', 'aria-keyshortcuts': letter });
  }

  /** Draws the choices anew: the browser's voices may have come. */
  drawSettings() {
    const open = this.settings.querySelector('details[open]') !== null;
    const form = sensesForm({
      voice: voiceNow() !== null, vibration: canVibrate(), changed: this.changed,
    });
    form.open = open;
    fill(this.settings, form);
  }

  /** Shows the present step, and what is said after it. */
  show(after) {
    const walk = this.walk;
    this.count.textContent = t('ear.step', {
      number: walk.present + 1, count: walk.steps.length,
    });
    this.told.textContent = [walk.text(), after].filter(Boolean).join(' ');
    this.told.classList.toggle('long', this.told.textContent.length > LONG_TEXT);
    // A button that can do nothing stays where it is: the keyboard's place must not get lost.
    this.back.setAttribute('aria-disabled', String(walk.present === 0));
    this.next.setAttribute('aria-disabled', String(walk.isLast));
    Array.prototype.forEach.call(this.list.children, (row, index) => {
      if (index >= walk.first && index <= walk.present) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    });
  }
}
