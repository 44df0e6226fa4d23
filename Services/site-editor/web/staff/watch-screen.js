// The screen on which devices are watched: its panels, what is above them, and the map.

import { address, go, onAddress } from '/app/address.js';
import { say } from '/app/announcing.js';
import { el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { fromWorld } from '/app/prepared-map.js';
import { t } from '/app/words.js';
import { mePanel } from './me-panel.js';
import { staffFault } from './staff-faults.js';
import { startKeys } from './staff-keys.js';
import { countFloors } from './watch-devices.js';
import { explainPanel } from './watch-explain.js';
import { filesPanel } from './watch-files-panel.js';
import { heatPanel } from './watch-heat-panel.js';
import { livePanel } from './watch-live-panel.js';
import { WatchMap } from './watch-map.js';
import { PlaceNames } from './watch-names.js';
import { replayPanel } from './watch-replay-panel.js';
import { visitsPanel } from './watch-visits-panel.js';

const PANELS = {
  live: { icon: 'locate', panel: livePanel },
  replay: { icon: 'repeat', panel: replayPanel },
  heat: { icon: 'around', panel: heatPanel },
  visits: { icon: 'clock', panel: visitsPanel },
  files: { icon: 'keep', panel: filesPanel },
};
const FURTHER = {
  explain: explainPanel, me: (app, focus) => app.shell.set(mePanel(app), focus),
};
const COUNT_MILLISECONDS = 500;
const FOLLOW_MILLISECONDS = 1000;
const TOLD_MILLISECONDS = 6000;
// Here nothing is edited, and so nothing waits to be sent.
const NO_QUEUE = { waiting: () => [], isLasting: true };

export class WatchScreen {
  constructor(shell, site, session) {
    this.shell = shell;
    this.site = site;
    this.session = session;
    this.draft = { site, queue: NO_QUEUE };
    this.map = new WatchMap(shell, site);
    this.names = new PlaceNames(site, this.map.view, () => this.namesCame());
    this.leave = null;
    this.find = null;
    this.namesChanged = null;
    this.glides = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.map.chosen = (mark, place) => this.tapped(mark, place);
    this.tabs = el('nav', { class: 'panels', 'aria-label': t('panels') });
    this.told = el('div', { class: 'watch-told', hidden: true, 'aria-hidden': 'true' });
    shell.map.parentNode.appendChild(this.told);
    fill(shell.bar, this.tabs);
  }

  async start() {
    onAddress((now, before) => {
      if ((now.panel || '') !== (before.panel || '') || now.position !== before.position) {
        this.render(true);
      } else if (now.device !== before.device && this.deviceChanged) this.deviceChanged();
    });
    startKeys({
      save: () => false, undo: () => false, redo: () => false,
      find: () => (this.find ? this.find() : false),
      close: () => (address().device || address().panel
        ? go({ device: null, panel: null, position: null }) : false),
    });
    this.render(false);
    await this.map.start();
  }

  present() {
    const { panel } = address();
    return panel in FURTHER || panel in PANELS ? panel : 'live';
  }

  drawTabs() {
    const present = this.present();
    fill(this.tabs, Object.keys(PANELS).map((name) => el('a', {
      href: '?screen=watch&panel=' + name, 'aria-current': name === present ? 'page' : null,
      on: {
        click: (event) => {
          event.preventDefault();
          go({ panel: name === 'live' ? null : name, position: null });
        },
      },
    }, [icon(PANELS[name].icon), el('span', { text: t('watch.panel.' + name) })])));
  }

  render(focus) {
    if (this.leave) this.leave();
    this.leave = null;
    this.find = null;
    this.tap = null;
    this.namesChanged = null;
    this.deviceChanged = null;
    this.showMarks(null);
    this.draw(null, null);
    this.drawTabs();
    const present = this.present();
    const panel = present in PANELS ? PANELS[present].panel : FURTHER[present];
    Promise.resolve().then(() => panel(this, focus)).catch((fault) => {
      console.error(fault);
      this.shell.set(staffFault(fault, () => this.render(true)), focus);
    });
  }

  namesCame() {
    if (this.namesTimer || !this.namesChanged) return;
    this.namesTimer = setTimeout(() => {
      this.namesTimer = 0;
      if (this.namesChanged) this.namesChanged();
    }, COUNT_MILLISECONDS);
  }

  // MARK: What is on the map

  /**
   * `step(now)` gives the marks of a frame with the clock by which they are old, and whether
   * another frame follows at once. Null shows none.
   */
  showMarks(step) {
    const { layer, switcher } = this.map;
    layer.step = step ? (now) => this.frame(step(now), now) : null;
    if (!step) {
      layer.marks = [];
      if (switcher) switcher.show(new Map());
    }
    layer.schedule();
  }

  frame(shown, now) {
    const { layer, switcher } = this.map;
    layer.marks = shown.marks;
    layer.clock = shown.clock;
    layer.chosen = address().device || '';
    if (switcher && !(now - this.countedAt < COUNT_MILLISECONDS)) {
      this.countedAt = now;
      switcher.show(countFloors(shown.marks));
    }
    if (layer.chosen && !(now - this.followedAt < FOLLOW_MILLISECONDS)) {
      this.followedAt = now;
      const mark = shown.marks.find((one) => one.id === layer.chosen);
      if (mark) this.map.follow(mark, fromWorld(mark.x, mark.y));
    }
    return shown.more;
  }

  /** Paints below and above the devices. */
  draw(below, above) {
    this.map.layer.below = below;
    this.map.layer.above = above;
    this.map.layer.schedule();
  }

  tapped(mark, place) {
    if (this.tap && this.tap(mark, place)) return;
    if (mark) this.choose(mark.id);
  }

  /** Says a short text, also on the map. */
  tell(text) {
    say(text, true);
    fill(this.told, text);
    this.told.hidden = false;
    clearTimeout(this.toldTimer);
    this.toldTimer = setTimeout(() => { this.told.hidden = true; }, TOLD_MILLISECONDS);
  }

  /** Follows a device, or none. */
  choose(id) {
    this.map.view.following = Boolean(id);
    this.followedAt = -Infinity;
    go({ device: id });
    if (id) say(t('watch.following', { device: id }));
    this.map.layer.schedule();
  }
}

/** Starts the screen. */
export async function startWatchScreen(shell, site, session) {
  const screen = new WatchScreen(shell, site, session);
  shell.app = screen;
  await screen.start();
}
