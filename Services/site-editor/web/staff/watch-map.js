// The map of the watching screen: the published floors, with the devices and their counts over it.

import { address, go, onAddress } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { FloorSwitcher } from '/app/floor-switcher.js';
import { floorName } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { firstFloor, laid } from '/app/map-tools.js';
import { MapView } from '/app/map-view.js';
import { faultElement, waitFor } from '/app/waiting.js';
import { number, t } from '/app/words.js';
import { nearestMark } from './watch-devices.js';
import { WatchLayer } from './watch-layer.js';
import { scaleAt, toWorld } from '/app/prepared-map.js';

const CLOSE_ZOOM = 20;
const REACH_PIXELS = 24;

/** The floors, each with how many devices are on it. */
class CountedFloors extends FloorSwitcher {
  constructor(site, view, choose) {
    super(site, view, choose);
    this.counts = new Map();
    this.badges = new Map();
  }

  draw() {
    if (this.badges) this.badges.clear();
    super.draw();
  }

  floorButton(floor) {
    const made = super.floorButton(floor);
    const badge = el('small', { class: 'watch-count', 'aria-hidden': 'true' });
    made.appendChild(badge);
    if (this.badges) this.badges.set(floor.id, { made, badge, floor });
    this.drawCount(floor.id);
    return made;
  }

  drawCount(id) {
    const one = this.badges && this.badges.get(id);
    if (!one) return;
    const count = this.counts.get(id) || 0;
    const text = count ? number(count) : '';
    if (one.badge.textContent === text) return;
    one.badge.textContent = text;
    const name = count
      ? t('watch.floorCount', { floor: floorName(one.floor), count: text }) : floorName(one.floor);
    one.made.setAttribute('aria-label', name);
    one.made.title = name;
  }

  show(counts) {
    this.counts = counts;
    if (this.badges) this.badges.forEach((one, id) => this.drawCount(id));
  }
}

export class WatchMap {
  constructor(shell, site) {
    this.shell = shell;
    this.site = site;
    this.view = new MapView(shell.map, site, () => shell.insets());
    this.layer = new WatchLayer();
    /** Called with the mark that was tapped. */
    this.chosen = null;
    window.whereabouts = { view: this.view, site, layer: this.layer };
  }

  /** Starts it. Done when the first floor is shown, or can't be. */
  async start() {
    const { shell, view } = this;
    shell.onLaid = () => laid(view);
    ['pointerdown', 'touchstart', 'wheel', 'keydown'].forEach((name) => {
      shell.map.addEventListener(name, () => { view.moved = true; }, { passive: true });
    });
    view.leaflet.on('dragstart', () => { view.following = false; });
    const choose = (floor, quiet) => this.chooseFloor(floor, quiet);
    this.switcher = new CountedFloors(this.site, view, choose);
    fill(shell.tools, [this.switcher.element, el('div', { class: 'zoom' }, [
      button(icon('plus'), () => view.zoomBy(1), { 'aria-label': t('zoom.in') }),
      button(icon('minus'), () => view.zoomBy(-1), { 'aria-label': t('zoom.out') }),
    ])]);
    view.on('tap', (place) => this.tapped(place));
    view.on('floor', (floor) => {
      this.layer.shownFloor = floor || '';
      this.layer.schedule();
    });
    onAddress((now, before) => {
      if (now.floor !== before.floor && now.floor) choose(now.floor, true);
    });
    view.readOverview().then((overview) => this.site.takeBuildings(overview))
      .then(() => this.switcher.draw(), () => null);
    const outdoors = view.readOutdoors().catch((fault) => fault);
    const fault = await waitFor('wait.map', () => (
      firstFloor(view, this.site, address().floor, outdoors)));
    this.layer.addTo(view.leaflet);
    this.layer.schedule();
    if (fault instanceof Error) {
      shell.map.appendChild(faultElement(fault, () => location.reload()));
      return;
    }
    this.switcher.draw();
    view.fitAll(false);
    view.ready = true;
    document.documentElement.classList.add('ready');
  }

  async chooseFloor(floor, quiet) {
    const view = this.view;
    if (!quiet) view.following = false;
    if (view.floorID === floor) return;
    try {
      await waitFor('wait.floor', () => view.showFloor(floor));
      go({ floor }, true);
    } catch (fault) {
      if (!quiet) this.shell.failed(fault, () => this.chooseFloor(floor));
    }
  }

  tapped(place) {
    const [x, y] = toWorld(place.latitude, place.longitude);
    const reach = REACH_PIXELS / scaleAt(this.view.leaflet.getZoom());
    const mark = nearestMark(this.layer.marks, x, y, reach, this.view.floorID);
    if (this.chosen) this.chosen(mark, place);
  }

  /** Moves the map with a mark, and to its floor. Somebody who moves the map ends it. */
  follow(mark, degrees) {
    const view = this.view;
    if (!view.following || !mark) return;
    if (mark.floor && mark.floor !== 'outdoors' && mark.floor !== view.floorID
      && !this.changing && this.site.floorOf(mark.floor)) {
      this.changing = true;
      const done = () => { this.changing = false; };
      this.chooseFloor(mark.floor, true).then(done, done);
    }
    view.centre(degrees, Math.max(view.leaflet.getZoom(), CLOSE_ZOOM - 1));
  }
}
