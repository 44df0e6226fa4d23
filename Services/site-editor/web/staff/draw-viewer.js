// A plan in the place of the map, to press points on it: moved like a map, turned by a button.

import { CRS, Map as LeafletMap, divIcon, latLngBounds, marker } from '/app/leaflet.js';
import { el } from '/app/elements.js';
import { t } from '/app/words.js';
import { turnedPixel, unturnedPixel } from './draw-alignment.js';
import { PlanLayer } from './draw-layer.js';

export class DrawViewer {
  /** `picture` has address and size; `pressed(column, row)` is called for each point. */
  constructor(page, picture, pressed) {
    this.page = page;
    this.picture = picture;
    this.pressed = pressed;
    this.quarters = 0;
    this.marks = [];
    this.pane = el('div', {
      class: 'draw-viewer-map', role: 'region', tabindex: '0', dir: 'ltr',
      'aria-label': t('draw.viewer'),
    });
    this.hint = el('p', { class: 'draw-note', role: 'note' });
    this.element = el('div', { class: 'draw-viewer' }, [this.hint, this.pane,
      el('span', { class: 'draw-aim', 'aria-hidden': 'true' })]);
    this.pane.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.target !== this.pane) return;
      event.preventDefault();
      this.press(this.leaflet.getCenter());
    });
  }

  /** Shows it; the first time it fits the picture. */
  show(text) {
    this.hint.textContent = text;
    if (this.element.parentNode) return;
    this.page.appendChild(this.element);
    if (this.leaflet) return;
    this.leaflet = new LeafletMap(this.pane, {
      crs: CRS.Simple, zoomControl: false, attributionControl: false, zoomSnap: 0.25,
      minZoom: -8, maxZoom: 5, keyboardPanDelta: 60, tap: false,
    });
    this.leaflet.doubleClickZoom.disable();
    this.leaflet.on('click', (event) => this.press(event.latlng));
    const [wide, high] = this.picture.size;
    this.leaflet.setView([-high / 2, wide / 2], 0, { animate: false });
    this.layer = new PlanLayer(this.picture.address, this.picture.size,
      (column, row) => this.placeOf(column, row));
    this.layer.fade(1);
    this.layer.addTo(this.leaflet);
    this.fit();
  }

  hide() {
    if (this.element.parentNode) this.page.removeChild(this.element);
  }

  stop() {
    this.hide();
    if (this.leaflet) this.leaflet.remove();
    this.leaflet = null;
  }

  get isShown() {
    return this.element.parentNode !== null;
  }

  placeOf(column, row) {
    const at = turnedPixel(column, row, this.picture.size, this.quarters);
    return [-at[1], at[0]];
  }

  fit() {
    const [wide, high] = this.picture.size;
    this.leaflet.fitBounds(latLngBounds([this.placeOf(0, 0), this.placeOf(wide, high)]), {
      animate: false, padding: [12, 12],
    });
  }

  /** A quarter turn to the right. */
  turn() {
    this.quarters = (this.quarters + 1) % 4;
    if (!this.leaflet) return;
    const [wide, high] = this.picture.size;
    const corner = [this.placeOf(0, 0), this.placeOf(wide, high)];
    this.leaflet.setView([(corner[0][0] + corner[1][0]) / 2, (corner[0][1] + corner[1][1]) / 2],
      this.leaflet.getZoom(), { animate: false });
    this.layer.move((column, row) => this.placeOf(column, row));
    this.fit();
    this.drawMarks();
  }

  press(place) {
    const [column, row] = unturnedPixel(place.lng, -place.lat, this.picture.size, this.quarters);
    const [wide, high] = this.picture.size;
    // Beside the picture there is nothing to press.
    if (column < 0 || row < 0 || column > wide || row > high) return;
    this.pressed(Math.round(column * 10) / 10, Math.round(row * 10) / 10);
  }

  /** Shows numbered points: each has column and row. */
  mark(points) {
    this.points = points;
    this.drawMarks();
  }

  drawMarks() {
    this.marks.forEach((one) => one.remove());
    if (!this.leaflet) return;
    this.marks = (this.points || []).map((point, i) => {
      const sign = divIcon({
        className: 'draw-mark', html: el('span', { text: String(i + 1) }), iconSize: [26, 26],
      });
      const one = marker(this.placeOf(point.column, point.row), {
        icon: sign, interactive: false, keyboard: false,
      });
      one.addTo(this.leaflet);
      return one;
    });
  }
}
