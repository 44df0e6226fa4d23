// The icons of the drawing's tools: strokes on a square of 24, as the app's own.

const PATHS = {
  change: 'M6 4L18 12L12.5 13.5L9.5 19Z',
  room: 'M4 7H20V18H4ZM4 7V7.1M20 18V18.1',
  outline: 'M4 18L7 6L15 4L20 11L14 19Z',
  door: 'M4 19V17M20 19V17M4 18H8M16 18H20M8 18A8 8 0 0 1 16 10V18',
  opening: 'M3 12H8M16 12H21M8 8V16M16 8V16',
  entrance: 'M12 20V9M8 13L12 9L16 13M4 5H20',
  stairs: 'M4 19H8V15H12V11H16V7H20',
  ramp: 'M4 18H20L20 9Z',
  escalator: 'M4 18H8L16 8H20M4 14H7M14 5V5.2',
  lift: 'M6 3H18V21H6ZM9.5 10L12 7L14.5 10M9.5 14L12 17L14.5 14',
  way: 'M5 19C5 12 12 14 12 9S18 8 19 5',
  split: 'M4 6H20V18H4ZM12 3V21',
  merge: 'M4 6H10V10H14V6H20V18H14V14H10V18H4Z',
  snap: 'M7 4V12a5 5 0 0 0 10 0V4H13.5V12a1.5 1.5 0 0 1-3 0V4ZM7 7.5H10.5M13.5 7.5H17',
  plan: 'M4 5H20V19H4ZM4 12H11V5M15 19V12H20',
  turn: 'M19 12a7 7 0 1 1-2.3-5.2L19 9M19 4V9H14',
};

/** An icon for the page; screen readers pass over it. */
export function drawIcon(name) {
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
