// The route over the plan: full on the floor that is shown, faint on others.

import { divIcon, layerGroup, marker, polyline } from './leaflet.js';
import { el } from './elements.js';
import { toWorld } from './prepared-map.js';

export class RouteLine {
  constructor(view, route) {
    this.view = view;
    view.shownLine = this;
    this.route = route;
    this.group = layerGroup().addTo(view.leaflet);
    this.parts = partsOf(route);
    this.stopListening = view.on('floor', () => this.draw());
    this.draw();
  }

  remove() {
    this.removed = true;
    this.stopListening();
    if (this.view.shownLine === this) {
      this.view.shownLine = null;
      this.view.layer.avoid([]);
    }
    this.group.remove();
    if (this.stepMarker) this.stepMarker.remove();
  }

  draw() {
    if (this.removed) return;
    this.group.clearLayers();
    const here = (part) => !part.floor || part.floor === this.view.floorID;
    this.parts.filter((part) => !here(part)).forEach((part) => this.add(part, 'route-other', 4));
    this.parts.filter(here).forEach((part) => this.add(part, 'route-case', 9));
    this.parts.filter(here).forEach((part) => this.add(part, 'route-line', 5));
    const first = this.parts[0];
    const last = this.parts[this.parts.length - 1];
    this.view.layer.avoid(this.parts.filter(here).map((part) => ({
      points: worldOf(part.points), width: 12,
    })).concat([first && here(first) ? first.points[0] : null,
      last && here(last) ? last.points[last.points.length - 1] : null].filter(Boolean)
      .map((point) => ({ points: worldOf([point]), width: 24 }))));
    if (first) this.mark(first.points[0], 'route-start', here(first));
    if (last) this.mark(last.points[last.points.length - 1], 'route-end', here(last));
  }

  add(part, name, weight) {
    polyline(part.points, {
      className: name, weight, interactive: false, lineJoin: 'round', lineCap: 'round',
      smoothFactor: 0.5,
    }).addTo(this.group);
  }

  mark(place, name, shown) {
    const icon = divIcon({ className: 'pin ' + name + (shown ? '' : ' faint'), html: el('span'),
      iconSize: [22, 22] });
    marker(place, { icon, interactive: false, keyboard: false }).addTo(this.group);
  }

  /** Fits the parts on the floor that is shown, or the whole. */
  fit(animate) {
    const floor = this.route.instructions[0] && this.route.instructions[0].floor;
    const own = this.parts.filter((part) => part.floor === floor || !floor);
    const points = [].concat(...(own.length ? own : this.parts).map((part) => part.points));
    if (points.length) this.view.fit(points, animate !== false, 20);
  }

  /** Shows a step's place; `chosen` moves the map there. */
  lightStep(step, chosen) {
    const place = [step.latitude, step.longitude];
    if (this.stepMarker) this.stepMarker.remove();
    const icon = divIcon({ className: 'pin route-step', html: el('span'), iconSize: [18, 18] });
    this.stepMarker = marker(place, { icon, interactive: false, keyboard: false });
    this.stepMarker.addTo(this.view.leaflet);
    if (chosen) this.view.centre(place, Math.max(this.view.leaflet.getZoom(), 19));
  }
}

function worldOf(points) {
  return points.map((point) => toWorld(point[0], point[1]));
}

/** The lines of a route, one for each stretch on a floor. */
function partsOf(route) {
  const parts = [];
  route.legs.forEach((leg) => leg.paths.forEach((path) => {
    const points = path.wgs84.map((point) => [point[1], point[0]]);
    const floor = path.floor || null;
    const last = parts[parts.length - 1];
    if (last && last.floor === floor) last.points.push(...points);
    else parts.push({ floor, points });
  }));
  return parts.filter((part) => part.points.length);
}
