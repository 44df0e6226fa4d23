// The kinds of record that can be edited here, by their names in addresses, and their members.

import { kindName, nameOf, t } from '/app/words.js';
import { floorName } from '/app/floors.js';

const NAMED = ['name', 'names'];

/**
 * `members` can be edited. `word` is the kind in findings and comparisons, `layer` its areas on the
 * map, `list` the name of its list in answers.
 */
export const KINDS = {
  rooms: {
    word: 'room', list: 'rooms', layer: 'area', icon: 'room',
    members: NAMED.concat('openingHours', 'visibility', 'proposed'),
  },
  directory: {
    word: 'directory-entry', list: 'directory', icon: 'directory',
    members: NAMED.concat('openingHours', 'website', 'telephone', 'visibility'),
  },
  locations: { word: 'location', list: 'locations', icon: 'here', members: NAMED },
  floors: {
    word: 'floor', list: 'floors', icon: 'building', members: ['level', 'names', 'visibility'],
  },
  buildings: {
    word: 'building', list: 'buildings', layer: 'building', icon: 'building',
    members: NAMED.concat('address'),
  },
  connections: {
    word: 'connection', list: 'connections', icon: 'door', members: NAMED.concat('openingHours'),
  },
  zones: { word: 'zone', list: 'zones', icon: 'around', members: NAMED },
  contents: {
    word: 'content', list: 'contents', icon: 'information', members: ['title', 'titles'],
  },
  beacons: { word: 'beacon', list: 'beacons', icon: 'locate', members: ['name'] },
  scanners: { word: 'scanner', list: 'scanners', icon: 'computer', members: ['name'] },
};

/** The kinds that are read and changed, those without a form of their own too. */
export const READ_KINDS = Object.assign({
  'floor-plans': { word: 'floor-plan', list: 'floorPlans', icon: 'camera', members: [] },
}, KINDS);

/** The kind's name in addresses; null for one that is not edited here. */
export function kindOfWord(word) {
  if (word in KINDS) return word;
  return Object.keys(KINDS).find((kind) => KINDS[kind].word === word) || null;
}

/** The name of a record in the reader's language, else its kind and its id. */
export function recordName(kind, record) {
  if (!record) return '';
  if (kind === 'floors') return floorName(record);
  if (kind === 'contents') {
    return nameOf({ id: record.id, name: record.title, names: record.titles }) || record.id;
  }
  return nameOf(record) || (record.kind ? kindName(record.kind) + ' ' + record.id : record.id);
}

/** The floor of a record, or nothing: connections have the floors of their stops. */
export function floorsOf(record) {
  if (!record) return [];
  if (record.floor) return [record.floor];
  const stops = Array.isArray(record.stops) ? record.stops : [];
  return stops.map((stop) => stop.floor).filter(Boolean);
}

/** All names of a record, to search in. */
export function allNames(kind, record) {
  const further = record.names || record.titles || {};
  return [record.name, record.title, record.level, record.id]
    .concat(Object.keys(further).map((tag) => further[tag])).filter(Boolean);
}

/** The name of one kind of record, such as a room. */
export function oneOf(kind) {
  return t('record.one.' + kind);
}
