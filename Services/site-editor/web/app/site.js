// The site as the app knows it: its floors and buildings, read once.

import { ask, query, sitePath } from './service.js';

export class Site {
  constructor(id) {
    this.id = id;
    this.name = '';
    this.floors = [];
    this.buildings = new Map();
    this.version = 0;
    /** Done when the floors are known. */
    this.known = this.read();
    this.known.catch(() => null);
  }

  async read() {
    const members = query({ limit: 1000, coordinates: 'wgs84' });
    const answer = await ask(sitePath(this.id, 'floors') + members);
    this.floors = answer.floors;
    this.version = answer.version;
  }

  floorOf(id) {
    return this.floors.find((floor) => floor.id === id) || null;
  }

  buildingOf(id) {
    return this.buildings.get(id) || null;
  }

  /** The ids of buildings that have floors. */
  storeyedBuildings() {
    return Array.from(new Set(this.floors.map((floor) => floor.building)));
  }

  floorsOf(building) {
    return this.floors.filter((floor) => floor.building === building);
  }

  /** Reads the buildings that have floors: they give names, time zones and outlines. */
  async readBuildings() {
    const ids = this.storeyedBuildings().slice(0, 40);
    await Promise.all(ids.map((id) => this.readBuilding(id).catch(() => null)));
  }

  async readBuilding(id) {
    if (!this.buildings.has(id)) {
      const path = sitePath(this.id, 'buildings', id) + query({ coordinates: 'wgs84' });
      this.buildings.set(id, await ask(path));
    }
    return this.buildings.get(id);
  }

  /** The time zone of a floor's building, or of any building. */
  timeZone(floorID) {
    const floor = this.floorOf(floorID);
    const own = floor && this.buildings.get(floor.building);
    const any = own || this.buildings.values().next().value;
    return any ? any.timeZone : undefined;
  }
}
