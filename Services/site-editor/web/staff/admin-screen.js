// The administration's screen: people, scanners, ways out of service, the positioner, health and
// the site itself.

import { address, go, onAddress } from '/app/address.js';
import { el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { t } from '/app/words.js';
import { doctorPanel } from './admin-doctor.js';
import { healthPanel } from './admin-health.js';
import { peoplePanel } from './admin-people.js';
import { positionerPanel } from './admin-positioner.js';
import { scannersPanel } from './admin-scanners.js';
import { sitePanel } from './admin-site.js';
import { tokensPanel } from './admin-tokens.js';
import { waysPanel } from './admin-ways.js';
import { mePanel } from './me-panel.js';
import { staffFault } from './staff-faults.js';
import { startKeys } from './staff-keys.js';
import { StaffMap } from './staff-map.js';

const PANELS = {
  people: { icon: 'person', panel: peoplePanel },
  tokens: { icon: 'lock', panel: tokensPanel },
  scanners: { icon: 'computer', panel: scannersPanel },
  ways: { icon: 'barrier', panel: waysPanel },
  positioner: { icon: 'locate', panel: positionerPanel },
  health: { icon: 'information', panel: healthPanel },
  doctor: { icon: 'warning', panel: doctorPanel, forAll: true },
  site: { icon: 'settings', panel: sitePanel },
};

class AdminScreen {
  constructor(shell, draft, session) {
    this.shell = shell;
    this.draft = draft;
    this.session = session;
    this.rights = draft.rights;
    this.leave = null;
    this.update = null;
    this.map = new StaffMap(shell, draft);
    this.tabs = el('nav', { class: 'panels admin-panels', 'aria-label': t('panels') });
    fill(shell.bar, this.tabs);
  }

  async start() {
    onAddress((now, before) => {
      const of = (state) => [state.panel, state.kind, state.record].join('|');
      if (of(now) !== of(before)) this.render(true);
    });
    this.draft.on((what, value) => {
      if (this.update) this.update(what, value);
    });
    startKeys({
      save: () => this.keep && this.keep(),
      find: () => false,
      undo: () => false,
      redo: () => false,
      close: () => (address().record ? go({ kind: null, record: null }) : false),
    });
    this.render(false);
    await this.map.start();
  }

  /** Only administrators of all sites see the doctor. */
  names() {
    return Object.keys(PANELS).filter((name) => this.rights.all || !PANELS[name].forAll);
  }

  present() {
    const { panel } = address();
    return panel === 'me' || this.names().indexOf(panel) >= 0 ? panel : 'people';
  }

  drawTabs() {
    const present = this.present();
    fill(this.tabs, this.names().map((name) => el('a', {
      href: '?screen=admin&panel=' + name, 'aria-current': name === present ? 'page' : null,
      on: {
        click: (event) => {
          event.preventDefault();
          go({ panel: name, kind: null, record: null });
        },
      },
    }, [icon(PANELS[name].icon), el('span', { text: t('panel.' + name) })])));
  }

  render(focus) {
    if (this.leave) this.leave();
    this.leave = null;
    this.update = null;
    this.keep = null;
    this.drawTabs();
    const present = this.present();
    const panel = present === 'me' ? (app, inside) => app.shell.set(mePanel(app), inside)
      : PANELS[present].panel;
    Promise.resolve().then(() => panel(this, focus)).catch((fault) => {
      console.error(fault);
      this.shell.set(staffFault(fault, () => this.render(true)), focus);
    });
  }
}

/** Starts the screen. */
export async function startAdminScreen(shell, draft, session) {
  const screen = new AdminScreen(shell, draft, session);
  shell.app = screen;
  await screen.start();
}
