// The map of the site: outdoors and one floor, what is lit, and what a tap is on.

import { Map as LeafletMap, divIcon, latLngBounds, marker } from './leaflet.js';
import { el } from './elements.js';
import { MapLayer } from './map-layer.js';
import { MapParts } from './map-parts.js';
import { onColours } from './map-colours.js';
import { prepareMap } from './prepared-map.js';
import { kept } from './phone.js';
import { ask, openSession, sitePath } from './service.js';
import { currentLanguage } from './words.js';

const OUTDOORS_ONLY = ['ground', 'building', 'path'];
const ENOUGH_AREAS = 3;
const RETRY_MILLISECONDS = 10000;
const REST_MILLISECONDS = 80;
// Parts are asked for within so many pixels around the view.
const AROUND = 48;

export class MapView {
  constructor(container, site, insets) {
    this.site = site;
    this.insets = insets;
    this.floorID = null;
    this.maps = new Map();
    this.outdoors = null;
    this.listeners = { tap: [], floor: [], move: [] };
    this.leaflet = new LeafletMap(container, {
      zoomControl: false, attributionControl: false, zoomSnap: 0.25, zoomDelta: 1,
      wheelPxPerZoomLevel: 90, minZoom: 9, maxZoom: 23, maxBoundsViscosity: 0.8, tap: false,
      inertiaDeceleration: 2600, zoomAnimationThreshold: 6, keyboardPanDelta: 120,
    });
    this.layer = new MapLayer();
    this.leaflet.setView([0, 0], 2, { animate: false });
    this.layer.addTo(this.leaflet);
    // Screen readers have the steps, the rooms of the floor and the line that says where one is.
    ['overlayPane', 'markerPane'].forEach((name) => {
      this.leaflet.getPane(name).setAttribute('aria-hidden', 'true');
    });
    this.attribution = el('p', { class: 'attribution' });
    container.appendChild(this.attribution);
    this.leaflet.on('click', (event) => this.tapped(event.latlng));
    this.leaflet.on('moveend', () => {
      this.lookOutdoors();
      this.tell('move');
    });
    this.leaflet.on('drag', () => this.lookOutdoors());
    container.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.target === container) this.tapped(this.middle());
    });
    onColours(() => this.layer.forget());
  }

  on(name, listener) {
    this.listeners[name].push(listener);
    return () => {
      this.listeners[name] = this.listeners[name].filter((one) => one !== listener);
    };
  }

  tell(name, value) {
    this.listeners[name].forEach((listener) => listener(value));
  }

  /** The query of all maps. */
  query() {
    return this.site.query({ language: currentLanguage() });
  }

  /** What there is to see, outdoors and on each floor; null where the service can't be reached. */
  readOverview() {
    if (!this.overview) {
      const path = sitePath(this.site.id, 'map', 'overview');
      this.overview = ask(path + this.query()).catch((fault) => {
        this.overview = null;
        if (fault.status === 0 || fault.status === 404 || fault.status >= 500) return null;
        throw fault;
      });
    }
    return this.overview;
  }

  /** Begins with the map outdoors; a site without one shows its floors alone. */
  async readOutdoors() {
    const overview = await this.readOverview();
    if (!overview) return this.readWholeOutdoors();
    this.attribute(overview);
    if (!overview.outdoors.box) return null;
    const language = this.query();
    this.outdoors = new MapParts(overview.outdoors, (zoom, x, y) => (
      sitePath(this.site.id, 'map', 'parts', zoom, x, y) + language
    ), () => this.layer.forget(), (fault) => this.partFailed(fault));
    this.draw();
    if (this.isPlaced) this.lookOutdoors();
    return this.outdoors;
  }

  /** Without its parts a map is asked for as one: a phone may have kept it so. */
  async readWholeOutdoors() {
    const url = sitePath(this.site.id, 'map') + this.query();
    await openSession();
    const map = await prepareMap([url], []);
    this.outdoors = map.empty ? null : map;
    this.attribute(map);
    this.draw();
    return this.outdoors;
  }

  /** A phone that keeps the site has its map as one. Else the parts are asked for again. */
  partFailed(fault) {
    const passes = fault.status === 0 || fault.status === 429 || fault.status >= 500;
    if (!passes || this.readingWhole) return;
    if (fault.status === 0 && (kept('buildings') || {})[this.site.id]) {
      this.readingWhole = true;
      this.readWholeOutdoors().catch(() => null).then(() => { this.readingWhole = false; });
    } else if (!this.retry) {
      this.retry = setTimeout(() => {
        this.retry = 0;
        this.lookOutdoors();
      }, RETRY_MILLISECONDS);
    }
  }

  /** The next tap on the map is for `done`; the camera's picture makes room for it. */
  pick(done) {
    this.picking = done ? (place) => {
      this.pick(null);
      done(place);
    } : null;
    document.documentElement.classList.toggle('picking', Boolean(done));
  }

  /** Asks for the parts outdoors that are in view, once it rests for a moment. */
  lookOutdoors() {
    if (!this.isPlaced || !(this.outdoors instanceof MapParts) || this.looking) return;
    this.looking = true;
    this.seenOutdoors = new Promise((resolve) => setTimeout(resolve, REST_MILLISECONDS))
      .then(() => {
        this.looking = false;
        return this.outdoors instanceof MapParts
          ? this.outdoors.see(this.boxInView(), this.leaflet.getZoom()) : null;
      });
  }

  /** What no sheet covers, and some pixels around, in pixels of the world. */
  boxInView() {
    const bounds = this.leaflet.getPixelBounds();
    return [bounds.min.x - AROUND, bounds.min.y - AROUND, bounds.max.x + AROUND,
      bounds.max.y + AROUND - this.insets().bottom];
  }

  async prepare(urls, skip) {
    await openSession();
    return prepareMap(urls, skip);
  }

  attribute(map) {
    if (map.attribution) this.attribution.textContent = map.attribution;
  }

  /** Reads a floor's map, once. */
  readFloor(id) {
    if (!this.maps.has(id)) {
      const language = this.query();
      // A phone may have kept the map as others get it.
      const urls = [sitePath(this.site.id, 'floors', id, 'map', 'part') + language,
        sitePath(this.site.id, 'floors', id, 'map') + language];
      const reading = this.prepare(urls, OUTDOORS_ONLY).catch((fault) => {
        this.maps.delete(id);
        throw fault;
      });
      this.maps.set(id, reading);
    }
    return this.maps.get(id);
  }

  /** Shows a floor. A later wish for another floor wins. */
  async showFloor(id) {
    this.wishedFloor = id;
    const map = id ? await this.readFloor(id) : null;
    if (this.wishedFloor !== id) return null;
    this.floorID = id;
    this.floorMap = map && !map.empty ? map : null;
    if (map) this.attribute(map);
    const floor = this.site.floorOf(id);
    this.layer.hiddenBuildings = new Set(floor ? [floor.building] : []);
    this.draw();
    this.tell('floor', id);
    return map;
  }

  /** The first floor of a list with something to see, else the one with the most. */
  async firstFloorWithSomething(floors) {
    const overview = await this.readOverview();
    if (!overview) return this.firstFloorByMaps(floors);
    const areas = new Map(overview.floors.map((floor) => [floor.id, floor.areas]));
    const countOf = (floor) => areas.get(floor.id) || 0;
    const first = floors.find((floor) => countOf(floor) >= ENOUGH_AREAS);
    if (!first) {
      const most = Math.max(...floors.map(countOf));
      return floors.length ? floors.find((floor) => countOf(floor) === most).id : null;
    }
    return this.nearestToHeart(overview, floors.filter((floor) => (
      floor.ordinal === first.ordinal && countOf(floor) >= ENOUGH_AREAS)), countOf).id;
  }

  /** Of the floors with no less to see than half of them, that in the heart of the campus. */
  nearestToHeart(overview, floors, countOf) {
    const heart = overview.outdoors.heart;
    const boxes = new Map((overview.buildings || []).map((one) => [one.id, one.box]));
    const counts = floors.map(countOf).sort((one, other) => one - other);
    const usual = counts[Math.floor((counts.length - 1) / 2)];
    const away = (floor) => {
      const box = boxes.get(floor.building);
      return heart && box
        ? this.leaflet.distance(middleOf(heart), middleOf(box)) : Infinity;
    };
    return floors.filter((floor) => countOf(floor) >= usual).reduce((best, floor) => (
      away(floor) < away(best) ? floor : best));
  }

  /** The same by reading the maps of some floors. */
  async firstFloorByMaps(floors) {
    let best = null;
    let failed = null;
    let most = -1;
    for (let i = 0; i < Math.min(5, floors.length); i += 1) {
      const map = await this.readFloor(floors[i].id).catch((fault) => {
        failed = fault;
        return null;
      });
      const count = map ? map.areas.length : -1;
      if (count >= ENOUGH_AREAS) return floors[i].id;
      if (count > most) {
        most = count;
        best = floors[i].id;
      }
    }
    if (!best && failed) throw failed;
    return best;
  }

  draw() {
    this.layer.show(this.outdoors, this.floorMap || null);
  }

  /** Fits the view to the floor's areas, or to the heart of the map outdoors. */
  fitAll(animate) {
    const map = this.floorMap || this.outdoors;
    if (!map) return;
    const box = this.floorMap && this.floorMap.areas.length ? boxOfAreas(map) : map.heart();
    this.fit(map.corners(box), animate, 20);
  }

  /** Fits the view to two corners, beside what covers the map. */
  fit(corners, animate, maxZoom) {
    const inset = this.insets();
    const options = {
      paddingTopLeft: [inset.left + 24, inset.top + 24],
      paddingBottomRight: [inset.right + 24, inset.bottom + 24],
      maxZoom: maxZoom || 20, animate: animate === true, duration: 0.7,
    };
    const bounds = latLngBounds(corners);
    this.isPlaced = true;
    if (animate && this.leaflet.getZoom() > 9) this.leaflet.flyToBounds(bounds, options);
    else this.leaflet.fitBounds(bounds, Object.assign(options, { animate: false }));
  }

  /** Zooms around the middle of what is not covered. */
  zoomBy(steps) {
    this.leaflet.setZoomAround(this.middle(), this.leaflet.getZoom() + steps);
  }

  /** Moves a place to the middle of what is not covered. */
  centre(latlng, zoom) {
    const inset = this.insets();
    const at = this.leaflet.project(latlng, zoom);
    at.x += (inset.right - inset.left) / 2;
    at.y += (inset.bottom - inset.top) / 2;
    const centre = this.leaflet.unproject(at, zoom);
    this.isPlaced = true;
    const far = this.leaflet.distance(centre, this.leaflet.getCenter()) > 3000;
    this.leaflet.setView(centre, zoom, far ? { animate: false } : { duration: 0.5 });
  }

  /** Lights a room or a building; true if it is on the maps that are shown. */
  light(key, move) {
    this.layer.light(key || '');
    const found = key ? this.layer.find(key) : null;
    if (found && move) {
      const size = Math.max(found.record.box[2] - found.record.box[0], 8);
      const zoom = Math.max(16, Math.min(20.5, Math.log2(14000000 / size)));
      this.centre(found.map.degrees(found.record.label), Math.round(zoom * 4) / 4);
    }
    return found !== null;
  }

  /** The place in the middle of what is not covered: for the keyboard. */
  middle() {
    const inset = this.insets();
    const size = this.leaflet.getSize();
    return this.leaflet.containerPointToLatLng([
      (size.x + inset.left - inset.right) / 2, (size.y + inset.top - inset.bottom) / 2,
    ]);
  }

  /** Puts a pin at a place, or takes it away. */
  pin(latlng) {
    if (this.pinned) this.pinned.remove();
    this.pinned = null;
    if (!latlng) return;
    const icon = divIcon({ className: 'pin route-end', html: el('span'), iconSize: [22, 22] });
    this.pinned = marker(latlng, { icon, interactive: false, keyboard: false });
    this.pinned.addTo(this.leaflet);
  }

  tapped(latlng) {
    const place = { latitude: latlng.lat, longitude: latlng.wrap().lng, area: null };
    const maps = [this.floorMap, this.outdoors].filter(Boolean);
    maps.forEach((map) => {
      if (!place.area) place.area = map.areaAt(place.latitude, place.longitude);
    });
    this.tell('tap', place);
  }

  /** The areas of the floor that is shown, or of the map outdoors. */
  areas() {
    const map = this.floorMap || this.outdoors;
    return map ? map.areas : [];
  }
}

/** Latitude and longitude of the middle of a box: west, south, east and north. */
function middleOf(box) {
  return [(box[1] + box[3]) / 2, (box[0] + box[2]) / 2];
}

function boxOfAreas(map) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  map.areas.forEach((area) => {
    box[0] = Math.min(box[0], area.box[0]);
    box[1] = Math.min(box[1], area.box[1]);
    box[2] = Math.max(box[2], area.box[2]);
    box[3] = Math.max(box[3], area.box[3]);
  });
  return box;
}
