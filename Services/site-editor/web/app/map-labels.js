// Names and signs on the map: none lies over another, and none is smaller than 11 pixels.

import { colours } from './map-colours.js';
import { iconOfKind, iconPath } from './icons.js';
import { scaleAt } from './prepared-map.js';

const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const CELL = 64;
const BADGE = 20;
const SHIFTS = [-20, 20, -28, 28];
const MOST_STEPS = 1000;
// A building of so many pixels is named, within so many pixels or its own.
const LEAST_BUILDING = 40;
const BUILDING_NAME = [90, 30];
// A room of so many pixels has at least its number.
const LEAST_NUMBERED = 24;
// How much larger names are for who wants them so.
const LARGER = 1.4;

// The widths of names by their font; measured again where a session sees more than these. Sizes go
// by the zoom, which has any value.
const MOST_WIDTHS = 5000;
const MOST_FONTS = 6;
const widths = new Map();
const ruler = document.createElement('canvas').getContext('2d');

function widthOf(text, font) {
  if (!widths.has(font)) {
    if (widths.size >= MOST_FONTS) widths.clear();
    widths.set(font, new Map());
  }
  const known = widths.get(font);
  if (!known.has(text)) {
    if (known.size >= MOST_WIDTHS) known.clear();
    ruler.font = font;
    known.set(text, ruler.measureText(text).width);
  }
  return known.get(text);
}

/**
 * The labels of maps at a zoom, in pixels of the world; places don't change while one pans.
 * `avoided` are lines over the map, with points in metres of the world and a width in pixels. A
 * name that one would cover stands above or below it, or not at all. `names` are `usual`, `larger`
 * or `none`; the lit record has its name in any case.
 */
export function placeLabels(layers, zoom, litKey, avoided, names) {
  const scale = scaleAt(zoom);
  const wishes = [];
  layers.forEach((layer) => layer.map.records.forEach((record) => {
    const wish = wishOf(record, scale, zoom, layer, litKey, names);
    if (wish) wishes.push(wish);
  }));
  wishes.sort((one, other) => other.priority - one.priority);
  const grid = new Map();
  const placed = [];
  avoided.forEach((line) => markLine(grid, line, scale));
  wishes.forEach((wish) => {
    const moves = avoided.length || wish.quiet;
    const choices = [wish].concat(wish.narrow || [], moves ? besides(wish) : []);
    const choice = choices.find((one) => isFree(grid, one.box));
    if (!choice) return;
    mark(grid, choice.box);
    placed.push(choice);
  });
  return placed;
}

/** The same name a little higher or lower, where it still lies in its room. */
function besides(wish) {
  return SHIFTS.filter((shift) => Math.abs(shift) <= (wish.slack || 0)).map((shift) => {
    const [left, top, right, bottom] = wish.box;
    return Object.assign({}, wish, {
      y: wish.y + shift, box: [left, top + shift, right, bottom + shift],
    });
  });
}

function markLine(grid, line, scale) {
  const points = line.points.map((point) => [point[0] * scale, point[1] * scale]);
  points.forEach((point, index) => {
    const next = points[index + 1] || point;
    const length = Math.hypot(next[0] - point[0], next[1] - point[1]);
    const steps = Math.min(MOST_STEPS, Math.ceil(length / line.width));
    for (let step = 0; step <= steps; step += 1) {
      const share = steps ? step / steps : 0;
      mark(grid, around(point[0] + share * (next[0] - point[0]),
        point[1] + share * (next[1] - point[1]), line.width, line.width));
    }
  });
}

function wishOf(record, scale, zoom, layer, litKey, names) {
  const key = record.layer + '/' + record.id;
  const lit = key === litKey;
  const width = (record.box[2] - record.box[0]) * scale;
  const height = (record.box[3] - record.box[1]) * scale;
  const x = (record.label[0] + layer.map.origin[0]) * scale;
  const y = (record.label[1] + layer.map.origin[1]) * scale;
  const sign = signOf(record);
  if (sign && !lit) {
    if (zoom < (sign.main ? 16.8 : 18.2)) return null;
    const size = Math.min(width, height);
    if (record.area && size < 9) return null;
    const badge = { key, icon: sign.icon, x, y, priority: sign.main ? 3e5 : 2e5, lit };
    badge.box = around(x, y, BADGE, BADGE);
    return badge;
  }
  if (!record.name || (names === 'none' && !lit)) return null;
  const times = names === 'larger' ? LARGER : 1;
  if (record.layer === 'building') {
    return buildingWish(record, key, x, y, width, height, zoom, layer, 12 * times);
  }
  const size = Math.max(11, Math.min(14, 11 + (zoom - 18.5) * 1.2)) * times;
  const font = (lit ? 600 : 500) + ' ' + (lit ? Math.max(13, size) : size) + 'px ' + FAMILY;
  const inside = lit ? width : insideWidth(record, width, height, scale);
  const whole = textWish(record, key, x, y, inside, height, { font, size, lit, layer });
  if (whole || inside < LEAST_NUMBERED) return whole;
  const least = 11 * times;
  const small = { font: '500 ' + least + 'px ' + FAMILY, size: least, lit, layer, margin: 2 };
  return textWish(numberOf(record), key, x, y, inside, height, small);
}

/** The pixels across a room: of a deep one that lies aslant its box is wider than itself. */
function insideWidth(record, width, height, scale) {
  if (!record.area || height <= width) return width;
  return Math.min(width, (1.05 * record.area * scale * scale) / height);
}

/** A room with its number alone, as on its door: of many small rooms nothing else fits. */
function numberOf(record) {
  const words = record.name.split(' ');
  const ends = [words[words.length - 1], words[0]];
  const number = words.length > 1 && ends.find((word) => /\d/.test(word) && word.length < 10);
  return Object.assign({}, record, { name: number || '' });
}

function signOf(record) {
  const main = { toilet: 1, lift: 1, stairs: 1, escalator: 1, entrance: 1, 'platform-lift': 1 };
  const group = record.group;
  if (group in main) {
    const name = iconOfKind(group, iconOfKind(record.kind, 'door'));
    return { icon: name, main: group === 'toilet' || group === 'lift' || group === 'entrance' };
  }
  return null;
}

/** A building's name, with another form of it where that does not fit. */
function buildingWish(record, key, x, y, width, height, zoom, layer, size) {
  if (layer.hiddenBuildings && layer.hiddenBuildings.has(record.id)) return null;
  if (zoom < 14 || Math.max(width, height) < LEAST_BUILDING) return null;
  const font = '600 ' + size + 'px ' + FAMILY;
  const options = { font, size, lit: false, layer, quiet: true };
  const most = Math.max(width * 1.4, BUILDING_NAME[0]);
  const tallest = Math.max(height * 1.6, BUILDING_NAME[1]);
  const wish = textWish(record, key, x, y, most, tallest, options);
  // Beside the sign of a door there is often room for a name in two lines.
  const longest = Math.max(...record.name.split(' ').map((word) => widthOf(word, font)));
  if (!wish) return null;
  wish.slack = Math.max(wish.slack, ...SHIFTS);
  if (wish.lines.length === 1) {
    wish.narrow = textWish(record, key, x, y, longest + 5, tallest, options);
  }
  return wish;
}

function textWish(record, key, x, y, width, height, options) {
  const lines = linesOf(record.name, options.font, Math.max(width - 4, 0), options.lit);
  if (!record.name || !lines) return null;
  const lineHeight = Math.round(options.size * 1.2);
  const textHeight = lines.length * lineHeight;
  if (!options.lit && textHeight > height + 4) return null;
  const textWidth = Math.max(...lines.map((text) => widthOf(text, options.font)));
  // Rooms of the same size differ by rounding. Of those the first of the map is the first here.
  const area = Math.min(1e5, Number(record.area.toPrecision(2)));
  const priority = (options.lit ? 1e9 : 0) + area + (options.quiet ? 5e4 : 0);
  return {
    key, lines, font: options.font, size: options.size, lineHeight, x, y, priority,
    lit: options.lit, quiet: options.quiet === true, group: record.group,
    slack: options.lit ? Infinity : (height - textHeight) / 2,
    box: around(x, y, textWidth + (options.margin || 6), textHeight + 4),
  };
}

/** The lines of a name within a width: one, or two or three at its spaces; null if none fits. */
function linesOf(name, font, width, lit) {
  const text = name.length > 60 ? name.slice(0, 59) + '…' : name;
  if (lit || widthOf(text, font) <= width) return [text];
  const words = text.split(' ');
  const lines = [];
  words.forEach((word) => {
    const last = lines.length - 1;
    const longer = last >= 0 ? lines[last] + ' ' + word : word;
    if (last >= 0 && widthOf(longer, font) <= width) lines[last] = longer;
    else lines.push(word);
  });
  if (lines.length > 3 || lines.some((one) => widthOf(one, font) > width)) return null;
  return lines;
}

function around(x, y, width, height) {
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
}

function cells(box, run) {
  for (let i = Math.floor(box[0] / CELL); i <= Math.floor(box[2] / CELL); i += 1) {
    for (let j = Math.floor(box[1] / CELL); j <= Math.floor(box[3] / CELL); j += 1) {
      run(i + ',' + j);
    }
  }
}

function isFree(grid, box) {
  let free = true;
  cells(box, (key) => {
    const others = grid.get(key);
    if (free && others) free = !others.some((other) => overlap(box, other));
  });
  return free;
}

function overlap(one, other) {
  return one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];
}

function mark(grid, box) {
  cells(box, (key) => {
    if (!grid.has(key)) grid.set(key, []);
    grid.get(key).push(box);
  });
}

/** Draws the placed labels that are seen; gives those, for tests. */
export function paintLabels(context, labels, view) {
  const colour = colours();
  const ratio = view.ratio;
  const seen = labels.filter((label) => overlap(label.box, [
    view.left, view.top, view.left + view.width, view.top + view.height,
  ]));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  seen.forEach((label) => {
    // A canvas counts in 32-bit floats: pixels of the world are too many for it.
    const x = label.x - view.left;
    const y = label.y - view.top;
    if (label.icon) paintBadge(context, label, colour, x, y);
    else paintText(context, label, colour, x, y);
  });
  return seen;
}

function paintBadge(context, label, colour, x, y) {
  context.beginPath();
  context.arc(x, y, BADGE / 2 - 1, 0, Math.PI * 2);
  context.fillStyle = colour.badge;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = colour.badgeEdge;
  context.stroke();
  context.save();
  context.translate(x - 7, y - 7);
  context.scale(14 / 24, 14 / 24);
  context.lineWidth = 2.2;
  context.lineCap = 'round';
  context.strokeStyle = colour.sign;
  context.stroke(iconPath(label.icon));
  context.restore();
}

function paintText(context, label, colour, x, y) {
  context.font = label.font;
  context.lineWidth = 3;
  context.strokeStyle = colour.halo;
  context.fillStyle = label.lit ? colour.lit : label.quiet ? colour.quiet : colour.text;
  const top = y - ((label.lines.length - 1) * label.lineHeight) / 2;
  label.lines.forEach((text, index) => {
    const line = top + index * label.lineHeight;
    context.strokeText(text, x, line);
    context.fillText(text, x, line);
  });
}
