// The differences on the map: outlines in colours, and dashes for those who can't tell the colours.

import { circleMarker, layerGroup, polygon } from '/app/leaflet.js';
import { pointOf } from './staff-map.js';

const DASHES = { added: null, changed: '10 5', removed: '2 6' };

/** Draws items with their places; gives a layer that can be removed. */
export function drawMarks(leaflet, placed) {
  return layerGroup(placed.map((one) => {
    const style = {
      className: 'mark-' + one.state, dashArray: DASHES[one.state], weight: 3,
      interactive: false,
    };
    const outline = one.place.outline || [];
    if (outline.length > 2) {
      return polygon(outline.map((corner) => [corner.latitude, corner.longitude]), style);
    }
    const point = pointOf(one.place);
    return point ? circleMarker(point, Object.assign({ radius: 9 }, style)) : null;
  }).filter(Boolean)).addTo(leaflet);
}
