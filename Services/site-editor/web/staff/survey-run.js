// A survey that runs: scans of one place until there are enough, each kept as it comes.

import { say } from '/app/announcing.js';
import { metresBetween } from '/app/measuring.js';
import { number, t, tn } from '/app/words.js';
import { newID } from './edit-store.js';
import { scansOf } from './survey-scans.js';
import { Signals, readingsOf } from './survey-signals.js';

// A point to go to is the location that is so near to it.
const SAME_METRES = 2;

/** The place of a survey as it is sent. A location may be one of the draft. */
export function sentPlace(place, floor) {
  return place.id ? { location: place.id, draft: true }
    : { floor, latitude: place.place.latitude, longitude: place.place.longitude };
}

export class SurveyRun {
  constructor(app) {
    this.app = app;
    this.place = null;
    this.ids = [];
    this.fault = '';
    /** The seconds that a survey took, to say how long all take. */
    this.seconds = 15;
  }

  get isRunning() {
    return Boolean(this.scans);
  }

  /** Surveys a place of the list; it is `{id, place, name}`. */
  start(place) {
    const { app } = this;
    this.stop();
    this.place = place;
    this.floor = app.floor.id;
    this.ids = [];
    this.readings = 0;
    this.fault = '';
    this.signals = new Signals();
    this.result = null;
    this.before = app.floor.covered(app.places());
    this.began = Date.now();
    this.wanted = app.wanted;
    this.scans = scansOf(app.draft.site.id, app.source, (scan) => this.found(scan),
      (key) => this.failed(key));
    this.scans.start();
    say(t('survey.started', { name: place.name || t('survey.place') }));
    app.changed('run');
  }

  async found(scan) {
    if (!this.scans || this.ids.length >= this.wanted) return;
    const { app, place } = this;
    this.fault = '';
    this.readings += readingsOf(scan.reading);
    this.signals.add(scan.reading, scan.at);
    const slot = this.ids.push('') - 1;
    if (this.ids.length >= this.wanted) this.halt();
    const item = await app.queue.add(scan, sentPlace(place, this.floor), place.name);
    this.ids[slot] = item.id;
    if (!this.scans && this.ids.every(Boolean)) this.finish();
    app.changed('run');
  }

  failed(key) {
    if (this.fault === key) return;
    this.fault = key;
    say(t(key));
    this.app.changed('run');
  }

  halt() {
    if (this.scans) this.scans.stop();
    this.scans = null;
  }

  /** Ends it early; the scans that came are kept. */
  stop() {
    if (!this.scans) return;
    this.halt();
    if (this.ids.length && this.ids.every(Boolean)) this.finish();
    this.app.changed('run');
  }

  finish() {
    const { app } = this;
    const ids = this.ids.slice();
    this.seconds = Math.max(5, Math.min(120, (Date.now() - this.began) / 1000));
    app.last = this.place;
    app.did(async () => {
      for (let i = 0; i < ids.length; i += 1) await app.queue.withdraw(ids[i]);
    });
    const point = (app.shown && app.shown.points || []).find((one) => (
      metresBetween(one.place, this.place.place) <= SAME_METRES));
    app.known = null;
    this.result = {
      scans: ids.length, readings: this.readings, transmitters: this.signals.known.size,
      before: this.before, after: app.floor ? app.floor.covered(app.places()) : this.before,
      gainHere: point ? point.gainHere : null,
    };
    if (navigator.vibrate) navigator.vibrate(60);
    say([tn('survey.done', ids.length), gainText(this.result)].join(' '), true);
  }

  /** The place for a point to go to: the location that is there, or a new one. */
  async placeAt(point) {
    const { app } = this;
    const near = app.places().filter((one) => one.id).find((one) => (
      metresBetween(one.place, point.place) <= SAME_METRES));
    return near || this.make(point.place, suggestedName(app, point));
  }

  /** Makes a location in the draft. */
  async make(place, name) {
    const { app } = this;
    const id = 'p-' + newID().slice(0, 8) + newID().slice(0, 4);
    const value = { floor: app.floor.id, latitude: place.latitude, longitude: place.longitude };
    if (name) value.name = name;
    const { floor } = app;
    floor.locations.push(Object.assign({ id }, value));
    await app.edit({ do: 'put', kind: 'locations', record: id, value, name: name || id }, () => {
      floor.locations = floor.locations.filter((one) => one.id !== id);
    });
    return { id, place, name };
  }
}

/** The name of a new place: that of its room, with a number from the second one on. */
export function suggestedName(app, point) {
  const area = point.room ? app.floor.room(point.room) : roomAt(app, point.place);
  const name = area && area.name;
  if (!name) return '';
  const known = app.places().map((one) => one.name);
  if (known.indexOf(name) < 0) return name;
  for (let next = 2; ; next += 1) {
    const own = t('survey.numbered', { name, number: number(next) });
    if (known.indexOf(own) < 0) return own;
  }
}

function roomAt(app, place) {
  const map = app.map.view.floorMap;
  const area = map && map.areaAt(place.latitude, place.longitude);
  return area && area.layer === 'area' ? app.floor.room(area.id) : null;
}

/** The share of a floor as text. */
export function percent(share) {
  return t('survey.percent', { number: number(100 * share) });
}

/** What a survey gained. */
export function gainText(result) {
  const parts = [];
  if (result.gainHere) {
    parts.push(t('survey.gain.error', { metres: number(result.gainHere, 1) }));
  }
  if (result.after > result.before + 0.001) {
    parts.push(t('survey.gain.covered', {
      before: percent(result.before), after: percent(result.after),
    }));
  }
  return parts.length ? parts.join(' ') : t('survey.gain.none');
}
