// A layer of Leaflet that draws the project's own maps on one canvas.
//
// The canvas reaches beyond the view, so most frames of a pan only move it. It is painted anew when
// the view nears its edge, at most once a frame, and only with what is seen.

import { DomUtil, Layer } from './leaflet.js';
import { paintMap } from './map-painting.js';
import { paintLabels, placeLabels } from './map-labels.js';
import { colours } from './map-colours.js';
import { kept } from './phone.js';
import { scaleAt } from './prepared-map.js';

const MARGIN = 160;

export const MapLayer = Layer.extend({
  initialize() {
    this.outdoors = null;
    this.floor = null;
    this.litKey = '';
    this.hiddenBuildings = new Set();
    this.placed = null;
    this.avoided = [];
    this.seen = [];
    this.frame = 0;
  },

  onAdd(map) {
    this.map = map;
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'map-canvas leaflet-zoom-animated';
    this.canvas.setAttribute('aria-hidden', 'true');
    this.getPane().appendChild(this.canvas);
    this.paint();
  },

  onRemove() {
    cancelAnimationFrame(this.frame);
    this.canvas.parentNode.removeChild(this.canvas);
  },

  getEvents() {
    return {
      move: this.moved, moveend: this.settled, zoom: this.zoomed, zoomanim: this.animated,
      resize: this.settled, viewreset: this.settled,
    };
  },

  /** Shows other maps: those outdoors and of a floor, each may be null. */
  show(outdoors, floor) {
    this.outdoors = outdoors;
    this.floor = floor;
    this.forget();
  },

  /** Lights one record: layer and id, or nothing. */
  light(key) {
    if (key === this.litKey) return;
    this.litKey = key;
    this.forget();
  },

  /** Names make room for these lines over the map (`placeLabels`). */
  avoid(lines) {
    this.avoided = lines;
    this.forget();
  },

  /** Places labels anew and paints. */
  forget() {
    this.placed = null;
    this.schedule();
  },

  schedule() {
    if (this.frame || !this.map) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  },

  moved() {
    if (!this.corner) return;
    const now = this.map.containerPointToLayerPoint([-MARGIN, -MARGIN]);
    const offset = now.subtract(this.position);
    if (Math.max(Math.abs(offset.x), Math.abs(offset.y)) > MARGIN * 0.7) this.schedule();
  },

  settled() {
    this.schedule();
  },

  zoomed() {
    if (!this.corner) return;
    const scale = this.map.getZoomScale(this.map.getZoom(), this.zoom);
    DomUtil.setTransform(this.canvas, this.map.latLngToLayerPoint(this.corner), scale);
    if (performance.now() - this.paintedAt > 120) this.schedule();
  },

  animated(event) {
    if (!this.corner) return;
    const scale = this.map.getZoomScale(event.zoom, this.zoom);
    const place = this.map._latLngToNewLayerPoint(this.corner, event.zoom, event.center);
    DomUtil.setTransform(this.canvas, place, scale);
  },

  paint() {
    const map = this.map;
    if (!map || !map._loaded || map._animatingZoom) return;
    const size = map.getSize();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = size.x + 2 * MARGIN;
    const height = size.y + 2 * MARGIN;
    this.fit(width, height, ratio);
    this.position = map.containerPointToLayerPoint([-MARGIN, -MARGIN]);
    this.corner = map.layerPointToLatLng(this.position);
    this.zoom = map.getZoom();
    DomUtil.setTransform(this.canvas, this.position, 1);
    const world = map.getPixelOrigin().add(this.position);
    const view = { zoom: this.zoom, left: world.x, top: world.y, width, height, ratio };
    const context = this.canvas.getContext('2d', { alpha: false });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colours().land;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const all = [this.outdoors, this.floor].map((one, index) => (
      !one || paintMap(context, one, view, index === 1)));
    this.paintLit(context, view);
    this.seen = paintLabels(context, this.labels(), view);
    this.view = view;
    this.paintedAt = performance.now();
    if (all.indexOf(false) >= 0) this.schedule();
  },

  fit(width, height, ratio) {
    const canvas = this.canvas;
    const across = Math.round(width * ratio);
    const down = Math.round(height * ratio);
    if (canvas.width === across && canvas.height === down) return;
    canvas.width = across;
    canvas.height = down;
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
  },

  paintLit(context, view) {
    const found = this.find(this.litKey);
    if (!found || !found.record.lastRing) return;
    const scale = scaleAt(view.zoom);
    const x = found.map.origin[0] * scale - view.left;
    const y = found.map.origin[1] * scale - view.top;
    const ratio = view.ratio;
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    const path = found.map.pathOf(found.record);
    context.fillStyle = colours().litFill;
    context.strokeStyle = colours().lit;
    context.lineWidth = 2.5 / scale;
    context.fill(path, 'evenodd');
    context.stroke(path);
  },

  /** The record of a key with its map, or null. */
  find(key) {
    const maps = [this.floor, this.outdoors].filter(Boolean);
    const map = maps.find((one) => one.byID.has(key));
    return map ? { map, record: map.byID.get(key) } : null;
  },

  labels() {
    if (!this.placed || this.placedZoom !== this.zoom) {
      const layers = [];
      if (this.outdoors) {
        const hidden = this.zoom > 16.5 ? this.hiddenBuildings : new Set();
        layers.push({ map: this.outdoors, hiddenBuildings: hidden });
      }
      if (this.floor) layers.push({ map: this.floor });
      this.placed = placeLabels(
        layers, this.zoom, this.litKey, this.avoided, kept('names') || 'usual');
      this.placedZoom = this.zoom;
    }
    return this.placed;
  },

  /** The labels inside the view, with boxes in pixels of the container: for tests. */
  shownLabels() {
    const offset = this.map.layerPointToContainerPoint(this.position);
    return this.seen.map((label) => ({
      text: label.lines ? label.lines.join(' ') : '', size: label.size || 0, key: label.key,
      box: [
        label.box[0] - this.view.left + offset.x, label.box[1] - this.view.top + offset.y,
        label.box[2] - this.view.left + offset.x, label.box[3] - this.view.top + offset.y,
      ],
    }));
  },
});
