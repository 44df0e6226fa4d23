// The map of surveyors: places over the draft's floor, and what a tap does.

import { address, go } from '/app/address.js';
import { onColours } from '/app/map-colours.js';
import { StaffMap } from './staff-map.js';
import { SurveyLayer } from './survey-layer.js';

const MOST_POINTS = 99;
const CLOSE_ZOOM = 20;

export class SurveyMap extends StaffMap {
  constructor(app) {
    super(app.shell, app.draft);
    this.app = app;
    this.over = new SurveyLayer();
    this.over.addTo(this.view.leaflet);
    onColours(() => app.changed('colours'));
    window.whereabouts.survey = app;
  }

  /** A tap is for the panel that asked for one; else it opens a place, or makes one. */
  tapped(tap) {
    const place = { latitude: tap.latitude, longitude: tap.longitude };
    const latlng = [tap.latitude, tap.longitude];
    const under = this.over.under(this.app.places(), latlng);
    if (this.app.tapFor) {
      this.app.tapFor(place, under);
      return;
    }
    if (!this.view.floorID || !this.app.floor) return;
    if (under) this.open(under);
    else this.open({ id: '', place });
  }

  /** Opens a place: a location by its id, any other by its point. */
  open(place) {
    go(place.id ? { panel: 'place', record: place.id, point: null } : {
      panel: 'place', record: null, point: pointText(place.place),
    });
  }

  /** Draws what the panel and the floor have. */
  draw() {
    const { app } = this;
    const { floor } = app;
    const shown = app.shown || {};
    if (!floor) {
      this.over.show({ heat: null, places: [], points: [], line: [], beacons: [], marks: [] });
      return;
    }
    const { record } = address();
    const places = app.places();
    const chosen = app.chosen || (record ? [record] : []);
    const heat = app.heat === 'none' ? null
      : Object.assign({ kind: app.heat }, floor.heat(app.heat, places));
    this.over.show({
      heat,
      places: places.map((one) => (
        chosen.indexOf(one.id) >= 0 && one.id ? Object.assign({ isChosen: true }, one) : one)),
      points: (shown.points || []).slice(0, MOST_POINTS),
      line: shown.line || [], beacons: shown.beacons || [], marks: shown.marks || [],
    });
  }

  /** Goes to a place and pins it. */
  lookAt(place, pins) {
    const point = [place.latitude, place.longitude];
    const zoom = Math.max(CLOSE_ZOOM, this.view.leaflet.getZoom());
    this.view.moved = true;
    this.view.litOrRouted = true;
    this.view.centre(point, zoom);
    this.view.pin(pins ? point : null);
  }
}

/** A point as the address has it. */
export function pointText(place) {
  return [place.latitude, place.longitude].map((degrees) => degrees.toFixed(7)).join(',');
}

/** The point of the address; null where it has none. */
export function pointOfText(text) {
  const parts = String(text || '').split(',').map(Number);
  if (parts.length !== 2 || parts.some(Number.isNaN)) return null;
  return { latitude: parts[0], longitude: parts[1] };
}
