// A QR code as a picture of the page: dark on white in any theme, with the quiet edge of four.

import { el } from './elements.js';
import { qrCode } from './qr-code.js';
import { t } from './words.js';

const SPACE = 'http://www.w3.org/2000/svg';
const EDGE = 4;

/**
 * A section that hands an address over to a telephone; null if the address is too long.
 * `title` and `about` are its words; without them those of a route.
 */
export function handOver(address, title, about) {
  const rows = qrCode(address);
  if (!rows) return null;
  const name = title || t('handOver');
  const size = rows.length + 2 * EDGE;
  const picture = document.createElementNS(SPACE, 'svg');
  picture.setAttribute('viewBox', '0 0 ' + size + ' ' + size);
  picture.setAttribute('class', 'qr');
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', name);
  picture.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(SPACE, 'path');
  path.setAttribute('d', rows.map((row, y) => row.map((dark, x) => (
    dark ? 'M' + (x + EDGE) + ' ' + (y + EDGE) + 'h1v1h-1z' : '')).join('')).join(''));
  picture.appendChild(path);
  return el('section', { class: 'hand-over' }, [
    picture, el('div', {}, [
      el('h2', { text: name }),
      el('p', { class: 'quiet', text: about || t('handOver.about') }),
    ]),
  ]);
}
