// The draft's screen: its panels, what is above them, the keys, and the map.

import { address, go, onAddress } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { t, tn } from '/app/words.js';
import { changesPanel, editName, editText } from './changes-panel.js';
import { comparePanel } from './compare-panel.js';
import { conflictsPanel } from './conflicts-panel.js';
import { drawPanel } from './draw-panel.js';
import { filesPanel } from './files-panel.js';
import { mePanel } from './me-panel.js';
import { publishPanel } from './publish-panel.js';
import { recordPanel } from './record-form.js';
import { KINDS } from './record-kinds.js';
import { listPanel } from './record-list.js';
import { reviewPanel } from './review-panel.js';
import { staffFault } from './staff-faults.js';
import { startKeys } from './staff-keys.js';
import { StaffMap } from './staff-map.js';

const PANELS = {
  records: { icon: 'directory', panel: listPanel },
  draw: { icon: 'building', panel: drawPanel, forEditors: true },
  changes: { icon: 'clock', panel: changesPanel },
  compare: { icon: 'swap', panel: comparePanel, forEditors: true },
  review: { icon: 'warning', panel: reviewPanel, forEditors: true },
  publish: { icon: 'share', panel: publishPanel, forEditors: true },
  files: { icon: 'keep', panel: filesPanel, forEditors: true },
};
const FURTHER = {
  conflicts: conflictsPanel, me: (app, focus) => app.shell.set(mePanel(app), focus),
};

class DraftScreen {
  constructor(shell, draft, session) {
    this.shell = shell;
    this.draft = draft;
    this.session = session;
    this.rights = draft.rights;
    /** What somebody has typed and not saved, by kind and id. */
    this.typed = new Map();
    this.update = null;
    this.leave = null;
    this.form = null;
    this.map = new StaffMap(shell, draft);
    this.drawBar();
  }

  async start() {
    onAddress((now, before) => {
      const of = (state) => [state.panel, state.kind, state.record].join('|');
      if (of(now) !== of(before)) this.render(true);
    });
    this.draft.on((what, value) => this.happened(what, value));
    window.addEventListener('beforeunload', (event) => {
      if (!this.typed.size && (this.draft.queue.isLasting || !this.draft.queue.waiting().length)) {
        return;
      }
      event.preventDefault();
      event.returnValue = '';
    });
    startKeys({
      save: () => this.form && this.form.keep(),
      find: () => this.openList(),
      undo: () => this.undo(),
      redo: () => this.redo(),
      close: () => {
        const { record, panel } = address();
        return record || panel ? go({ record: null, panel: null }) : false;
      },
    });
    this.render(false);
    await this.map.start();
  }

  // MARK: What is above the panels

  drawBar() {
    this.status = el('div', { class: 'status' });
    this.undoButton = this.tool(t('undo'), () => this.undo(), { class: 'tool undo' });
    this.redoButton = this.tool(t('redo'), () => this.redo(), { class: 'tool' });
    this.tabs = el('nav', {
      class: this.names().length > 5 ? 'panels many-panels' : 'panels', 'aria-label': t('panels'),
    });
    fill(this.shell.bar, [
      el('div', { class: 'bar-line' }, [this.status, this.undoButton, this.redoButton]), this.tabs,
    ]);
    this.drawStatus();
  }

  tool(text, action, attributes) {
    return button([icon('repeat'), el('span', { text })], action, attributes);
  }

  /** Surveyors publish nothing: they see no comparison and no review. */
  names() {
    return Object.keys(PANELS).filter((name) => this.rights.edits || !PANELS[name].forEditors);
  }

  drawTabs() {
    const present = this.present();
    fill(this.tabs, this.names().map((name) => el('a', {
      href: '?panel=' + name, 'aria-current': name === present ? 'page' : null,
      on: {
        click: (event) => {
          event.preventDefault();
          go({ panel: name === 'records' ? null : name, record: null });
        },
      },
    }, [icon(PANELS[name].icon), el('span', { text: t('panel.' + name) })])));
  }

  drawStatus() {
    const { queue } = this.draft;
    const waiting = queue.waiting().length;
    const refused = queue.refused().length;
    const key = queue.state === 'signed-out' ? 'save.signedOut' : 'save.' + queue.state;
    const text = waiting ? tn(key, waiting) : t('save.saved');
    this.redoButton.disabled = !this.draft.undone.length;
    const shown = [text, refused, queue.state].join('|');
    if (this.shownStatus === shown) return;
    this.shownStatus = shown;
    if (waiting && queue.state !== 'sending') say(text);
    fill(this.status, [
      el('span', { class: 'saved ' + queue.state, text }),
      queue.state === 'signed-out' ? el('a', {
        href: '/sign-in?return=' + encodeURIComponent(location.pathname + location.search),
        text: t('staff.signIn'),
      }) : null,
      refused ? button(tn('save.refused', refused), () => go({ panel: 'conflicts', record: null }),
        { class: 'link' }) : null,
    ]);
  }

  // MARK: Undo and redo

  async undo() {
    await this.draft.undo();
  }

  async redo() {
    if (this.draft.undone.length) await this.draft.redo();
  }

  // MARK: What happens

  happened(what, value) {
    if (what === 'queue' || what === 'undone') this.drawStatus();
    if (what === 'undone') say(t(value.isRedo ? 'redo.done' : 'undo.done'), true);
    if (what === 'refused') {
      say(t('save.refusedNow', { name: editName(value) }), true);
      this.drawStatus();
    }
    if (what === 'journal' && !value.quiet) this.tellOthers(value.edits);
    if (this.update) this.update(what, value);
  }

  /** Others' edits are said in the list of changes, and at once where they are of what is open. */
  tellOthers(edits) {
    const { kind, record } = address();
    const own = edits.filter((one) => one.kind === kind && one.record === record
      && !this.draft.isOwn(one));
    if (own.length && this.form) {
      this.form.tellNews(editText(own[own.length - 1], this.draft));
    }
  }

  // MARK: Panels

  present() {
    const { panel, record, kind } = address();
    if (record && kind in KINDS && !panel) return 'record';
    return panel in FURTHER || this.names().indexOf(panel) >= 0 ? panel : 'records';
  }

  openList() {
    if (this.present() !== 'records') go({ panel: null, record: null });
    if (this.find) this.find();
  }

  render(focus) {
    if (this.leave) this.leave();
    this.leave = null;
    this.update = null;
    this.find = null;
    this.drawTabs();
    const present = this.present();
    const panel = present === 'record' ? recordPanel
      : present in PANELS ? PANELS[present].panel : FURTHER[present];
    Promise.resolve().then(() => panel(this, focus)).then(() => {
      this.stays = false;
    }, (fault) => {
      console.error(fault);
      this.shell.set(staffFault(fault, () => this.render(true)), focus);
    });
  }
}

/** Starts the screen. */
export async function startDraftScreen(shell, draft, session) {
  const screen = new DraftScreen(shell, draft, session);
  shell.app = screen;
  await screen.start();
}
