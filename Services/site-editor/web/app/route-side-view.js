// The route from the side: how far along, and on which floor.

import { el } from './elements.js';
import { floorName } from './floors.js';
import { t } from './words.js';

const SPACE = 'http://www.w3.org/2000/svg';
const WIDTH = 320;
const ROW = 30;

function svg(tag, attributes, text) {
  const element = document.createElementNS(SPACE, tag);
  Object.keys(attributes).forEach((name) => element.setAttribute(name, attributes[name]));
  if (text) element.textContent = text;
  return element;
}

/** The picture, or null for a route on one floor. */
export function sideView(app, route) {
  const floors = floorsOf(app.site, route);
  if (floors.length < 2) return null;
  const left = 92;
  const height = floors.length * ROW + 10;
  const total = Math.max(1, route.legs.reduce((sum, leg) => sum + leg.distanceMetres, 0));
  const y = (id) => floors.findIndex((floor) => floor.id === id) * ROW + ROW / 2 + 5;
  const picture = svg('svg', {
    viewBox: '0 0 ' + WIDTH + ' ' + height, class: 'side-view', role: 'img',
    'aria-label': t('sideView.label', { floors: floors.map((floor) => floor.name).join(', ') }),
  });
  floors.forEach((floor) => {
    picture.appendChild(svg('line', {
      x1: left, x2: WIDTH - 6, y1: y(floor.id) + 9, y2: y(floor.id) + 9, class: 'side-floor',
    }));
    picture.appendChild(svg('text', { x: 4, y: y(floor.id) + 5 }, shorten(floor.name)));
  });
  let along = 0;
  const points = [];
  route.legs.forEach((leg) => {
    const begin = leg.startFloor || '';
    const end = leg.endFloor || '';
    points.push([along, begin]);
    along += leg.distanceMetres;
    points.push([along, end]);
  });
  const text = points.map((point) => {
    const x = left + 6 + (point[0] / total) * (WIDTH - left - 20);
    return x.toFixed(1) + ',' + y(point[1]).toFixed(1);
  }).join(' ');
  picture.appendChild(svg('polyline', { points: text, class: 'side-way' }));
  const ends = text.split(' ').map((pair) => pair.split(','));
  [[ends[0], 'side-start'], [ends[ends.length - 1], 'side-end']].forEach((one) => {
    picture.appendChild(svg('circle', { cx: one[0][0], cy: one[0][1], r: 5, class: one[1] }));
  });
  return el('section', {}, [el('h2', { text: t('sideView') }), picture]);
}

function shorten(name) {
  return name.length > 12 ? name.slice(0, 11) + '…' : name;
}

/** The floors that the route touches, from the top down; outdoors is at the ground. */
function floorsOf(site, route) {
  const seen = new Map();
  route.legs.forEach((leg) => [leg.startFloor, leg.endFloor].forEach((id) => {
    const floor = id ? site.floorOf(id) : null;
    const name = floor ? floorName(floor) : t('outdoors');
    seen.set(id || '', { id: id || '', name, ordinal: floor ? floor.ordinal : -0.1 });
  }));
  return Array.from(seen.values()).sort((one, other) => other.ordinal - one.ordinal);
}
