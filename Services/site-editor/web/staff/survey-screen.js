// The screen of surveyors: its panels, what is above them, the map, and the survey that runs.

import { address, go, onAddress } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query, sitePath } from '/app/service.js';
import { t, tn } from '/app/words.js';
import { conflictsPanel } from './conflicts-panel.js';
import { mePanel } from './me-panel.js';
import { staffFault } from './staff-faults.js';
import { startKeys } from './staff-keys.js';
import { connectPanel } from './survey-connect.js';
import { fieldPanel } from './survey-field-panel.js';
import { SurveyFloor } from './survey-floor.js';
import { SurveyMap } from './survey-map.js';
import { pathPanel } from './survey-path-panel.js';
import { placePanel } from './survey-place-panel.js';
import { placesPanel } from './survey-places-panel.js';
import { SurveyQueue } from './survey-queue.js';
import { radioPanel } from './survey-radio-panel.js';
import { SurveyRun } from './survey-run.js';
import { canScan } from './survey-scans.js';
import { waitingPanel } from './survey-waiting-panel.js';
import { walkPanel } from './survey-walk-panel.js';

const PANELS = {
  walk: { icon: 'walk', panel: walkPanel },
  places: { icon: 'here', panel: placesPanel },
  path: { icon: 'way', panel: pathPanel },
  radio: { icon: 'around', panel: radioPanel },
  field: { icon: 'compass', panel: fieldPanel },
  connect: { icon: 'swap', panel: connectPanel, forEditors: true },
};
const FURTHER = {
  place: placePanel, waiting: waitingPanel, conflicts: conflictsPanel,
  me: (app, focus) => app.shell.set(mePanel(app), focus),
};
const RENEW_MILLISECONDS = 20000;
const REST_MILLISECONDS = 500;
// After these the places are summed up anew.
const RENEWING = ['queue', 'floor', 'undone'];

class SurveyScreen {
  constructor(shell, draft, session) {
    this.shell = shell;
    this.draft = draft;
    this.session = session;
    this.rights = draft.rights;
    this.typed = new Map();
    this.floors = new Map();
    this.skipped = new Set();
    /** What can be undone, the newest last: each has `run`, and says what it was. */
    this.done = [];
    this.heat = 'none';
    this.wanted = 3;
    this.scanners = [];
    this.source = canScan() ? 'phone' : '';
    this.queue = new SurveyQueue(draft.site.id, draft.account, {
      changed: () => this.changed('queue'),
      sent: () => this.renewSoon(),
    });
    this.run = new SurveyRun(this);
    this.map = new SurveyMap(this);
    this.drawBar();
  }

  async start() {
    onAddress((now, before) => {
      const of = (state) => [state.panel, state.record, state.point].join('|');
      if (of(now) !== of(before)) this.render(true);
    });
    this.draft.on((what, value) => this.happened(what, value));
    window.addEventListener('beforeunload', (event) => {
      const lost = !this.queue.isLasting && this.queue.waiting().length;
      if (!lost && (this.draft.queue.isLasting || !this.draft.queue.waiting().length)) return;
      event.preventDefault();
      event.returnValue = '';
    });
    startKeys({
      save: () => false, find: () => false, redo: () => false,
      undo: () => (this.done.length ? this.undo() : false),
      close: () => (address().panel ? go({ panel: null, record: null, point: null }) : false),
    });
    await this.queue.start();
    this.readScanners();
    this.render(false);
    this.map.view.on('floor', () => this.readFloor());
    setInterval(() => this.renew(), RENEW_MILLISECONDS);
    await this.map.start();
  }

  // MARK: The floor

  /** What is known of the floor that is shown; null before the map has one. */
  get floor() {
    return this.floors.get(this.map.view.floorID) || null;
  }

  async readFloor() {
    const id = this.map.view.floorID;
    if (!id) return;
    if (!this.floors.has(id)) {
      this.floors.set(id, new SurveyFloor(this.draft.site, this.draft, this.queue, id));
    }
    const floor = this.floors.get(id);
    this.failed = null;
    try {
      await floor.read();
    } catch (fault) {
      this.failed = fault;
    }
    if (this.map.view.floorID === id) this.changed('floor');
  }

  /** Reads again what surveys say, while somebody looks. */
  async renew() {
    const { floor } = this;
    if (!floor || document.visibilityState === 'hidden') return;
    try {
      if (!floor.reading) await floor.read();
      else await floor.readSurveys();
      this.failed = null;
    } catch (fault) {
      return;
    }
    this.changed('floor');
  }

  renewSoon() {
    clearTimeout(this.renewing);
    this.renewing = setTimeout(() => this.renew(), 4 * REST_MILLISECONDS);
  }

  /** The scanners of the site: those that are enrolled, and those with a place. */
  async readScanners() {
    const path = sitePath(this.draft.site.id, 'enrolled-scanners') + query({ limit: 200 });
    const answer = await ask(path).catch(() => null);
    this.scanners = answer ? answer.scanners : [];
    this.changed('scanners');
  }

  /** The ids of scanners to choose from. */
  scannerIDs() {
    const placed = this.floor ? this.floor.radio.scanners.map((one) => one.id) : [];
    return Array.from(new Set(this.scanners.map((one) => one.scanner).concat(placed))).sort();
  }

  // MARK: What is above the panels

  drawBar() {
    this.status = el('div', { class: 'status' });
    this.undoButton = button([icon('repeat'), el('span', { text: t('undo') })],
      () => this.undo(), { class: 'tool undo' });
    this.tabs = el('nav', { class: 'panels', 'aria-label': t('survey.panels') });
    fill(this.shell.bar, [
      el('div', { class: 'bar-line' }, [this.status, this.undoButton]), this.tabs,
    ]);
    this.drawStatus();
  }

  names() {
    return Object.keys(PANELS).filter((name) => this.rights.edits || !PANELS[name].forEditors);
  }

  drawTabs() {
    const present = this.present();
    const shown = present === 'place' ? 'places' : present;
    fill(this.tabs, this.names().map((name) => el('a', {
      href: '?screen=survey&panel=' + name, 'aria-current': name === shown ? 'page' : null,
      on: {
        click: (event) => {
          event.preventDefault();
          go({ panel: name === 'walk' ? null : name, record: null, point: null });
        },
      },
    }, [icon(PANELS[name].icon), el('span', { text: t('survey.panel.' + name) })])));
  }

  drawStatus() {
    const surveys = this.queue.waiting().length;
    const edits = this.draft.queue.waiting().length;
    const refused = this.queue.refused().length;
    const needed = this.draft.queue.refused().length;
    const key = 'survey.state.' + this.queue.state;
    const text = surveys ? tn(key, surveys) : edits ? tn('save.' + (
      this.draft.queue.state === 'signed-out' ? 'signedOut' : this.draft.queue.state), edits)
      : t('survey.saved');
    this.undoButton.disabled = !this.done.length;
    const shown = [text, refused, needed, this.queue.isLasting].join('|');
    if (shown === this.shownStatus) return;
    this.shownStatus = shown;
    const isOut = this.queue.state === 'signed-out' || this.draft.queue.state === 'signed-out';
    fill(this.status, [
      surveys ? button(text, () => go({ panel: 'waiting', record: null, point: null }),
        { class: 'link saved ' + this.queue.state }) : el('span', { class: 'saved', text }),
      isOut ? el('a', {
        href: '/sign-in?return=' + encodeURIComponent(location.pathname + location.search),
        text: t('staff.signIn'),
      }) : null,
      refused ? button(tn('survey.refused', refused),
        () => go({ panel: 'waiting', record: null, point: null }), { class: 'link' }) : null,
      needed ? button(tn('save.refused', needed),
        () => go({ panel: 'conflicts', record: null, point: null }), { class: 'link' }) : null,
    ]);
  }

  // MARK: Undo

  /** Remembers what was done: `run` takes it back. */
  did(run) {
    this.done.push(run);
    this.drawStatus();
  }

  async undo() {
    const run = this.done.pop();
    if (!run) return;
    await run();
    say(t('undo.done'), true);
    this.changed('undone');
  }

  /** Adds an edit of the draft. Undo takes it back, also once it was sent; `revert` here. */
  async edit(wish, revert) {
    const edit = await this.draft.queue.add(wish);
    this.draft.tell('record', { kind: wish.kind, record: wish.record });
    this.did(async () => {
      await this.draft.undo();
      if (revert) revert();
    });
    this.changed('floor');
    return edit;
  }

  // MARK: What happens

  happened(what, value) {
    if (what === 'queue') this.drawStatus();
    if (what === 'refused') {
      say(t('save.refusedNow', { name: value.name || t('undo') }), true);
      this.drawStatus();
    }
    if ((what === 'conflicts' || what === 'queue') && this.present() === 'conflicts'
      && this.update) this.update('queue');
    if (what === 'journal' && !value.quiet) this.readRecordsSoon();
    if (what === 'undone') this.readRecordsSoon();
  }

  readRecordsSoon() {
    clearTimeout(this.recordsTimer);
    this.recordsTimer = setTimeout(async () => {
      const { floor } = this;
      if (!floor) return;
      await floor.readRecords().catch(() => null);
      this.changed('floor');
    }, REST_MILLISECONDS);
  }

  /** Something is different: what is above, the map and the panel show it, once for several. */
  changed(what) {
    if (!this.map) return;
    if (RENEWING.indexOf(what) >= 0) this.known = null;
    this.drawStatus();
    if (what === 'queue' && this.present() === 'waiting' && this.update) this.update(what);
    cancelAnimationFrame(this.drawing);
    this.drawing = requestAnimationFrame(() => {
      if (this.update && this.present() !== 'conflicts') this.update(what);
      this.map.draw();
    });
  }

  /** The places of the floor, summed up once for each change. */
  places() {
    if (!this.floor) return [];
    if (!this.known || this.known.floor !== this.floor) {
      this.known = { floor: this.floor, places: this.floor.places() };
    }
    return this.known.places;
  }

  // MARK: Panels

  present() {
    const { panel } = address();
    return panel in FURTHER || this.names().indexOf(panel) >= 0 ? panel : 'walk';
  }

  render(focus) {
    if (this.leave) this.leave();
    this.leave = null;
    this.update = null;
    this.tapFor = null;
    this.drawTabs();
    const present = this.present();
    const panel = present in PANELS ? PANELS[present].panel : FURTHER[present];
    Promise.resolve().then(() => panel(this, focus)).then(() => this.map.draw(), (fault) => {
      console.error(fault);
      this.shell.set(staffFault(fault, () => this.render(true)), focus);
    });
  }
}

/** Starts the screen. */
export async function startSurveyScreen(shell, draft, session) {
  const screen = new SurveyScreen(shell, draft, session);
  shell.app = screen;
  await screen.start();
}
