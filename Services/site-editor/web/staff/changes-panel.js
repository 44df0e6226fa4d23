// Who changed what in the draft, the newest first; others' edits come as they happen.

import { go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { hasWord, t } from '/app/words.js';
import { KINDS, oneOf } from './record-kinds.js';
import { when, who } from './staff-times.js';

const MOST_ROWS = 60;
const RENEW_MILLISECONDS = 30000;

/** The sentence for an edit. */
export function editText(edit, draft) {
  const key = 'change.' + (draft.isRedo(edit) ? 'redo' : edit.do);
  return t(hasWord(key) ? key : 'change.other', {
    who: who(edit.by, draft.isOwn(edit)), what: edit.name || edit.record || t('change.site'),
  });
}

/** The name of one's own edit: what it is of, or an undo. */
export function editName(edit) {
  return edit.do === 'undo' ? t('undo') : edit.name || edit.record || t('change.site');
}

class Changes {
  constructor(app) {
    this.app = app;
    this.most = MOST_ROWS;
    this.rows = el('ul', { class: 'rows changes' });
    this.element = [
      el('h1', { text: t('panel.changes') }), el('p', { class: 'quiet', text: t('changes.hint') }),
      this.rows,
    ];
    this.draw();
  }

  draw() {
    const { draft } = this.app;
    const at = document.activeElement && document.activeElement.getAttribute('data-at');
    const edits = draft.journal.slice().reverse();
    const undone = draft.undoneRevisions();
    if (!edits.length) {
      fill(this.rows, el('li', { class: 'quiet pad', text: t('changes.none') }));
      return;
    }
    fill(this.rows, edits.slice(0, this.most).map((edit) => this.row(edit, undone)));
    if (edits.length > this.most) {
      this.rows.appendChild(el('li', {}, button(t('list.more'), () => {
        this.most += MOST_ROWS;
        this.draw();
      }, { class: 'link' })));
    }
    if (at) this.focus(at);
  }

  /** The keyboard stays where it was; an edit that can't be undone any more has its own row. */
  focus(at) {
    const all = Array.from(this.rows.querySelectorAll('[data-at]'));
    const named = (name) => all.find((one) => one.getAttribute('data-at') === name);
    const next = named(at) || named(at.replace('undo', 'open')) || all[0];
    if (next) next.focus();
  }

  row(edit, undone) {
    const { draft } = this.app;
    const known = edit.kind in KINDS && edit.record;
    const isUndone = undone.has(edit.revision);
    const line = [
      known ? oneOf(edit.kind) : '', when(edit.at), isUndone ? t('changes.undone') : '',
    ].filter(Boolean).join(' · ');
    const text = editText(edit, draft);
    const content = [
      icon(edit.do === 'remove' ? 'close' : known ? KINDS[edit.kind].icon : 'settings'),
      el('span', {}, [el('strong', { text }), el('small', { text: line })]),
    ];
    const canUndo = !isUndone && (draft.rights.edits || draft.isOwn(edit));
    return el('li', { class: isUndone ? 'undone' : null }, [
      known && edit.do !== 'remove'
        ? button(content, () => go({ panel: null, kind: edit.kind, record: edit.record }),
          { class: 'line', 'data-at': 'open ' + edit.revision })
        : el('div', { class: 'line' }, content),
      canUndo ? button(icon('repeat'), () => draft.undoOf(edit.revision), {
        class: 'round undo', 'data-at': 'undo ' + edit.revision,
        'aria-label': t('changes.undoOf', { what: text }),
        title: t('undo'),
      }) : null,
    ]);
  }
}

/** Shows the list. */
export function changesPanel(app, focus) {
  const changes = new Changes(app);
  app.shell.set(changes.element, focus);
  app.update = (what) => {
    if (what === 'journal') changes.draw();
  };
  const timer = setInterval(() => changes.draw(), RENEW_MILLISECONDS);
  app.leave = () => clearInterval(timer);
}
