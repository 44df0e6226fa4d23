// The names of rooms and zones for lists: from the maps that are here, else asked for, few at once.

import { nameOf, t } from '/app/words.js';
import { placeName } from '/app/places.js';

const MOST_AT_ONCE = 3;
const MOST_WAITING = 200;

export class PlaceNames {
  /** `changed` is called when a name has come. */
  constructor(site, view, changed) {
    this.site = site;
    this.view = view;
    this.changed = changed;
    this.names = new Map();
    this.waiting = [];
    this.asked = 0;
  }

  /** The name of a room, a zone or a building; its id until the name is known. */
  of(kind, id) {
    if (!id) return t('watch.noRoom');
    const key = kind + '/' + id;
    if (this.names.has(key)) return this.names.get(key);
    const map = this.view.floorMap;
    const record = map && kind === 'room' && map.byID.get('area/' + id);
    if (record && record.name) return record.name;
    if (kind === 'building') {
      const building = this.site.buildingOf(id);
      if (building) return nameOf(building) || building.name || id;
    }
    this.names.set(key, id);
    if (this.waiting.length < MOST_WAITING) this.waiting.push({ kind, id, key });
    this.askMore();
    return id;
  }

  askMore() {
    while (this.asked < MOST_AT_ONCE && this.waiting.length) {
      const one = this.waiting.shift();
      this.asked += 1;
      // A place that was removed keeps its id.
      placeName(this.site, one).then((name) => this.names.set(one.key, name), () => null)
        .then(() => {
          this.asked -= 1;
          this.askMore();
          this.changed();
        });
    }
  }
}
