// The floors as on the signs, from the top down, of one building at a time.

import { button, el, fill } from './elements.js';
import { buildingName, floorName, fromTheTop } from './floors.js';
import { icon } from './icons.js';
import { say } from './announcing.js';
import { t } from './words.js';

const MOST_SHOWN = 7;

export class FloorSwitcher {
  constructor(site, view, choose) {
    this.site = site;
    this.view = view;
    this.choose = choose;
    this.open = false;
    this.element = el('nav', { class: 'floors', 'aria-label': t('floors') });
    view.on('floor', () => this.draw());
    view.on('move', () => this.follow());
  }

  get building() {
    const floor = this.site.floorOf(this.view.floorID);
    return floor ? floor.building : this.site.storeyedBuildings()[0];
  }

  draw() {
    const floors = fromTheTop(this.site.floorsOf(this.building));
    if (!floors.length) {
      this.element.hidden = true;
      return;
    }
    this.element.hidden = false;
    const long = floors.length > MOST_SHOWN && !this.open;
    const shown = long ? this.near(floors) : floors;
    const list = el('ul', {}, shown.map((floor) => el('li', {}, this.floorButton(floor))));
    const more = floors.length > MOST_SHOWN ? this.moreButton() : null;
    const levels = el('div', { class: floors.length < 3 ? 'levels few' : 'levels' }, [list, more]);
    fill(this.element, [this.buildingChoice(), levels]);
    const current = list.querySelector('[aria-current]');
    if (current) levels.scrollTop = current.parentNode.offsetTop - levels.clientHeight / 2 + 22;
  }

  near(floors) {
    const at = Math.max(0, floors.findIndex((floor) => floor.id === this.view.floorID));
    const begin = Math.max(0, Math.min(at - 2, floors.length - 5));
    return floors.slice(begin, begin + 5);
  }

  moreButton() {
    const name = t(this.open ? 'floors.less' : 'floors.all');
    return button(icon(this.open ? 'down' : 'up'), () => {
      this.open = !this.open;
      this.draw();
    }, { class: 'more', 'aria-label': name, title: name });
  }

  floorButton(floor) {
    const name = floorName(floor);
    const current = floor.id === this.view.floorID;
    return button(floor.level, () => {
      this.choose(floor.id);
      say(name);
    }, { 'aria-label': name, title: name, 'aria-current': current ? 'true' : null });
  }

  buildingChoice() {
    const ids = this.site.storeyedBuildings();
    if (ids.length < 2) return null;
    const select = el('select', {
      class: 'choose-building', 'aria-label': t('building'),
      on: { change: () => this.goTo(select.value) },
    }, ids.map((id, index) => {
      const name = buildingName(this.site.buildingOf(id));
      const text = name || t('building.number', { number: index + 1 });
      return el('option', { value: id, text, selected: id === this.building });
    }));
    select.value = this.building;
    return select;
  }

  /** Goes to a building: its floor with the same level, else the first with something to see. */
  async goTo(building) {
    await this.choose(await this.floorIn(building));
    this.view.fitAll(true);
  }

  floorIn(building) {
    const present = this.site.floorOf(this.view.floorID);
    const floors = this.site.floorsOf(building);
    const same = present && floors.find((floor) => floor.ordinal === present.ordinal);
    return same ? same.id : this.view.firstFloorWithSomething(floors);
  }

  /** Over another building that has floors, its floors are shown. */
  async follow() {
    if (this.view.leaflet.getZoom() < 17 || this.following) return;
    const centre = this.view.middle();
    const found = this.site.storeyedBuildings().find((id) => (
      isAround(this.site.buildingOf(id), centre)));
    if (!found || found === this.building) return;
    this.following = true;
    try {
      await this.choose(await this.floorIn(found), true);
    } finally {
      this.following = false;
    }
  }
}

function isAround(building, centre) {
  if (!building || !building.box) return false;
  const [west, south, east, north] = building.box;
  return centre.lat > south && centre.lat < north && centre.lng > west && centre.lng < east;
}
