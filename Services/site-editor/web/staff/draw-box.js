// The small box over the map: the name of what was just drawn, what can be done with what is
// chosen, and the question before something goes.

import { go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { kindName, t, tn } from '/app/words.js';
import { copying, rowing } from './draw-acts.js';
import { divided } from './draw-shapes.js';
import { ROOM_KINDS, kindOfName, nextKind, nextName, rowOfNames } from './draw-names.js';
import { drawnID } from './draw-scene.js';
import { floorName } from '/app/floors.js';

const MOST_IN_ROW = 100;
const MOST_LETTERS = 400;

export class DrawBox {
  constructor(board) {
    this.board = board;
    this.element = el('div', { class: 'draw-box', hidden: true });
    this.last = { name: '', kind: 'room' };
    this.shown = null;
  }

  close() {
    this.shown = null;
    this.element.hidden = true;
    fill(this.element, null);
  }

  // MARK: Rooms

  /** Asks for the name of a room that was just drawn. */
  nameNew(room) {
    const name = nextName(this.last.name);
    this.showRoom(room, name, true);
  }

  /** Shows a room: `suggested` is a name that it does not have yet. */
  showRoom(room, suggested, isNew) {
    this.shown = { kind: 'rooms', id: room.id, isNew };
    const name = el('input', {
      id: 'draw-name', type: 'text', value: suggested || room.name || '', maxlength: MOST_LETTERS,
      autocomplete: 'off', enterkeyhint: 'done', on: {
        input: () => {
          const found = kindOfName(name.value);
          if (found && !this.isKindChosen) kind.value = found;
        },
      },
    });
    const kinds = ROOM_KINDS.indexOf(room.kind) < 0 ? [room.kind].concat(ROOM_KINDS) : ROOM_KINDS;
    const kind = el('select', {
      id: 'draw-kind', on: { change: () => { this.isKindChosen = true; } },
    }, kinds.map((one) => el('option', {
      value: one, text: kindName(one), selected: one === room.kind,
    })));
    this.isKindChosen = false;
    const count = room.outline.length === 4 ? el('input', {
      id: 'draw-row', type: 'number', min: 1, max: MOST_IN_ROW, value: '1', inputmode: 'numeric',
    }) : null;
    this.fields = { name, kind, count };
    const form = el('form', {
      novalidate: true, on: {
        submit: (event) => {
          event.preventDefault();
          this.keep(true);
        },
        keydown: (event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          this.close();
          this.toMap();
        },
        // Who draws on at once keeps what was typed.
        focusout: () => setTimeout(() => {
          if (this.shown && !form.contains(document.activeElement)) this.keep(false);
        }, 0),
      },
    }, [
      labelled('draw-name', t('field.name'), name, 'wide'),
      labelled('draw-kind', t('field.kind'), kind),
      count ? labelled('draw-row', t('draw.row'), count, 'short') : null,
      el('button', { type: 'submit', class: 'primary' }, el('span', { text: t('draw.keep') })),
    ]);
    this.show([form, isNew ? null : this.actions(room)]);
    if (isNew) {
      name.focus();
      name.select();
    }
  }

  show(children) {
    this.element.hidden = false;
    fill(this.element, children);
  }

  /** Keeps name and kind; a row of rooms takes the place of one. */
  async keep(isOver) {
    const { board, shown, fields } = this;
    if (!shown || shown.kind !== 'rooms') return;
    const room = board.scene.room(shown.id);
    const name = fields.name.value.trim();
    const kind = fields.kind.value;
    const count = fields.count ? Math.floor(Number(fields.count.value)) || 1 : 1;
    if (shown.isNew || isOver) {
      this.close();
      if (isOver) this.toMap();
    }
    if (!room) return;
    if (shown.isNew && (name || kind !== 'room')) {
      this.last = { name, kind };
      board.nextKind = nextKind(kind);
    }
    if (count > 1 && count <= MOST_IN_ROW) await this.keepRow(room, name, kind, count);
    else {
      const value = {};
      if (name !== room.name) value.name = name;
      if (kind !== room.kind) value.kind = kind;
      if (!Object.keys(value).length) return;
      await board.send([{
        do: 'patch', kind: 'rooms', record: room.id, value, name: name || room.id,
      }]);
      if (name && !board.faults.length) board.tell(t('draw.done.name', { name }), 'good');
    }
  }

  async keepRow(room, name, kind, count) {
    const { board } = this;
    const rings = divided(room.outline, count);
    const names = rowOfNames(name, count);
    const lists = await board.hanging();
    if (!lists) return;
    await board.send(rowing(Object.assign({}, room, { kind }), rings, names,
      () => drawnID('room'), lists));
    this.last = { name: names[count - 1], kind };
    board.tell(tn('draw.done.row', count), 'good');
  }

  toMap() {
    this.board.app.shell.map.focus({ preventScroll: true });
  }

  // MARK: What is chosen

  /** What can be done with a chosen room. */
  actions(room) {
    const { board } = this;
    const tool = board.tools.change;
    const storey = board.scene.floor(room.floor);
    const others = storey ? board.scene.floors(storey.building)
      .filter((one) => one.id !== room.floor) : [];
    return el('div', { class: 'row' }, [
      tool.corner >= 0 ? action('minus', 'draw.removeCorner', () => tool.removeCorner()) : null,
      others.length ? this.copyChoice([room], others) : null,
      action('close', 'draw.remove', () => this.ask('rooms', room)),
      action('settings', 'draw.open', () => go({ panel: null, kind: 'rooms', record: room.id })),
    ]);
  }

  /** A choice of floors on which rooms are drawn again. */
  copyChoice(rooms, floors) {
    const select = el('select', {
      'aria-label': t('draw.copyTo'), on: {
        change: () => this.copy(rooms, select.value),
      },
    }, [el('option', { value: '', text: t('draw.copyTo'), selected: true })].concat(
      floors.map((floor) => el('option', { value: floor.id, text: floorName(floor) }))));
    return select;
  }

  async copy(rooms, floor) {
    const { board } = this;
    if (!floor) return;
    const here = board.scene.connections(board.floor);
    const edits = copying(rooms, here, floor, drawnID);
    await board.send(edits);
    const name = floorName(board.scene.floor(floor));
    board.tell(tn('draw.done.copy', rooms.length, { floor: name }), 'good');
  }

  /** Shows what is chosen. */
  showChosen() {
    const tool = this.board.tools.change;
    const { record, room } = tool;
    if (room) this.showRoom(room, '', false);
    else if (record && tool.chosen.kind === 'connections') this.showWay(record);
    else this.close();
  }

  showWay(record) {
    this.shown = { kind: 'connections', id: record.id };
    const { board } = this;
    const width = el('input', {
      id: 'draw-width', type: 'number', min: 0.3, max: 100, step: 0.05, inputmode: 'decimal',
      value: record.widthMetres || '', on: {
        change: () => {
          const metres = Number(width.value);
          const isFine = metres >= 0.05 && metres <= 1000;
          board.send([{
            do: 'patch', kind: 'connections', record: record.id, name: record.name || '',
            value: { widthMetres: isFine ? metres : null },
          }]);
        },
      },
    });
    const names = record.stops.map((stop) => {
      const room = board.scene.room(stop.room);
      return room ? room.name || kindName(room.kind) : t('draw.outdoors');
    });
    this.show([
      el('p', {}, [el('strong', { text: record.name || kindName(record.kind) }),
        el('small', { text: ' ' + names.join(' – ') })]),
      el('div', { class: 'row' }, [
        labelled('draw-width', t('field.widthMetres'), width, 'short'),
        action('close', 'draw.remove', () => this.ask('connections', record)),
        action('settings', 'draw.open', () => go({
          panel: null, kind: 'connections', record: record.id,
        })),
      ]),
    ]);
  }

  // MARK: Removing

  /** Says what goes with a record, and asks. */
  async ask(kind, record) {
    const { board } = this;
    if (!await board.hanging()) return;
    const hanging = kind === 'rooms' ? board.scene.hanging(kind, record.id) : {};
    const name = record.name || kindName(record.kind);
    this.question(goesWith(name, hanging), () => board.tools.change.remove());
  }

  /** A question with its consequences; `yes` does it. */
  question(text, yes) {
    const asked = el('p', { text, tabindex: '-1' });
    this.shown = { kind: 'question' };
    this.show([asked, el('div', { class: 'row' }, [
      button([icon('close'), el('span', { text: t('draw.yesRemove') })], () => {
        this.close();
        this.toMap();
        yes();
      }, { class: 'primary' }),
      button(el('span', { text: t('draw.noRemove') }), () => {
        this.showChosen();
        this.toMap();
      }, { class: 'secondary' }),
    ])]);
    asked.focus();
  }
}

/** The sentence that says what goes with a record. */
export function goesWith(name, hanging) {
  const parts = Object.keys(hanging).map((kind) => tn('draw.count.' + kind, hanging[kind]));
  return parts.length ? t('draw.goesWith', { name, things: parts.join(', ') })
    : t('draw.goesAlone', { name });
}

function labelled(id, text, input, size) {
  return el('div', { class: 'field ' + (size || '') }, [el('label', { for: id, text }), input]);
}

function action(sign, key, run) {
  return button([icon(sign), el('span', { text: t(key) })], run, { class: 'tool' });
}
