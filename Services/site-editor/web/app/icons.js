// Our own icons: strokes on a square of 24, drawn as SVG in the page and as a path on the map.

const PATHS = {
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.3 15.3L20 20',
  close: 'M6 6L18 18M18 6L6 18',
  back: 'M14.5 5L7.5 12L14.5 19',
  next: 'M9.5 5L16.5 12L9.5 19',
  up: 'M5 15L12 8L19 15',
  down: 'M5 9L12 16L19 9',
  plus: 'M12 5V19M5 12H19',
  minus: 'M5 12H19',
  locate: 'M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10M12 2V6M12 18V22M2 12H6M18 12H22',
  way: 'M6 20V14a4 4 0 0 1 4-4H18M13.5 5.5L18 10L13.5 14.5',
  here: 'M12 21C8 16.5 6 13.2 6 10a6 6 0 1 1 12 0C18 13.2 16 16.5 12 21M12 8'
    + 'a2 2 0 1 0 0 4a2 2 0 1 0 0-4',
  share: 'M12 15V4M8 7.5L12 3.5L16 7.5M6 11H5V20H19V11H18',
  print: 'M7 9V4H17V9M7 17H4V9H20V17H17M7 14H17V20H7Z',
  copy: 'M9 9H19V20H9ZM15 9V4H5V15H9',
  clock: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 8V12L15 14',
  room: 'M5 20V4H19V20ZM14 12V13.5',
  door: 'M7 20V4H17V20M4 20H20M14 11.5V13',
  building: 'M5 20V5H14V20M14 10H19V20M3 20H21M8 9H11M8 13H11',
  directory: 'M9 6H20M9 12H20M9 18H20M4.5 6H5M4.5 12H5M4.5 18H5',
  toilet: 'M7.5 4.2a1.3 1.3 0 1 0 0 2.6a1.3 1.3 0 1 0 0-2.6M5.4 10H9.6V15H8.7V20'
    + 'H6.3V15H5.4ZM12.2 4V20M16.8 4.2'
    + 'a1.3 1.3 0 1 0 0 2.6a1.3 1.3 0 1 0 0-2.6M16.8 9.6L19.4 15.6H14.2ZM16.8 15.6V20',
  stairs: 'M4 19H8V15H12V11H16V7H20',
  escalator: 'M4 18H8L16 8H20M4 14H7M14 5V5.2',
  lift: 'M6 3H18V21H6ZM9.5 10L12 7L14.5 10M9.5 14L12 17L14.5 14',
  ramp: 'M4 18H20L20 9Z',
  food: 'M8 4V20M5.5 4V8.5a2.5 2.5 0 0 0 5 0V4M16.5 20V4C14.5 5 14 8 14 12H16.5',
  cup: 'M5 8H16V14a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4ZM16 10H18a2 2 0 0 1 0 5H16M4 21H17',
  shop: 'M5 9H19L18 20H6ZM9 9a3 3 0 0 1 6 0',
  information: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 11V16M12 8V8.2',
  lock: 'M6 11H18V20H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0V11',
  wheels: 'M10 4V4.2M10 8V13H15L17.5 18H19.5M8 11.2a4.8 4.8 0 1 0 6 6',
  walk: 'M13 4V4.2M12.5 8L10 13L13 16L12.5 21M10 13L8 20M12.5 8L16 11.5M12.5 8L8.5 10.5',
  telephone: 'M6 4H10L11.5 8.5L9.5 10a10 10 0 0 0 4.5 4.5L15.5 12.5'
    + 'L20 14V18a2 2 0 0 1-2 2C11 20 4 13 4 6a2 2 0 0 1 2-2',
  warning: 'M12 4L21 19.5H3ZM12 10V14M12 16.8V17',
  barrier: 'M3 9H21V14H3ZM7 14V20M17 14V20M7 9V6M17 9V6M8 14L12 9M14 14L18 9',
  keep: 'M12 4V15M8 11.5L12 15.5L16 11.5M5 20H19',
  person: 'M12 4a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7M5 20C5 16 8 14 12 14C16 14 19 16 19 20',
  computer: 'M4 5H20V16H4ZM9 20H15M12 16V20',
  swap: 'M8 5V18M5 15L8 18.5L11 15M16 19V6M13 9L16 5.5L19 9',
  settings: 'M4 8H13M17 8H20M15 6V10M4 16H7M11 16H20M9 14V18',
  ear: 'M7.5 13a5.5 5.5 0 1 1 9.6 1.2C15.6 16 15 16.6 15 18a3 3 0 0 1-5.6 1.4'
    + 'M10 11a2.5 2.5 0 1 1 4 1.6C13 13.4 12.6 13.8 12.6 14.6',
  camera: 'M4 8H8L9.5 5.5H14.5L16 8H20V19H4ZM12 10a3.3 3.3 0 1 0 0 6.6a3.3 3.3 0 1 0 0-6.6',
  compass: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M15 9L13.2 13.2L9 15L10.8 10.8Z',
  repeat: 'M19 12a7 7 0 1 1-2.3-5.2L19 9M19 4V9H14',
  around: 'M12 10.5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M12 3V6M12 18V21M3 12H6M18 12H21'
    + 'M5.6 5.6L7.8 7.8M16.2 16.2L18.4 18.4M18.4 5.6L16.2 7.8M7.8 16.2L5.6 18.4',
  website: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M4 12H20M12 4C8.5 8 8.5 16 12 20'
    + 'C15.5 16 15.5 8 12 4',
};

const BY_KIND = {
  toilet: 'toilet', toilets: 'toilet', restroom: 'toilet', 'restroom.male': 'toilet',
  'restroom.female': 'toilet', 'restroom.unisex': 'toilet', stairs: 'stairs', lift: 'lift',
  elevator: 'lift', 'platform-lift': 'lift', escalator: 'escalator', ramp: 'ramp', door: 'door',
  entrance: 'door', cafe: 'cup', coffee: 'cup', 'foodservice.coffee': 'cup', restaurant: 'food',
  fast_food: 'food', foodservice: 'food', bar: 'cup', pub: 'cup', kitchen: 'food', shop: 'shop',
  convenience: 'shop', souvenirs: 'shop', information: 'information', building: 'building',
  department: 'directory', service: 'information', office: 'person', directory: 'directory',
  administration: 'person', floor: 'building', zone: 'room',
};

/** The name of the icon for a kind of thing, or `otherwise`. */
export function iconOfKind(kind, otherwise) {
  return Object.prototype.hasOwnProperty.call(BY_KIND, kind) ? BY_KIND[kind] : otherwise;
}

/** An icon for the page; screen readers pass over it. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', PATHS[name] || PATHS.room);
  svg.appendChild(path);
  return svg;
}

const drawn = new Map();

/** The path of an icon for a canvas, in a square of 24. */
export function iconPath(name) {
  if (!drawn.has(name)) drawn.set(name, new Path2D(PATHS[name] || PATHS.room));
  return drawn.get(name);
}
