// Two layers over the map: the lines of the drawing on a canvas, and the picture of a plan.

import { DomUtil, Layer } from '/app/leaflet.js';

/** A canvas as large as the view, painted anew when it moves. `paint(context, size)` does it. */
export const DrawLayer = Layer.extend({
  initialize(paint) {
    this.paintOn = paint;
    this.frame = 0;
  },

  onAdd(map) {
    this.map = map;
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'draw-canvas leaflet-zoom-animated';
    this.getPane().appendChild(this.canvas);
    this.schedule();
  },

  onRemove() {
    cancelAnimationFrame(this.frame);
    this.canvas.parentNode.removeChild(this.canvas);
    this.map = null;
  },

  getEvents() {
    return {
      move: this.schedule, moveend: this.schedule, zoom: this.schedule, zoomanim: this.animated,
      resize: this.schedule, viewreset: this.schedule,
    };
  },

  schedule() {
    if (this.frame || !this.map) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  },

  animated(event) {
    if (!this.corner) return;
    const scale = this.map.getZoomScale(event.zoom, this.zoom);
    const place = this.map._latLngToNewLayerPoint(this.corner, event.zoom, event.center);
    DomUtil.setTransform(this.canvas, place, scale);
  },

  paint() {
    const map = this.map;
    if (!map || map._animatingZoom) return;
    const size = map.getSize();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const position = map.containerPointToLayerPoint([0, 0]);
    this.corner = map.layerPointToLatLng(position);
    this.zoom = map.getZoom();
    DomUtil.setTransform(this.canvas, position, 1);
    const canvas = this.canvas;
    const wide = Math.round(size.x * ratio);
    const high = Math.round(size.y * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = size.x + 'px';
      canvas.style.height = size.y + 'px';
    }
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, wide, high);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintOn(context, size);
  },
});

/** A picture whose pixels are at places: `placeOf(column, row)` gives latitude and longitude. */
export const PlanLayer = Layer.extend({
  initialize(address, size, placeOf) {
    this.address = address;
    this.size = size;
    this.placeOf = placeOf;
    this.opacity = 0.6;
    this.wanted = new Promise((done, failed) => {
      this.arrived = done;
      this.failed = failed;
    });
    this.wanted.catch(() => null);
  },

  onAdd(map) {
    this.map = map;
    const image = document.createElement('img');
    image.alt = '';
    image.className = 'draw-plan leaflet-zoom-animated';
    image.width = this.size[0];
    image.height = this.size[1];
    image.draggable = false;
    image.onload = () => this.arrived();
    image.onerror = () => this.failed();
    image.style.opacity = this.opacity;
    image.src = this.address;
    this.image = image;
    const pane = this.getPane();
    // The lines of the drawing stay above it.
    const lines = pane.querySelector('.draw-canvas');
    pane.insertBefore(image, lines);
    this.place();
  },

  onRemove() {
    this.image.parentNode.removeChild(this.image);
    this.map = null;
  },

  getEvents() {
    return {
      zoom: this.place, viewreset: this.place, moveend: this.place, zoomanim: this.animated,
    };
  },

  /** From 0, which can't be seen, to 1. */
  fade(opacity) {
    this.opacity = opacity;
    if (this.image) this.image.style.opacity = opacity;
  },

  /** Its pixels are at other places now. */
  move(placeOf) {
    this.placeOf = placeOf;
    this.place();
  },

  place() {
    if (!this.map || this.map._animatingZoom) return;
    this.turn((place) => this.map.latLngToLayerPoint(place));
  },

  animated(event) {
    this.turn((place) => this.map._latLngToNewLayerPoint(place, event.zoom, event.center));
  },

  turn(pixelOf) {
    const [wide, high] = this.size;
    const [start, right, down] = [[0, 0], [wide, 0], [0, high]]
      .map(([column, row]) => pixelOf(this.placeOf(column, row)));
    const matrix = [(right.x - start.x) / wide, (right.y - start.y) / wide,
      (down.x - start.x) / high, (down.y - start.y) / high, start.x, start.y];
    this.image.style.transform = 'matrix(' + matrix.join() + ')';
  },
});
