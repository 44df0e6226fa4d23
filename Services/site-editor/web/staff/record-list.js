// The records of the draft by kind, with a search; a row opens the record.

import { address, go } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { currentLanguage, kindName, number, t, tn } from '/app/words.js';
import { KINDS, allNames, floorsOf, recordName } from './record-kinds.js';
import { staffFault } from './staff-faults.js';

const MOST_ROWS = 100;
const PAUSE_MILLISECONDS = 150;

/** A text as it is compared: without case and without the marks of letters. */
function plain(text) {
  return String(text).toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

/** Whether all words that are looked for begin or stand in one of the names. */
export function matches(words, names) {
  const all = names.map(plain);
  return words.every((word) => all.some((name) => name.indexOf(word) >= 0));
}

class RecordList {
  constructor(app) {
    this.app = app;
    this.most = MOST_ROWS;
    this.text = app.listText || '';
    this.onFloor = app.listOnFloor === true;
    const kind = el('select', {
      id: 'list-kind', on: { change: () => go({ kind: kind.value, record: null }) },
    }, Object.keys(KINDS).map((one) => el('option', {
      value: one, text: t('record.many.' + one), selected: one === this.kind,
    })));
    this.input = el('input', {
      id: 'list-find', type: 'search', value: this.text, maxlength: 100, autocomplete: 'off',
      placeholder: t('list.find'), 'aria-label': t('list.find'), enterkeyhint: 'search',
      on: {
        input: () => this.typed(),
        keydown: (event) => {
          if (event.key === 'ArrowDown') this.step(event, null, 1);
        },
      },
    });
    this.floor = el('input', {
      id: 'list-floor', type: 'checkbox', checked: this.onFloor, on: {
        change: () => {
          this.onFloor = this.floor.checked;
          app.listOnFloor = this.onFloor;
          this.draw();
        },
      },
    });
    this.floorLabel = el('span', { class: 'check' }, [
      this.floor, el('label', { for: 'list-floor', text: t('list.onFloor') }),
    ]);
    this.count = el('p', { class: 'quiet' });
    this.rows = el('ul', { class: 'rows', on: { keydown: (event) => this.pressed(event) } });
    this.element = [
      el('h1', { class: 'unseen', text: t('panel.records') }),
      el('div', { class: 'list-head' }, [
        el('label', { class: 'unseen', for: 'list-kind', text: t('list.kind') }), kind,
        el('div', { class: 'field find' }, [icon('search'), this.input]), this.floorLabel,
      ]),
      this.count, this.rows,
    ];
  }

  get kind() {
    const asked = address().kind;
    return asked in KINDS ? asked : 'rooms';
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.text = this.input.value;
      this.app.listText = this.text;
      this.most = MOST_ROWS;
      this.draw();
      say(this.count.textContent, true);
    }, PAUSE_MILLISECONDS);
  }

  /** The records that are looked for, by name. */
  found() {
    const { draft, map } = this.app;
    const words = plain(this.text).split(/\s+/).filter(Boolean);
    const floor = this.onFloor && map.view.floorID;
    const compare = new Intl.Collator(currentLanguage(), { numeric: true }).compare;
    const kind = this.kind;
    return draft.all(kind).filter((record) => {
      const floors = floorsOf(record);
      return (!floor || !floors.length || floors.indexOf(floor) >= 0)
        && (!words.length || matches(words, allNames(kind, record)));
    }).map((record) => ({ record, name: recordName(kind, record) })).sort((one, other) => (
      compare(one.name, other.name) || compare(one.record.id, other.record.id)));
  }

  draw() {
    const kind = this.kind;
    const list = this.app.draft.listOf(kind);
    const found = this.found();
    const all = list.records.size;
    fill(this.count, found.length === all ? tn('list.all', all)
      : t('list.some', { count: number(found.length), all: number(all) }));
    const at = document.activeElement && document.activeElement.getAttribute('data-record');
    fill(this.rows, found.slice(0, this.most).map((one) => this.row(kind, one)));
    if (found.length > this.most) {
      this.rows.appendChild(el('li', {}, button(t('list.more'), () => {
        this.most += MOST_ROWS;
        this.draw();
      }, { class: 'link' })));
    }
    if (at) this.focus(at);
    if (!found.length && list.isComplete) {
      fill(this.count, t(all ? 'list.none' : 'list.empty'));
    }
  }

  focus(id) {
    const row = Array.from(this.rows.querySelectorAll('button'))
      .find((one) => one.getAttribute('data-record') === id);
    if (row) row.focus();
  }

  row(kind, one) {
    const { record, name } = one;
    const floors = floorsOf(record);
    const line = [
      kind !== 'floors' && record.kind ? kindName(record.kind) : '',
      floors.length ? floorLine(this.app.draft.site, floors[0]) : '',
      record.visibility && record.visibility !== 'public'
        ? t('visibility.' + record.visibility) : '',
    ].filter(Boolean).join(' · ');
    const tag = record.proposed ? t('list.proposed') : '';
    const waits = this.app.draft.queue.ofRecord(kind, record.id).length > 0;
    return el('li', {}, button([
      icon(KINDS[kind].icon),
      el('span', {}, [el('strong', { text: name }), line ? el('small', { text: line }) : null]),
      waits || tag ? el('span', { class: 'tag', text: waits ? t('save.waits') : tag }) : null,
    ], () => go({ kind, record: record.id, panel: null }), {
      class: 'line', 'data-record': record.id,
    }));
  }

  /** The arrow keys go through the rows. */
  pressed(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) this.step(event, event.target.closest('button'), by);
  }

  step(event, from, by) {
    const rows = Array.from(this.rows.querySelectorAll('button'));
    const next = rows[from ? rows.indexOf(from) + by : 0];
    event.preventDefault();
    if (next) next.focus();
    else if (by < 0) this.input.focus();
  }
}

/** Shows the list of the kind that the address names. */
export async function listPanel(app, focus) {
  const list = new RecordList(app);
  const kind = list.kind;
  app.shell.set(list.element, focus);
  app.find = () => list.input.focus();
  let timer = 0;
  const soon = () => {
    cancelAnimationFrame(timer);
    timer = requestAnimationFrame(() => list.draw());
  };
  app.update = (what, value) => {
    if (what === 'queue' || (what === 'page' && value === kind)) soon();
    if (what === 'record' && (value.kind === kind || !value.record)) {
      if (!app.draft.listOf(kind).reading) app.draft.read(kind).then(soon, () => null);
      soon();
    }
  };
  const stop = app.map.view.on('floor', () => {
    if (list.onFloor) soon();
  });
  app.leave = () => {
    stop();
    cancelAnimationFrame(timer);
    app.find = null;
  };
  fill(list.count, t('wait.records'));
  try {
    await app.draft.read(kind);
    if (app.update) soon();
  } catch (fault) {
    fill(list.rows, el('li', {}, staffFault(fault, () => app.render(true))));
  }
}
