// How the lines of a map are painted on a canvas: outdoors first, then the floor.

import { colours } from './map-colours.js';
import { partPath, scaleAt } from './prepared-map.js';

const PATH_MILLISECONDS = 5;

/**
 * Paints a map on a context. `view` has zoom, left and top in pixels of the world at this zoom,
 * width, height and ratio. True if all was painted; false if paths remain to be made.
 */
export function paintMap(context, map, view, indoors) {
  const scale = scaleAt(view.zoom);
  const x = map.origin[0] * scale - view.left;
  const y = map.origin[1] * scale - view.top;
  const ratio = view.ratio;
  context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
  const seen = [-x / scale, -y / scale, (view.width - x) / scale, (view.height - y) / scale];
  const chunks = map.chunks.filter((chunk) => meets(chunk.box, seen));
  const unit = 1 / scale;
  // Only the making of paths is limited. Where painting itself takes longer than that, as in
  // Firefox without a graphics card, paths would never be made, and each frame would ask for
  // another one.
  const made = { all: true, milliseconds: 0 };
  const each = (style, paint) => chunks.forEach((chunk) => {
    const part = chunk.parts.find((one) => one.style === style);
    if (!part) return;
    if (!part.path) {
      if (made.milliseconds > PATH_MILLISECONDS) {
        made.all = false;
        return;
      }
      const begin = performance.now();
      partPath(part);
      made.milliseconds += performance.now() - begin;
    }
    paint(partPath(part));
  });
  context.lineJoin = 'round';
  context.lineCap = 'round';
  if (indoors) paintFloor(context, each, unit, view.zoom);
  else paintOutdoors(context, each, unit, view.zoom, map.large);
  return made.all;
}

function meets(box, seen) {
  return box[0] < seen[2] && box[2] > seen[0] && box[1] < seen[3] && box[3] > seen[1];
}

function paintOutdoors(context, each, unit, zoom, large) {
  const colour = colours();
  context.fillStyle = colour.ground;
  each('ground', (path) => context.fill(path));
  const least = large && zoom < 14 ? 0.5 : 1;
  const width = Math.max(least, Math.min(6, Math.pow(2, zoom - 16.5) * 2)) * unit;
  if (zoom > 15.5) {
    context.strokeStyle = colour.pathEdge;
    context.lineWidth = width + 2 * unit;
    each('path', (path) => context.stroke(path));
  }
  context.strokeStyle = zoom > 15.5 ? colour.path : colour.way;
  context.lineWidth = width;
  context.globalAlpha = large && zoom < 13 ? 0.55 : 1;
  each('path', (path) => context.stroke(path));
  context.globalAlpha = 1;
  if (zoom > 16) {
    context.strokeStyle = colour.way;
    context.lineWidth = width * 0.8;
    context.setLineDash([1.5 * unit, 2.5 * unit]);
    ['stairs', 'escalator', 'ramp'].forEach((style) => each(style, (path) => context.stroke(path)));
    context.setLineDash([]);
  }
  context.fillStyle = colour.building;
  context.strokeStyle = colour.buildingEdge;
  context.lineWidth = unit;
  each('building', (path) => context.fill(path));
  if (zoom > 14) each('building', (path) => context.stroke(path));
}

function paintFloor(context, each, unit, zoom) {
  const colour = colours();
  const wall = Math.max(0.6, Math.min(2.4, Math.pow(2, zoom - 19.5) * 1.2)) * unit;
  context.fillStyle = colour.floor;
  context.strokeStyle = colour.wall;
  context.lineWidth = wall * 1.6;
  each('floor', (path) => {
    context.fill(path);
    context.stroke(path);
  });
  const groups = Object.keys(colour.areas);
  groups.sort((one, other) => Number(other === 'corridor') - Number(one === 'corridor'));
  context.lineWidth = wall;
  groups.forEach((group) => {
    context.fillStyle = colour.areas[group];
    each('area-' + group, (path) => {
      context.fill(path);
      context.stroke(path);
    });
  });
  paintWays(context, each, unit, zoom, colour);
  if (zoom > 17.5) {
    context.strokeStyle = colour.door;
    context.lineCap = 'butt';
    context.lineWidth = wall * 2.4;
    each('door', (path) => context.stroke(path));
    context.lineCap = 'round';
  }
}

/** Indoor ways appear with the zoom, thin and dotted; stairs are dashed. */
function paintWays(context, each, unit, zoom, colour) {
  if (zoom < 17) return;
  context.strokeStyle = colour.way;
  context.globalAlpha = Math.min(1, (zoom - 17) / 1.5);
  context.lineWidth = 1.2 * unit;
  context.setLineDash([0.5 * unit, 4 * unit]);
  each('corridor', (path) => context.stroke(path));
  context.lineWidth = Math.max(2, Math.min(7, Math.pow(2, zoom - 18.5) * 3)) * unit;
  context.lineCap = 'butt';
  context.setLineDash([1.5 * unit, 1.5 * unit]);
  ['stairs', 'escalator', 'ramp'].forEach((style) => each(style, (path) => context.stroke(path)));
  context.setLineDash([]);
  context.lineCap = 'round';
  context.globalAlpha = 1;
}
