// Edits that the service refused: theirs and yours side by side, and a choice for each member.

import { go } from '/app/address.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { hasWord, t, tn } from '/app/words.js';
import { memberAt, parts, patchOf } from './merge-patch.js';
import { KINDS, oneOf } from './record-kinds.js';
import { detail, refusalText } from './staff-faults.js';
import { when, who } from './staff-times.js';

/** Whether somebody else has changed the same. */
export function isConflict(edit) {
  return edit.refusal.code === 'draft-edit-conflict' && edit.do === 'patch';
}

/** The name of a member, such as the name in Welsh. */
function memberName(path) {
  if (path.length > 1 && (path[0] === 'names' || path[0] === 'titles')) {
    const tag = path[1];
    const language = hasWord('language.' + tag) ? t('language.' + tag) : tag;
    return t('conflict.nameIn', { language });
  }
  return t('field.' + path[0]);
}

function valueText(path, value) {
  if (value === null || value === '') return t('conflict.nothing');
  if (path[0] === 'visibility') return t('visibility.' + value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The members of a conflict: those that differ, with what the service has of each. */
export function differing(edit) {
  return parts(edit.value).map((part) => (
    Object.assign({ theirs: memberAt(edit.refusal.theirs, part.path) }, part)
  )).filter((part) => JSON.stringify(part.theirs) !== JSON.stringify(part.value));
}

class Conflict {
  constructor(app, edit, index) {
    this.app = app;
    this.edit = edit;
    this.chosen = new Map();
    this.prefix = 'conflict-' + index + '-';
    this.members = differing(edit);
    this.members.forEach((one) => this.chosen.set(one.path.join('.'), 'yours'));
    const isGone = edit.refusal.theirs === null || edit.refusal.theirs === undefined;
    const name = edit.name || edit.record;
    const told = t(isGone ? 'conflict.gone' : 'conflict.by', {
      who: who(edit.refusal.by, app.draft.isOwn(edit.refusal)), when: when(edit.refusal.at),
    });
    this.element = el('section', { class: 'conflict', 'aria-label': name }, [
      el('h2', { text: name }),
      el('p', { class: 'quiet', text: [oneOf(edit.kind), told].join(' · ') }),
      isGone ? this.yoursAlone() : this.members.map((one, at) => this.member(one, at)),
      el('div', { class: 'row' }, [
        isGone ? null : button([icon('keep'), el('span', { text: t('conflict.keep') })],
          () => this.keep(), { class: 'primary' }),
        button(el('span', { text: t('conflict.drop') }), () => this.drop(), {
          class: 'secondary', 'aria-label': t('conflict.drop') + ': ' + name,
        }),
        isGone ? null : button(el('span', { text: t('conflict.open') }), () => go({
          panel: null, kind: edit.kind, record: edit.record,
        }), { class: 'link' }),
      ]),
    ]);
  }

  /** The record is gone: what was typed can be read and copied. */
  yoursAlone() {
    return el('dl', { class: 'members' }, [].concat(...this.members.map((one) => [
      el('dt', { text: memberName(one.path) }), el('dd', { text: valueText(one.path, one.value) }),
    ])));
  }

  member(one, at) {
    const key = one.path.join('.');
    const choice = (side, value) => {
      const id = this.prefix + at + '-' + side;
      const input = el('input', {
        type: 'radio', name: this.prefix + at, id, checked: side === this.chosen.get(key),
        on: { change: () => this.chosen.set(key, side) },
      });
      return el('div', { class: 'side-of' }, [
        input, el('label', { for: id }, [
          el('small', { text: t('conflict.' + side) }),
          el('span', { text: valueText(one.path, value) }),
        ]),
      ]);
    };
    return el('fieldset', { class: 'sides' }, [
      el('legend', { text: memberName(one.path) }),
      el('div', { class: 'two' }, [choice('theirs', one.theirs), choice('yours', one.value)]),
    ]);
  }

  /** Sends the chosen members again, based on what the service has now. */
  async keep() {
    const { app, edit } = this;
    const yours = this.members.filter((one) => this.chosen.get(one.path.join('.')) === 'yours');
    if (yours.length) {
      await app.draft.patch(edit.kind, edit.record, patchOf(yours), edit.refusal.revision,
        edit.name);
    }
    await app.draft.queue.drop(edit);
    app.draft.readOne(edit.kind, edit.record).catch(() => null);
  }

  async drop() {
    await this.app.draft.queue.drop(this.edit);
  }
}

/** What was refused for another reason: its sentence, and the record to try again. */
function refusedElement(app, edit) {
  const name = edit.do === 'undo' ? t('undo') : edit.name || edit.record;
  const canOpen = edit.kind in KINDS && edit.do === 'patch';
  return el('section', { class: 'conflict', 'aria-label': name }, [
    el('h2', { text: name }), el('p', { text: refusalText(edit.refusal.code) }),
    edit.refusal.detail ? detail(edit.refusal.detail) : null,
    el('div', { class: 'row' }, [
      canOpen ? button([icon('repeat'), el('span', { text: t('conflict.again') })],
        async () => {
          app.typed.set(edit.kind + '/' + edit.record, {
            patch: edit.value, basedOn: edit.basedOn,
          });
          await app.draft.queue.drop(edit);
          go({ panel: null, kind: edit.kind, record: edit.record });
        }, { class: 'primary' }) : null,
      button(el('span', { text: t('conflict.drop') }), () => app.draft.queue.drop(edit), {
        class: 'secondary', 'aria-label': t('conflict.drop') + ': ' + name,
      }),
    ]),
  ]);
}

/** Shows what waits for a decision. */
export function conflictsPanel(app, focus) {
  let shown = null;
  const draw = (moves) => {
    const edits = app.draft.queue.refused();
    const ids = edits.map((one) => one.id).join();
    if (ids === shown) return;
    const first = shown === null;
    shown = ids;
    app.shell.set([
      app.shell.head(t('panel.conflicts'), () => go({ panel: null })),
      el('p', { class: 'quiet', text: edits.length ? tn('conflict.hint', edits.length)
        : t('conflict.none') }),
      edits.map((edit, index) => (isConflict(edit) ? new Conflict(app, edit, index).element
        : refusedElement(app, edit))),
    ], moves || !first);
  };
  draw(focus);
  app.update = (what) => {
    if (what === 'queue') draw(false);
  };
}
