// The map of the draft: floors, what a tap opens, and what is drawn anew after an edit.

import { address, go, onAddress } from '/app/address.js';
import { firstFloor, laid, mapTools } from '/app/map-tools.js';
import { MapView } from '/app/map-view.js';
import { faultElement, waitFor } from '/app/waiting.js';
import { KINDS, floorsOf } from './record-kinds.js';

// Edits that come in a row draw the map once.
const REST_MILLISECONDS = 400;
const CLOSE_ZOOM = 19.5;
// These have no place of their own.
const NOWHERE = ['floors', 'directory', 'contents'];

export class StaffMap {
  constructor(shell, draft) {
    this.shell = shell;
    this.draft = draft;
    this.view = new MapView(shell.map, draft.site, () => shell.insets());
    this.stale = new Set();
    window.whereabouts = { view: this.view, site: draft.site, draft };
  }

  /** Starts it. Done when the first floor is shown, or can't be. */
  async start() {
    const { shell, view } = this;
    shell.onLaid = () => {
      laid(view);
      if (this.seen && !view.moved) this.seen();
    };
    ['pointerdown', 'touchstart', 'wheel', 'keydown'].forEach((name) => {
      shell.map.addEventListener(name, () => { view.moved = true; }, { passive: true });
    });
    view.leaflet.on('dragstart', () => { view.following = false; });
    const choose = (floor, quiet) => this.chooseFloor(floor, quiet);
    const switcher = mapTools(shell, this.draft.site, view, choose, []);
    this.drawTools = () => switcher.draw();
    view.on('tap', (place) => this.tapped(place));
    onAddress((now, before) => {
      if (now.floor !== before.floor && now.floor) choose(now.floor, true);
    });
    this.draft.on((what, value) => {
      if (what === 'record') this.changed(value);
    });
    view.readOverview().then((overview) => this.draft.site.takeBuildings(overview))
      .then(() => switcher.draw(), () => null);
    const outdoors = view.readOutdoors().catch((fault) => fault);
    const fault = await waitFor('wait.map', () => (
      firstFloor(view, this.draft.site, address().floor, outdoors)));
    if (fault instanceof Error) {
      shell.map.appendChild(faultElement(fault, () => location.reload()));
      return;
    }
    switcher.draw();
    if (!this.goToPlace() && !view.litOrRouted) view.fitAll(false);
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

  /** The place of a link: latitude, longitude and zoom. */
  goToPlace() {
    const parts = (address().at || '').split(',').map(Number);
    if (parts.length !== 3 || parts.some(Number.isNaN)) return false;
    if (Math.abs(parts[0]) > 85 || Math.abs(parts[1]) > 180) return false;
    this.view.isPlaced = true;
    this.view.leaflet.setView([parts[0], parts[1]], parts[2], { animate: false });
    this.view.moved = true;
    return true;
  }

  /** The same place for a link. */
  placeText() {
    const centre = this.view.leaflet.getCenter();
    const at = [centre.lat, centre.wrap().lng].map((degrees) => degrees.toFixed(6));
    return at.concat(this.view.leaflet.getZoom()).join(',');
  }

  tapped(place) {
    // Who draws takes the taps.
    if (this.taker) return;
    const area = place.area;
    if (!area) return;
    const kind = Object.keys(KINDS).find((one) => KINDS[one].layer === area.layer);
    if (kind) go({ panel: null, kind, record: area.id });
  }

  /** Shows where a record is: its floor, its area lit, or a pin. `stays`: the map moves not. */
  async showRecord(kind, record, stays) {
    const view = this.view;
    const floors = kind === 'floors' ? [record.id] : floorsOf(record);
    if (floors.length && floors.indexOf(view.floorID) < 0 && this.draft.site.floorOf(floors[0])) {
      await this.chooseFloor(floors[0], true);
    }
    view.pin(null);
    view.litOrRouted = true;
    const layer = KINDS[kind].layer;
    if (layer) {
      const move = !stays;
      if (move) view.moved = false;
      this.seen = () => view.light(layer + '/' + record.id, move);
      this.seen();
      return;
    }
    view.light('');
    if (NOWHERE.indexOf(kind) >= 0 || stays) return;
    const placed = await this.draft.placed(kind, record.id);
    const point = placed && pointOf(placed);
    const now = address();
    if (!point || now.record !== record.id) return;
    this.showPoint(point);
  }

  /** Goes to a point in degrees, and pins it. */
  showPoint(point) {
    this.view.litOrRouted = true;
    this.view.moved = false;
    this.seen = () => this.view.centre(point, CLOSE_ZOOM);
    this.seen();
    this.view.pin(point);
  }

  /** Nothing is lit any more. */
  leave() {
    this.seen = null;
    this.view.light('');
    this.view.pin(null);
    this.view.litOrRouted = false;
  }

  /** Draws the map anew where an edit has changed it: soon, and once for several. */
  changed(edit) {
    this.stale.add(edit.kind);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drawAnew(), REST_MILLISECONDS);
  }

  async drawAnew() {
    const kinds = this.stale;
    this.stale = new Set();
    const view = this.view;
    const whole = !Array.from(kinds).every((kind) => kind in KINDS);
    view.maps.clear();
    try {
      if (view.floorID) await view.showFloor(view.floorID);
      if (whole || kinds.has('floors') || kinds.has('buildings')) {
        view.overview = null;
        await view.readOutdoors();
        await this.draft.site.read();
        view.tell('floor', view.floorID);
      }
    } catch (fault) {
      // The map is drawn again with the next edit.
    }
  }
}

/** Latitude and longitude of a record in degrees: its point, its middle, or its first stop. */
export function pointOf(record) {
  if (typeof record.latitude === 'number') return [record.latitude, record.longitude];
  const corners = record.outline && record.outline.length ? record.outline : record.stops;
  if (!corners || !corners.length || typeof corners[0].latitude !== 'number') return null;
  const sum = (name) => corners.reduce((all, corner) => all + corner[name], 0) / corners.length;
  return [sum('latitude'), sum('longitude')];
}
