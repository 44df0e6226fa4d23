// The devices on the map: one canvas over it, painted at most once a frame. Each device is a dot
// with the circle in which it is in 68 of 100 cases.

import { DomUtil } from '/app/leaflet.js';
import { onColours } from '/app/map-colours.js';
import { MapLayer } from '/app/map-layer.js';
import { scaleAt, toWorld } from '/app/prepared-map.js';
import { FRESH_MILLISECONDS } from './watch-devices.js';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const MARGIN = 100;
const TURN = 2 * Math.PI;
const DOT = 6;
const CHOSEN_DOT = 9;
const LIGHT = {
  dot: '#1456c2', around: 'rgba(20, 86, 194, 0.14)', edge: '#ffffff', old: '#525f6e',
  unsure: 'rgba(138, 75, 0, 0.16)', unsureDot: '#8a4b00', chosen: '#b3261e',
  text: '#17202b', halo: '#ffffff', transmitter: '#0b6b3a', candidate: '#6a2fb5',
};
const DARK = {
  dot: '#82b1ff', around: 'rgba(130, 177, 255, 0.2)', edge: '#171d24', old: '#a9b5c2',
  unsure: 'rgba(255, 192, 105, 0.2)', unsureDot: '#ffc069', chosen: '#ff9d94',
  text: '#e8edf3', halo: '#12171d', transmitter: '#6fd39c', candidate: '#c9a7ff',
};

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** The colours of what is drawn over the map. */
export function markColours() {
  return dark.matches ? DARK : LIGHT;
}

export const WatchLayer = MapLayer.extend({
  initialize() {
    /** What is painted below and above the devices: functions of the context and the view. */
    this.below = null;
    this.above = null;
    this.marks = [];
    this.shownFloor = '';
    this.chosen = '';
    this.clock = 0;
    this.frame = 0;
    /** Called before each frame; true asks for the next one. */
    this.step = null;
    onColours(() => this.schedule());
  },

  schedule() {
    if (this.frame || !this.map) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      const more = this.step ? this.step(now) : false;
      this.paint();
      if (more) this.schedule();
    });
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
    const scale = scaleAt(this.zoom);
    const view = {
      scale, left: world.x, top: world.y, width, height, ratio, zoom: this.zoom,
      floor: this.shownFloor,
    };
    const context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.below) this.below(context, view);
    paintMarks(context, view, this.marks, this.chosen, this.clock);
    if (this.above) this.above(context, view);
    this.view = view;
    this.paintedAt = performance.now();
  },
});

/** Whether a mark is on the floor that is shown; outdoors is on every floor's map. */
function isShown(mark, view) {
  return !mark.floor || mark.floor === view.floor || mark.floor === 'outdoors';
}

/** Paints circles first, then dots, each kind by one path: a change of colour costs the most. */
function paintMarks(context, view, marks, chosen, clock) {
  const colours = markColours();
  const kinds = [[], [], []];
  let own = null;
  for (let i = 0; i < marks.length; i += 1) {
    const mark = marks[i];
    if (isShown(mark, view)) {
      const x = mark.x * view.scale - view.left;
      const y = mark.y * view.scale - view.top;
      if (mark.id === chosen) own = [x, y, mark];
      else if (x > -200 && y > -200 && x < view.width + 200 && y < view.height + 200) {
        const kind = clock - mark.at > FRESH_MILLISECONDS ? 2 : mark.state === 'located' ? 0 : 1;
        kinds[kind].push(x, y, mark.radius * mark.stretch * view.scale);
      }
    }
  }
  circles(context, kinds[0], colours.around);
  circles(context, kinds[1], colours.unsure);
  dots(context, kinds[2], colours.old, colours.edge);
  dots(context, kinds[1], colours.unsureDot, colours.edge);
  dots(context, kinds[0], colours.dot, colours.edge);
  if (own) paintChosen(context, view, own, colours);
}

function circles(context, list, colour) {
  context.fillStyle = colour;
  for (let i = 0; i < list.length; i += 3) {
    if (list[i + 2] > DOT) {
      context.beginPath();
      context.arc(list[i], list[i + 1], list[i + 2], 0, TURN);
      context.fill();
    }
  }
}

function dots(context, list, colour, edge) {
  if (!list.length) return;
  context.beginPath();
  for (let i = 0; i < list.length; i += 3) {
    context.moveTo(list[i] + DOT, list[i + 1]);
    context.arc(list[i], list[i + 1], DOT, 0, TURN);
  }
  context.fillStyle = colour;
  context.strokeStyle = edge;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}

function paintChosen(context, view, own, colours) {
  const [x, y, mark] = own;
  const radius = mark.radius * mark.stretch * view.scale;
  context.strokeStyle = colours.chosen;
  context.lineWidth = 2;
  if (radius > CHOSEN_DOT) {
    context.beginPath();
    context.arc(x, y, radius, 0, TURN);
    context.stroke();
  }
  context.beginPath();
  context.arc(x, y, CHOSEN_DOT, 0, TURN);
  context.fillStyle = colours.chosen;
  context.fill();
  context.strokeStyle = colours.edge;
  context.stroke();
  paintText(context, mark.id, x, y - CHOSEN_DOT - 6, colours);
}

/** A short text with a halo, centred above a point. */
export function paintText(context, text, x, y, colours) {
  context.font = '600 13px ' + FONT;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = colours.halo;
  context.strokeText(text, x, y);
  context.fillStyle = colours.text;
  context.fillText(text, x, y);
}

/** A place in degrees as pixels of the canvas. */
export function pixelsOf(view, latitude, longitude) {
  const [x, y] = toWorld(latitude, longitude);
  return [x * view.scale - view.left, y * view.scale - view.top];
}
