// Floors by the names on their signs, told apart by building.

import { nameOf, t } from './words.js';

/** The whole name of a floor, such as Level 3. */
export function floorName(floor) {
  if (!floor) return '';
  return nameOf(floor) || t('floor.name', { level: floor.level });
}

/** The name of a building, or its address if it has no name. */
export function buildingName(building) {
  if (!building) return '';
  return nameOf(building) || building.address || '';
}

/** Floor and building in one line; the building only where there are several with floors. */
export function floorLine(site, id) {
  const floor = site.floorOf(id);
  if (!floor) return '';
  const building = site.buildingOf(floor.building);
  const name = site.storeyedBuildings().length > 1 ? buildingName(building) : '';
  return name ? t('floor.inBuilding', { floor: floorName(floor), building: name })
    : floorName(floor);
}

/** Floors from the highest down. */
export function fromTheTop(floors) {
  return floors.slice().sort((one, other) => other.ordinal - one.ordinal);
}

/** Floors in the order in which a visitor would look: the ground, then up, then down. */
export function fromTheGround(floors) {
  const rank = (floor) => (floor.ordinal >= 0 ? floor.ordinal : 100 - floor.ordinal);
  return floors.slice().sort((one, other) => rank(one) - rank(other));
}
