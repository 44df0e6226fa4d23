// The devices in a list with a search, and the one that is followed. On the map there is no element
// for a device, so the list is also the way of the keyboard and of screen readers.

import { address } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { t, tn } from '/app/words.js';
import { deviceCard } from './watch-card.js';

const MOST_ROWS = 100;

/** Devices whose id, room or floor has all the words. */
export function found(marks, text, lineOf) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return marks;
  return marks.filter((mark) => {
    const all = (mark.id + ' ' + lineOf(mark)).toLowerCase();
    return words.every((word) => all.indexOf(word) >= 0);
  });
}

/**
 * The list, with the card of the device that is followed. `source` has `marks()`, `isNow(mark)`,
 * `age(mark)` in words, and `explain(mark)`, which gives an action or null.
 */
export class DeviceList {
  constructor(app, title, source) {
    this.app = app;
    this.source = source;
    this.isReading = true;
    this.most = MOST_ROWS;
    this.state = el('p', { class: 'quiet', role: 'status' });
    this.count = el('p', { class: 'watch-total' });
    this.card = el('div', {});
    this.input = el('input', {
      id: 'watch-find', type: 'search', maxlength: 100, autocomplete: 'off',
      placeholder: t('watch.find'), 'aria-label': t('watch.find'), enterkeyhint: 'search',
      on: {
        input: () => this.draw(),
        keydown: (event) => {
          if (event.key === 'ArrowDown') this.step(event, null, 1);
        },
      },
    });
    this.rows = el('ul', { class: 'rows', on: { keydown: (event) => this.pressed(event) } });
    this.more = el('div', {});
    this.shown = [];
    this.element = [
      el('h1', { class: 'unseen', text: title }), this.count, this.state, this.card,
      el('div', { class: 'field find' }, [icon('search'), this.input]), this.rows, this.more,
    ];
  }

  lineOf(mark) {
    const room = mark.room ? this.app.names.of('room', mark.room) : '';
    const floor = mark.floor === 'outdoors' ? t('watch.outdoors')
      : mark.floor ? floorLine(this.app.site, mark.floor) : '';
    return [room, floor].filter(Boolean).join(' · ');
  }

  draw() {
    const { source } = this;
    const marks = source.marks();
    this.set(this.count, tn('watch.live', marks.filter((mark) => source.isNow(mark)).length));
    const all = marks.slice().sort((one, other) => (
      Number(source.isNow(other)) - Number(source.isNow(one)) || (one.id < other.id ? -1 : 1)));
    const wanted = found(all, this.input.value, (mark) => this.lineOf(mark));
    const rows = wanted.slice(0, this.most);
    // Rows stay where they are as long as they are of the same devices: only their texts change.
    const same = rows.length === this.shown.length
      && rows.every((mark, at) => this.shown[at].mark === mark);
    if (!same) this.fillRows(rows);
    this.shown.forEach((one) => this.drawRow(one));
    this.drawEnd(wanted.length, marks.length);
    this.drawCard(marks);
  }

  set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  fillRows(rows) {
    const focused = this.rows.contains(document.activeElement)
      ? document.activeElement.getAttribute('data-device') : null;
    this.shown = rows.map((mark) => {
      const small = el('small', {});
      const tag = el('span', { class: 'tag' });
      const open = button([
        icon('person'), el('span', {}, [el('strong', { text: mark.id }), small]), tag,
      ], () => this.app.choose(address().device === mark.id ? null : mark.id), {
        class: 'line', 'data-device': mark.id,
      });
      return { mark, small, tag, open, element: el('li', {}, open) };
    });
    fill(this.rows, this.shown.map((one) => one.element));
    const again = this.shown.find((one) => one.mark.id === focused);
    if (again) again.open.focus();
  }

  drawRow(one) {
    const { mark } = one;
    const now = this.source.isNow(mark);
    this.set(one.small, mark.state === 'lost' && now ? t('watch.lost') : this.lineOf(mark));
    this.set(one.tag, now ? '' : this.source.age(mark));
    one.tag.hidden = now;
    const chosen = mark.id === address().device ? 'true' : 'false';
    if (one.open.getAttribute('aria-pressed') !== chosen) {
      one.open.setAttribute('aria-pressed', chosen);
    }
  }

  drawEnd(count, all) {
    const key = [count > this.most, count === 0, all === 0, this.isReading].join();
    if (key === this.endKey) return;
    this.endKey = key;
    if (count > this.most) {
      fill(this.more, button(t('list.more'), () => {
        this.most += MOST_ROWS;
        this.endKey = '';
        this.draw();
      }, { class: 'link' }));
    } else if (!count && !this.isReading) {
      fill(this.more, el('p', {
        class: 'quiet pad', text: t(all ? 'watch.noneFound' : 'watch.none'),
      }));
    } else fill(this.more, null);
  }

  drawCard(marks) {
    const id = address().device;
    const mark = (id && marks.find((one) => one.id === id)) || null;
    const about = mark ? {
      when: this.source.age(mark), line: this.lineOf(mark), explain: this.source.explain(mark),
      isPast: this.source.isPast,
    } : { isPast: this.source.isPast };
    const key = id ? [id, mark && mark.state, mark && mark.radius.toFixed(1), about.when,
      about.line, this.app.map.view.following].join() : '';
    if (key === this.cardKey) return;
    this.cardKey = key;
    const inside = this.card.contains(document.activeElement)
      ? document.activeElement.getAttribute('data-action') : null;
    fill(this.card, id ? deviceCard(this.app, id, mark, about) : null);
    const again = inside && this.card.querySelector('[data-action="' + inside + '"]');
    if (again) again.focus();
  }

  /** The arrow keys go through the rows. */
  pressed(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) this.step(event, event.target.closest('button'), by);
  }

  step(event, from, by) {
    const rows = this.shown.map((one) => one.open);
    const next = rows[from ? rows.indexOf(from) + by : 0];
    event.preventDefault();
    if (next) next.focus();
    else if (by < 0) this.input.focus();
  }
}
