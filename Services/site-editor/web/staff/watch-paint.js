// What is painted over the map besides devices: how full rooms were, and why a device was located
// where it was.

import { markColours, paintText, pixelsOf } from './watch-layer.js';
import { stepOfValue, stepsOf } from './watch-steps.js';

// Five steps from little to much; a dark map has others. Each stands out from the one before.
const LIGHT = ['#dbe9fb', '#a9cbf5', '#6aa3e8', '#2f6fc9', '#123f86'];
const DARK = ['#22344d', '#2c507f', '#3a73b8', '#69a2e8', '#b3d3ff'];
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const TURN = 2 * Math.PI;

/** The colours of the steps. */
export function heatColours() {
  return dark.matches ? DARK : LIGHT;
}

/** The colour of a step: the last one has the strongest, however many there are. */
export function colourOfStep(steps, at) {
  const all = heatColours();
  return all[Math.round(((at + 1) * all.length) / steps.length) - 1];
}

/** Paints rooms by their values: `values` by the id of a room. */
export class RoomHeat {
  constructor(view) {
    this.view = view;
    this.values = new Map();
    this.steps = [];
    this.paths = new Map();
    this.map = null;
  }

  show(values) {
    this.values = values;
    this.steps = stepsOf(Array.from(values.values()));
  }

  paint(context, view) {
    const map = this.view.floorMap;
    if (!map || !this.steps.length) return;
    if (map !== this.map) {
      this.map = map;
      this.paths.clear();
    }
    const { scale, ratio } = view;
    const x = map.origin[0] * scale - view.left;
    const y = map.origin[1] * scale - view.top;
    context.save();
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    context.globalAlpha = 0.82;
    this.values.forEach((value, id) => {
      const at = stepOfValue(this.steps, value);
      const path = at >= 0 && this.pathOf(map, id);
      if (path) {
        context.fillStyle = colourOfStep(this.steps, at);
        context.fill(path, 'evenodd');
      }
    });
    context.restore();
  }

  pathOf(map, id) {
    if (!this.paths.has(id)) {
      const record = map.byID.get('area/' + id);
      this.paths.set(id, record && record.lastRing ? map.pathOf(record) : null);
    }
    return this.paths.get(id);
  }
}

/** Paints an explanation: candidates, access points and the position itself. */
export function paintExplanation(context, view, explained) {
  const colours = markColours();
  const here = (one) => one.floor === view.floor || one.floor === 'outdoors';
  explained.transmitters.filter(here).forEach((one) => {
    const [x, y] = pixelsOf(view, one.latitude, one.longitude);
    if (explained.at) paintLine(context, view, explained.at, [x, y], colours.transmitter);
    context.fillStyle = colours.transmitter;
    context.strokeStyle = colours.edge;
    context.lineWidth = 2;
    context.beginPath();
    context.rect(x - 8, y - 8, 16, 16);
    context.fill();
    context.stroke();
    paintText(context, String(one.rssi), x, y - 13, colours);
  });
  explained.candidates.filter(here).forEach((one) => {
    const [x, y] = pixelsOf(view, one.latitude, one.longitude);
    context.globalAlpha = 0.75;
    context.fillStyle = colours.candidate;
    context.strokeStyle = colours.edge;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, 4 + 22 * Math.sqrt(one.share), 0, TURN);
    context.fill();
    context.stroke();
    context.globalAlpha = 1;
    if (one.label) paintText(context, one.label, x, y + 4, colours);
  });
  if (explained.at && here(explained.at)) paintPosition(context, view, explained.at, colours);
}

function paintLine(context, view, at, to, colour) {
  const from = pixelsOf(view, at.latitude, at.longitude);
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.setLineDash([6, 5]);
  context.beginPath();
  context.moveTo(from[0], from[1]);
  context.lineTo(to[0], to[1]);
  context.stroke();
  context.setLineDash([]);
}

function paintPosition(context, view, at, colours) {
  const [x, y] = pixelsOf(view, at.latitude, at.longitude);
  const stretch = view.scale / Math.cos((at.latitude * Math.PI) / 180);
  [[at.radius68, []], [at.radius95, [8, 6]]].forEach(([radius, dashes]) => {
    if (!radius) return;
    context.setLineDash(dashes);
    context.strokeStyle = colours.chosen;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, radius * stretch, 0, TURN);
    context.stroke();
  });
  context.setLineDash([]);
  context.fillStyle = colours.chosen;
  context.strokeStyle = colours.edge;
  context.beginPath();
  context.arc(x, y, 8, 0, TURN);
  context.fill();
  context.stroke();
}
