// The dot: an honest radius around it; it glides to a new place and never jumps within a floor.

import { circle, divIcon, marker } from './leaflet.js';
import { el } from './elements.js';

const GLIDE_MILLISECONDS = 900;
const FAR_METRES = 80;

export class PositionDot {
  /** `look` is a further class, for a dot that is not the reader's own. */
  constructor(view, look) {
    this.view = view;
    this.look = look ? ' ' + look : '';
    this.position = null;
    view.on('floor', () => this.draw());
  }

  /** Shows a position, or none. */
  show(position) {
    const before = this.at;
    this.position = position && position.latitude !== undefined && position.state !== 'lost'
      ? position : null;
    if (!this.position) {
      this.remove();
      this.at = null;
      return;
    }
    const target = [position.latitude, position.longitude];
    const far = !before || this.view.leaflet.distance(before, target) > FAR_METRES;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (far || still || this.floor !== position.floor) {
      this.floor = position.floor;
      this.at = target;
      this.draw();
    } else this.glide(before, target);
  }

  glide(from, target) {
    cancelAnimationFrame(this.frame);
    const begin = performance.now();
    const step = (now) => {
      const share = Math.min(1, (now - begin) / GLIDE_MILLISECONDS);
      const eased = 1 - Math.pow(1 - share, 3);
      this.at = [
        from[0] + (target[0] - from[0]) * eased, from[1] + (target[1] - from[1]) * eased,
      ];
      this.draw();
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  draw() {
    if (!this.position || !this.at) return;
    const floor = this.position.floor;
    const shown = !floor || floor === this.view.floorID;
    const sure = this.position.state === 'located';
    const name = 'dot' + this.look + (shown ? '' : ' other') + (sure ? '' : ' unsure');
    if (!this.marker || this.name !== name) {
      this.remove();
      this.name = name;
      const icon = divIcon({ className: name, html: el('span'), iconSize: [22, 22] });
      this.marker = marker(this.at, {
        icon, interactive: false, keyboard: false, zIndexOffset: 500,
      });
      this.circle = circle(this.at, {
        radius: this.position.radius || 5, interactive: false, weight: 1,
        className: 'dot-radius' + this.look + (sure ? '' : ' unsure'),
      });
      if (shown) this.circle.addTo(this.view.leaflet);
      this.marker.addTo(this.view.leaflet);
    }
    this.marker.setLatLng(this.at);
    this.circle.setLatLng(this.at);
    this.circle.setRadius(this.position.radius || 5);
  }

  remove() {
    cancelAnimationFrame(this.frame);
    if (this.marker) this.marker.remove();
    if (this.circle) this.circle.remove();
    this.marker = null;
    this.circle = null;
  }
}
