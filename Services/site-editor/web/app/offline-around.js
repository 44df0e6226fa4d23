// The rooms of a kept map: their outlines, and those around a place.

import { bearing, metresBetween, nearestOn, placeOf } from './measuring.js';

/** The rooms of a kept map of a floor: record and outline, as places. */
export function roomsOf(map) {
  return map.features.filter((one) => one.properties.layer === 'area').map((one) => ({
    id: one.properties.id, name: one.properties.name, kind: one.properties.kind,
    outline: one.geometry.coordinates[0].map(placeOf),
  }));
}

/** The edges of an outline, each with its two ends. */
function edges(outline) {
  return outline.map((end, index) => [outline[(index || outline.length) - 1], end])
    .filter((pair) => metresBetween(pair[0], pair[1]) > 0.01);
}

/** Whether a place is within an outline. */
export function isWithin(outline, place) {
  let inside = false;
  edges(outline).forEach((pair) => {
    const [one, other] = pair;
    const crosses = (one.latitude > place.latitude) !== (other.latitude > place.latitude);
    if (!crosses) return;
    const share = (place.latitude - one.latitude) / (other.latitude - one.latitude);
    if (place.longitude < one.longitude + share * (other.longitude - one.longitude)) {
      inside = !inside;
    }
  });
  return inside;
}

function nearestEdge(outline, place) {
  let best = null;
  edges(outline).forEach((pair) => {
    const near = nearestOn(pair[0], pair[1], place);
    if (!best || near.metresOff < best.metresOff) best = Object.assign(near, { pair });
  });
  return best;
}

/** The direction into a room at the place of its wall that is nearest; null without a wall. */
export function inwardDegrees(outline, place) {
  const near = nearestEdge(outline, place);
  if (!near) return null;
  const [from, to] = near.pair;
  const along = bearing(from, to);
  let sum = 0;
  outline.forEach((end, index) => {
    const start = outline[(index || outline.length) - 1];
    sum += (end.longitude - start.longitude) * (end.latitude + start.latitude);
  });
  // Clockwise outlines have the room on the right.
  return (along + (sum > 0 ? 90 : 270)) % 360;
}

/** Rooms around a place as the service's guidance has them: nearest first. */
export function cardsAround(rooms, place, options) {
  return rooms.map((room) => {
    const near = nearestEdge(room.outline, place);
    const middle = { latitude: 0, longitude: 0 };
    const corners = room.outline.slice(1);
    corners.forEach((one) => {
      middle.latitude += one.latitude / corners.length;
      middle.longitude += one.longitude / corners.length;
    });
    return {
      room: room.id, name: room.name, kind: room.kind,
      distanceMetres: !near || isWithin(room.outline, place) ? 0 : near.metresOff,
      bearingDegrees: bearing(place, middle),
    };
  }).filter((card) => card.distanceMetres <= options.within)
    .sort((one, other) => one.distanceMetres - other.distanceMetres).slice(0, options.most);
}
