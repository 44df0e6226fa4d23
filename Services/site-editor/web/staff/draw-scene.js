// What the drawing stands on: the site's frame, its floors, rooms, ways and plans, as they are now
// with the edits that wait.

import { ask, query, sitePath } from '/app/service.js';
import { HANGING, namesRoom } from './draw-acts.js';
import { DrawFrame } from './draw-frame.js';
import { areaOf, isInside } from './draw-geometry.js';
import { mapOfPlan } from './draw-alignment.js';
import { directionOf } from './draw-snapping.js';
import { newID } from './edit-store.js';
import { applyPatch } from './merge-patch.js';

const READ = ['floors', 'buildings', 'floor-plans', 'rooms', 'connections'];
const LETTERS = 10;

/** The id of a record that is drawn now. */
export function drawnID(kind) {
  return kind + '-' + newID().replace(/-/g, '').slice(0, LETTERS);
}

export class DrawScene {
  constructor(draft) {
    this.draft = draft;
    this.kept = new Map();
    this.site = null;
  }

  /** Reads all that is drawn. */
  async read() {
    const frame = this.stored ? null : this.readSite();
    await Promise.all([frame].concat(READ.map((kind) => this.draft.read(kind))));
    this.forget();
  }

  /** The origin and the bearing stand in the whole document alone, so it is read once a page. */
  async readSite() {
    const members = query({ version: 'draft' });
    const site = await ask(sitePath(this.draft.site.id) + members);
    this.stored = { origin: site.origin, bearingDegrees: site.bearingDegrees, name: site.name };
    this.forget();
  }

  /** Reads what may name a room, before one goes or becomes another. */
  readHanging() {
    return Promise.all(HANGING.map((kind) => this.draft.read(kind)));
  }

  /** Something has changed: what was made of it is made anew. */
  forget() {
    this.kept.clear();
  }

  once(key, make) {
    if (!this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  /** Name, origin and bearing of the site, with the edits that wait. */
  get siteNow() {
    return this.draft.queue.ofRecord('site', undefined).reduce((site, edit) => (
      applyPatch(site, edit.value)), this.stored);
  }

  get frame() {
    return this.once('frame', () => {
      const { origin, bearingDegrees } = this.siteNow;
      return new DrawFrame(origin, bearingDegrees);
    });
  }

  buildings() {
    return this.once('buildings', () => this.draft.all('buildings'));
  }

  /** The floors of a building, from the lowest up. */
  floors(building) {
    return this.once('floors ' + building, () => this.draft.all('floors')
      .filter((one) => one.building === building).sort((a, b) => a.ordinal - b.ordinal));
  }

  floor(id) {
    return id ? this.draft.shown('floors', id) : null;
  }

  room(id) {
    return id ? this.draft.shown('rooms', id) : null;
  }

  /** The rooms of a floor that have an outline. */
  rooms(floor) {
    return this.once('rooms ' + floor, () => this.draft.all('rooms')
      .filter((one) => one.floor === floor && (one.outline || []).length > 2));
  }

  rings(floor) {
    return this.once('rings ' + floor, () => this.rooms(floor).map((one) => one.outline));
  }

  /** The ways with a stop on a floor, and those outdoors; not those of rooms that are gone. */
  connections(floor) {
    return this.once('ways ' + floor, () => this.draft.all('connections').filter((one) => (
      one.stops.every((stop) => !stop.room || this.room(stop.room))
        && (one.stops.some((stop) => stop.floor === floor)
          || one.stops.every((stop) => !stop.floor)))));
  }

  plans(floor) {
    return this.once('plans ' + floor, () => this.draft.all('floor-plans')
      .filter((one) => one.floor === floor));
  }

  /** The map of a plan's pixels to metres; null where its alignment says none. */
  mapOf(plan) {
    return this.once('map ' + plan.id, () => mapOfPlan(plan, this.frame.bearingDegrees));
  }

  /** The smallest room around a point. */
  roomAt(floor, point) {
    return this.rooms(floor).filter((one) => isInside(one.outline, point)
      && !(one.holes || []).some((hole) => isInside(hole, point)))
      .sort((a, b) => Math.abs(areaOf(a.outline)) - Math.abs(areaOf(b.outline)))[0] || null;
  }

  /** The direction of walls on a floor: of its rooms, else of its plan, else of the others. */
  angle(floor) {
    return this.once('angle ' + floor, () => {
      const plan = this.plans(floor)[0];
      const map = plan && this.mapOf(plan);
      const own = map ? directionOf([[[0, 0], [map[0], map[3]]]], 0) : 0;
      const storey = this.floor(floor);
      const rooms = this.rings(floor).length || !storey ? this.rings(floor)
        : [].concat(...this.floors(storey.building).map((one) => this.rings(one.id)));
      return map && !this.rings(floor).length ? own : directionOf(rooms, own);
    });
  }

  /** Lists of the records that may name a room. */
  lists() {
    const lists = {};
    HANGING.forEach((kind) => { lists[kind] = this.draft.all(kind); });
    return lists;
  }

  /** What hangs on a record: how many of each kind go with it. */
  hanging(kind, id) {
    const names = kind === 'rooms' ? (record) => namesRoom(record, id)
      : (record) => JSON.stringify(record).indexOf(JSON.stringify(id)) >= 0;
    const kinds = kind === 'rooms' ? HANGING
      : ['rooms', 'connections', 'locations', 'zones', 'floor-plans', 'floors'];
    const found = {};
    kinds.forEach((one) => {
      const count = this.draft.all(one).filter((record) => (
        !(one === kind && record.id === id) && names(record))).length;
      if (count) found[one] = count;
    });
    return found;
  }
}
