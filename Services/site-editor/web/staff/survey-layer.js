// Draws a surveyor's floor over the map, on one canvas: squares of figures, places by shape and
// colour, points to go to, the path of a walk, and where beacons would help.

import { DomUtil, Layer } from '/app/leaflet.js';
import { metresBetween } from '/app/measuring.js';
import { classOf } from './survey-model.js';

const MARGIN = 160;
const TAP_PIXELS = 24;
const SIZE = 8;
const FONT = 'system-ui, sans-serif';

/** The limits of the classes of a figure, in metres. */
export const LIMITS = { coverage: [2, 4, 8, 15], error: [2, 3, 5, 8] };
/** One colour is darker than the one before, so it needs no eye for colours. */
export const RAMP = ['#fee8c8', '#fdbb84', '#fc8d59', '#e34a33', '#8f0f0f'];
export const STATES = ['good', 'weak', 'old', 'none', 'waiting'];

const LIGHT = {
  good: '#0b6b3a', weak: '#a34700', old: '#6d28d9', none: '#4c5867', waiting: '#1a5fd0',
  halo: '#ffffff', point: '#27313d', onPoint: '#ffffff',
};
const DARK = {
  good: '#6fd39c', weak: '#ffc069', old: '#c9adff', none: '#b4bfcb', waiting: '#7db0ff',
  halo: '#12171d', point: '#e6ebf1', onPoint: '#12171d',
};
const dark = window.matchMedia('(prefers-color-scheme: dark)');

export function surveyColours() {
  return dark.matches ? DARK : LIGHT;
}

/** The path of a state's shape around a point: each state has its own. */
export function shapePath(context, state, x, y, size) {
  context.beginPath();
  if (state === 'good' || state === 'waiting') context.arc(x, y, size, 0, 2 * Math.PI);
  else if (state === 'weak') {
    context.moveTo(x, y - size * 1.2);
    context.lineTo(x + size * 1.15, y + size * 0.9);
    context.lineTo(x - size * 1.15, y + size * 0.9);
    context.closePath();
  } else if (state === 'old') {
    context.moveTo(x, y - size * 1.25);
    context.lineTo(x + size * 1.25, y);
    context.lineTo(x, y + size * 1.25);
    context.lineTo(x - size * 1.25, y);
    context.closePath();
  } else context.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
}

/** Draws a place. One without a survey is hollow; one that waits has a hole. */
export function paintShape(context, state, x, y, size) {
  const colours = surveyColours();
  shapePath(context, state, x, y, size);
  context.lineWidth = 5;
  context.strokeStyle = colours.halo;
  context.stroke();
  context.fillStyle = state === 'none' ? colours.halo : colours[state];
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = colours[state];
  context.stroke();
  if (state !== 'waiting') return;
  context.beginPath();
  context.arc(x, y, size / 2.5, 0, 2 * Math.PI);
  context.fillStyle = colours.halo;
  context.fill();
}

export const SurveyLayer = Layer.extend({
  initialize() {
    this.things = { heat: null, places: [], points: [], line: [], beacons: [], marks: [] };
    this.frame = 0;
  },

  onAdd(map) {
    this.map = map;
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'survey-canvas leaflet-zoom-animated';
    this.canvas.setAttribute('aria-hidden', 'true');
    this.getPane().appendChild(this.canvas);
    this.schedule();
  },

  onRemove() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.canvas.parentNode.removeChild(this.canvas);
  },

  getEvents() {
    return {
      move: this.moved, moveend: this.schedule, zoom: this.zoomed, zoomanim: this.animated,
      resize: this.schedule, viewreset: this.schedule,
    };
  },

  /** Shows other things: those that are named. */
  show(things) {
    Object.assign(this.things, things);
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

  zoomed() {
    if (!this.corner) return;
    const scale = this.map.getZoomScale(this.map.getZoom(), this.zoom);
    DomUtil.setTransform(this.canvas, this.map.latLngToLayerPoint(this.corner), scale);
    this.schedule();
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
    this.width = size.x + 2 * MARGIN;
    this.height = size.y + 2 * MARGIN;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = this.width + 'px';
    this.canvas.style.height = this.height + 'px';
    this.position = map.containerPointToLayerPoint([-MARGIN, -MARGIN]);
    this.corner = map.layerPointToLatLng(this.position);
    this.zoom = map.getZoom();
    DomUtil.setTransform(this.canvas, this.position, 1);
    const context = this.canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.paintHeat(context);
    this.paintLine(context);
    this.paintPoints(context);
    this.paintPlaces(context);
    this.paintBeacons(context);
    this.things.marks.forEach((mark) => this.paintMark(context, mark));
  },

  /** Where a place is on the canvas. */
  at(place) {
    const point = this.map.latLngToLayerPoint([place.latitude, place.longitude]);
    return [point.x - this.position.x, point.y - this.position.y];
  },

  isSeen(at) {
    return at[0] > -20 && at[1] > -20 && at[0] < this.width + 20 && at[1] < this.height + 20;
  },

  paintHeat(context) {
    const { heat } = this.things;
    if (!heat || !heat.cells.length) return;
    const side = heat.step * this.pixelsOfMetre(heat.cells[0].place);
    context.globalAlpha = 0.55;
    heat.cells.forEach((cell) => {
      const at = this.at(cell.place);
      if (!this.isSeen(at)) return;
      context.fillStyle = RAMP[classOf(cell.value, LIMITS[heat.kind])];
      // A little over the edge, so that no line shows between two squares.
      context.fillRect(at[0] - side / 2, at[1] - side / 2, side + 0.5, side + 0.5);
    });
    context.globalAlpha = 1;
  },

  pixelsOfMetre(place) {
    const north = { latitude: place.latitude + 0.001, longitude: place.longitude };
    return Math.abs(this.at(north)[1] - this.at(place)[1]) / metresBetween(place, north);
  },

  paintLine(context) {
    const { line } = this.things;
    if (!line.length) return;
    const colours = surveyColours();
    context.lineJoin = 'round';
    [[colours.halo, 7], [colours.waiting, 3]].forEach(([colour, width]) => {
      context.beginPath();
      line.forEach((place, index) => {
        const at = this.at(place);
        if (index) context.lineTo(at[0], at[1]);
        else context.moveTo(at[0], at[1]);
      });
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    });
    line.forEach((place) => {
      const at = this.at(place);
      paintShape(context, 'waiting', at[0], at[1], 6);
    });
  },

  /** Points to go to, with their numbers; the first is larger. */
  paintPoints(context) {
    const colours = surveyColours();
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    this.things.points.forEach((point, index) => {
      const at = this.at(point.place);
      if (!this.isSeen(at)) return;
      const size = index ? 9 : 13;
      context.beginPath();
      context.arc(at[0], at[1], size, 0, 2 * Math.PI);
      context.fillStyle = index ? colours.halo : colours.point;
      context.globalAlpha = index ? 0.85 : 1;
      context.fill();
      context.globalAlpha = 1;
      context.lineWidth = 1.5;
      context.setLineDash(index ? [3, 3] : []);
      context.strokeStyle = colours.point;
      context.stroke();
      context.setLineDash([]);
      context.font = (index ? '600 10px ' : '700 13px ') + FONT;
      context.fillStyle = index ? colours.point : colours.onPoint;
      context.fillText(String(index + 1), at[0], at[1]);
    });
  },

  paintPlaces(context) {
    this.things.places.forEach((place) => {
      const at = this.at(place.place);
      if (!this.isSeen(at)) return;
      paintShape(context, place.state, at[0], at[1], place.id ? SIZE : SIZE * 0.7);
      if (!place.isPublished) this.paintRing(context, at, SIZE + 5, [3, 3]);
      if (place.isChosen) this.paintRing(context, at, SIZE + 7, []);
    });
  },

  paintRing(context, at, size, dashes) {
    const colours = surveyColours();
    context.beginPath();
    context.arc(at[0], at[1], size, 0, 2 * Math.PI);
    context.setLineDash(dashes);
    context.lineWidth = dashes.length ? 1.5 : 3;
    context.strokeStyle = colours.point;
    context.stroke();
    context.setLineDash([]);
  },

  paintBeacons(context) {
    this.things.beacons.forEach((beacon) => this.paintMark(context, beacon));
  },

  /** A sign with a letter or a number in a square on its point. */
  paintMark(context, mark) {
    const at = this.at(mark.place);
    if (!this.isSeen(at)) return;
    const colours = surveyColours();
    context.beginPath();
    context.rect(at[0] - 10, at[1] - 10, 20, 20);
    context.fillStyle = colours.halo;
    context.fill();
    context.lineWidth = 2;
    context.setLineDash(mark.isWish ? [4, 3] : []);
    context.strokeStyle = colours.waiting;
    context.stroke();
    context.setLineDash([]);
    context.font = '700 12px ' + FONT;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = colours.waiting;
    context.fillText(mark.text, at[0], at[1]);
  },

  /** The place of a list that is under a tap, the nearest one; null where none is. */
  under(list, latlng) {
    const tap = this.map.latLngToContainerPoint(latlng);
    let best = null;
    let least = TAP_PIXELS;
    list.forEach((one) => {
      const at = this.map.latLngToContainerPoint([one.place.latitude, one.place.longitude]);
      const away = Math.hypot(at.x - tap.x, at.y - tap.y);
      if (away <= least) {
        least = away;
        best = one;
      }
    });
    return best;
  },
});
