// The site as the app knows it: its floors and buildings, read once.

import { buildingName } from './floors.js';
import { ask, query, sitePath } from './service.js';
import { currentLanguage } from './words.js';

// A site that a phone keeps has no more buildings than these, or some remain without names.
const MOST_ASKED = 200;

export class Site {
  /** `choice` are members of the query that choose what of the site is read, such as its draft. */
  constructor(id, choice) {
    this.id = id;
    this.choice = choice || {};
    this.name = '';
    this.floors = [];
    this.buildings = new Map();
    this.storeyed = [];
    this.version = 0;
    /** Done when the floors are known. */
    this.known = this.read();
    this.known.catch(() => null);
    /** Done when the buildings have their names. */
    this.named = new Promise((done) => { this.areNamed = done; });
  }

  async read() {
    const members = this.query({ limit: 1000, coordinates: 'wgs84' });
    const answer = await ask(sitePath(this.id, 'floors') + members);
    this.floors = answer.floors;
    this.version = answer.version;
    this.storeyed = Array.from(new Set(this.floors.map((floor) => floor.building)));
  }

  /** A query of members, and of the choice. */
  query(members) {
    return query(Object.assign({}, members, this.choice));
  }

  floorOf(id) {
    return this.floors.find((floor) => floor.id === id) || null;
  }

  buildingOf(id) {
    return this.buildings.get(id) || null;
  }

  /** The ids of buildings that have floors, by name once names are known. */
  storeyedBuildings() {
    return this.storeyed;
  }

  floorsOf(building) {
    return this.floors.filter((floor) => floor.building === building);
  }

  /**
   * Takes names, time zones and boxes of the buildings that have floors from the overview of the
   * maps. Without it, as where only the phone has the site, each is asked for.
   */
  async takeBuildings(overview) {
    if (overview && overview.buildings) {
      overview.buildings.forEach((one) => this.buildings.set(one.id, one));
    } else {
      const ids = this.storeyed.slice(0, MOST_ASKED);
      await Promise.all(ids.map((id) => this.readBuilding(id).catch(() => null)));
    }
    const compare = new Intl.Collator(currentLanguage(), { numeric: true }).compare;
    const names = new Map(this.storeyed.map((id) => [id, buildingName(this.buildings.get(id))]));
    // Those without a name come last.
    this.storeyed.sort((one, other) => (
      Number(!names.get(one)) - Number(!names.get(other))
      || compare(names.get(one), names.get(other))));
    this.areNamed();
  }

  async readBuilding(id) {
    const path = sitePath(this.id, 'buildings', id) + this.query({ coordinates: 'wgs84' });
    const building = await ask(path);
    if (building.outline) building.box = boxOf(building.outline);
    this.buildings.set(id, building);
  }

  /** The time zone of a floor's building, or of any building. */
  timeZone(floorID) {
    const floor = this.floorOf(floorID);
    const own = floor && this.buildings.get(floor.building);
    const any = own || this.buildings.values().next().value;
    return any ? any.timeZone : undefined;
  }
}

/** West, south, east and north of corners in degrees. */
function boxOf(outline) {
  const longitudes = outline.map((corner) => corner.longitude);
  const latitudes = outline.map((corner) => corner.latitude);
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes),
    Math.max(...latitudes)];
}
