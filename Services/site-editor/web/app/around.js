// The rooms around a place, as the service's guidance knows them, and how they are told.

import { clockHour, compassPoint, sideWord } from './route-track.js';
import { isAway, roomsWithoutService } from './offline.js';
import { ask } from './service.js';
import { currentLanguage, distance, kindName, t } from './words.js';

/** The rooms of the floor around a place: room, name, kind, metres and direction, nearest first. */
export async function roomsAround(site, place, options) {
  const floor = site.floorOf(place.floor);
  const position = { latitude: place.latitude, longitude: place.longitude };
  if (floor) position.level = floor.level;
  try {
    const answer = await ask('/v1/guidance', {
      method: 'POST', signal: options.signal, body: {
        site: site.id, position, language: currentLanguage(), mostCards: options.most,
        cardsWithinMetres: options.within,
      },
    });
    return answer.cards;
  } catch (fault) {
    const cards = isAway(fault) && await roomsWithoutService(site, place, options);
    if (cards) return cards;
    throw fault;
  }
}

/** The name of a room that is around; a corridor without a name is told by its kind. */
export function cardName(card) {
  return card.name && card.name !== card.room ? card.name : kindName(card.kind || 'room');
}

/** Where something is for somebody who looks along `heading`; by the compass without one. */
export function directionText(heading, bearing, turns) {
  if (heading === null || heading === undefined) return t('direction.' + compassPoint(bearing));
  if (turns === 'clock') return t('ear.atHour', { hour: clockHour(heading, bearing) });
  return t('direction.' + sideWord(heading, bearing));
}

/** All of them in one text to be heard. */
export function aroundText(cards, heading, turns) {
  if (!cards.length) return t('ear.nothingAround');
  return cards.map((card) => {
    const inside = card.distanceMetres < 1;
    return t(inside ? 'ear.aroundHere' : 'ear.aroundOne', {
      name: cardName(card), distance: distance(card.distanceMetres),
      direction: directionText(heading, card.bearingDegrees, turns),
    });
  }).join(' ');
}
