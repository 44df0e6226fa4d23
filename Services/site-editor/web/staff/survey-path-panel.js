// A survey on the way: tap where it begins, walk, tap each turn and the end.

import { say } from '/app/announcing.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { distance, number, t, tn } from '/app/words.js';
import { canScan, scansOf } from './survey-scans.js';
import { pathLength, placeScans, tooFast } from './survey-path.js';
import { readingsOf } from './survey-signals.js';
import { redraw } from './survey-parts.js';

const MOST_SCANS = 2000;

/** The walk in progress: its taps, and its scans with their times. It is kept as it grows. */
class PathWalk {
  constructor(app) {
    this.app = app;
    const kept = app.queue.walk();
    this.walk = kept ? kept.walk : null;
    this.scans = null;
    this.fault = '';
    this.result = '';
  }

  get isScanning() {
    return Boolean(this.scans);
  }

  async begin() {
    this.walk = { taps: [], scans: [] };
    this.result = '';
    await this.keep();
    this.listen();
  }

  listen() {
    const { app } = this;
    app.run.stop();
    this.scans = scansOf(app.draft.site.id, 'phone', (scan) => this.found(scan), (key) => {
      this.fault = key;
      this.changed();
    });
    this.scans.start();
    say(t('survey.path.tapStart'), true);
    this.changed();
  }

  found(scan) {
    if (!this.walk || this.walk.scans.length >= MOST_SCANS) return;
    this.fault = '';
    this.walk.scans.push(scan);
    this.keep();
    this.changed();
  }

  /** Where the walker is now. */
  tap(place) {
    if (!this.walk || !this.isScanning) return;
    this.walk.taps.push({ at: Date.now(), place, floor: this.app.floor.id });
    say(tn('survey.path.taps', this.walk.taps.length), true);
    this.keep();
    this.changed();
  }

  untap() {
    this.walk.taps.pop();
    this.keep();
    this.changed();
  }

  pause() {
    if (this.scans) this.scans.stop();
    this.scans = null;
    this.changed();
  }

  async finish() {
    const { app } = this;
    this.pause();
    const { placed, left } = placeScans(this.walk.taps, this.walk.scans);
    const ids = [];
    for (let i = 0; i < placed.length; i += 1) {
      const { scan, floor, place } = placed[i];
      const sent = { floor, latitude: place.latitude, longitude: place.longitude };
      ids.push((await app.queue.add(scan, sent, t('survey.path.name'))).id);
    }
    await this.drop();
    app.did(async () => {
      for (let i = 0; i < ids.length; i += 1) await app.queue.withdraw(ids[i]);
    });
    this.result = [
      tn('survey.done', placed.length), left ? tn('survey.path.unplaced', left) : '',
    ].filter(Boolean).join(' ');
    say(this.result, true);
    app.changed('floor');
  }

  async drop() {
    this.pause();
    this.walk = null;
    await this.saving;
    await this.app.queue.keepWalk(null);
    this.changed();
  }

  /** Writes one after the other, the newest state last. */
  keep() {
    const walk = this.walk;
    this.saving = (this.saving || Promise.resolve()).then(() => (
      this.walk === walk ? this.app.queue.keepWalk(walk) : null));
    return this.saving;
  }

  changed() {
    this.app.changed('walk');
  }
}

function begun(app, path) {
  const { taps, scans } = path.walk;
  const readings = scans.reduce((sum, one) => sum + readingsOf(one.reading), 0);
  const { placed } = placeScans(taps, scans);
  const fast = tooFast(taps);
  const isReady = taps.length > 1 && placed.length > 0;
  return [
    el('p', { class: 'survey-big', role: 'status', text: taps.length
      ? t('survey.path.tapNext') : t('survey.path.tapStart') }),
    el('ul', { class: 'survey-figures' }, [
      tn('survey.path.taps', taps.length),
      t('survey.path.length', { distance: distance(pathLength(taps)) }),
      t('survey.path.scans', {
        scans: number(scans.length), placed: number(placed.length), readings: number(readings),
      }),
    ].map((text) => el('li', { text }))),
    path.fault ? el('p', { class: 'news bad', text: t(path.fault) }) : null,
    fast ? el('p', {
      class: 'news bad', text: t('survey.path.fast', { from: number(fast), to: number(fast + 1) }),
    }) : null,
    path.isScanning ? null : el('div', {}, [
      el('p', { class: 'news', text: t('survey.path.paused') }),
      button([icon('repeat'), el('span', { text: t('survey.path.resume') })],
        () => path.listen(), { class: 'secondary', 'data-at': 'resume' }),
    ]),
    el('div', { class: 'row' }, [
      path.isScanning ? button([icon('here'), el('span', { text: t('survey.path.tapMiddle') })],
        () => {
          const centre = app.map.view.middle();
          path.tap({ latitude: centre.lat, longitude: centre.wrap().lng });
        }, { class: 'secondary', 'data-at': 'tap' }) : null,
      button(el('span', { text: t('survey.path.untap') }), () => path.untap(), {
        class: 'secondary', disabled: !taps.length, 'data-at': 'untap',
      }),
    ]),
    el('div', { class: 'row' }, [
      button([icon('keep'), el('span', { text: t('survey.path.finish') })], () => path.finish(), {
        class: 'primary', disabled: !isReady, 'data-at': 'finish',
      }),
      button(el('span', { text: t('survey.path.drop') }), () => path.drop(), {
        class: 'link', 'data-at': 'drop',
      }),
    ]),
  ];
}

function content(app, path) {
  app.shown = { line: path.walk ? path.walk.taps.filter((tap) => (
    tap.floor === (app.floor && app.floor.id))).map((tap) => tap.place) : [] };
  return [
    app.shell.head(t('survey.panel.path'), null),
    el('p', { class: 'hint', text: t('survey.path.hint') }),
    path.result ? el('p', { class: 'news good', text: path.result }) : null,
    canScan() ? null : el('p', { class: 'news', text: t('survey.path.noPhone') }),
    path.walk ? begun(app, path) : button([
      icon('walk'), el('span', { text: t('survey.path.begin') }),
    ], () => path.begin(), { class: 'primary', disabled: !canScan(), 'data-at': 'begin' }),
  ];
}

export function pathPanel(app, focus) {
  const path = new PathWalk(app);
  redraw(app, content(app, path), focus);
  app.update = () => redraw(app, content(app, path));
  app.tapFor = (place) => path.tap(place);
  app.leave = () => {
    path.pause();
    app.tapFor = null;
    app.shown = null;
  };
}
