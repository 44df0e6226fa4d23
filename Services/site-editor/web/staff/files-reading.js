// What the panel of files asks the service for, and what it reads in the answers.

/** The formats of exports, in the order in which they are offered. */
export const EXPORTS = [
  'osm', 'imdf', 'geojson', 'rooms', 'connections', 'access-points', 'beacons',
];

/** The formats of imports, in the order of the list. */
export const IMPORTS = [
  'osm', 'imdf', 'geojson', 'dxf', 'room-list', 'rooms', 'connections', 'access-points', 'beacons',
  'heights',
];

/** Files that say a whole site: with a choice whose changes count. */
export const WHOLE = ['osm', 'imdf', 'geojson'];

export const UNITS = [
  'millimetres', 'centimetres', 'decimetres', 'metres', 'inches', 'feet', 'yards',
];

/** What the columns of a list say, with the choice of each. */
export const COLUMNS = {
  number: 'numberColumn', name: 'nameColumn', floor: 'floorColumn', building: 'buildingColumn',
  kind: 'kindColumn',
};

/** As many bytes does the service take. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** The members of the request's address for the choices that count with this format. */
export function importMembers(format, choices) {
  const members = { format };
  const take = (names) => names.forEach((name) => {
    if (choices[name] !== undefined && choices[name] !== '' && choices[name] !== false) {
      members[name] = String(choices[name]);
    }
  });
  if (format === 'dxf') {
    take(['floor', 'unit', 'turnDegrees']);
    take(choices.middle ? ['middle'] : ['offsetX', 'offsetY']);
    if (choices.layers) members.layers = choices.layers.join(',');
  }
  if (format === 'room-list') {
    take(['floor', 'removeVanished', 'moveRooms']);
    take(Object.keys(COLUMNS).map((name) => COLUMNS[name]));
  }
  if (WHOLE.indexOf(format) >= 0 && choices.prefersFile) members.prefer = 'file';
  return members;
}

/** How many records each state has. */
export function countsOfChanges(answer) {
  const counts = { added: 0, changed: 0, removed: 0 };
  Object.keys(answer.records || {}).forEach((kind) => {
    Object.keys(counts).forEach((state) => { counts[state] += answer.records[kind][state] || 0; });
  });
  return counts;
}

/** The changes of a floor as marks of the map; without a floor those outdoors. */
export function marksOf(changes, floor) {
  return changes.filter((one) => (
    one.floors.length ? one.floors.indexOf(floor) >= 0 : !floor || one.kind === 'connection'
  )).map((one) => {
    const middle = middleOf(one);
    if (!middle) return null;
    const place = one.outline.length > 2 ? { outline: one.outline }
      : { latitude: middle[0], longitude: middle[1] };
    return { state: one.state, place };
  }).filter(Boolean);
}

/** Latitude and longitude of a change: the middle of its corners, or of its points. */
export function middleOf(change) {
  const points = change.outline.length ? change.outline : change.points;
  if (!points.length) return null;
  const sum = (name) => points.reduce((all, one) => all + one[name], 0) / points.length;
  return [sum('latitude'), sum('longitude')];
}

const FIRST_NOTES = ['appeared', 'vanished', 'moved', 'renamed'];

/** The notes by what they are about: those of lists first, then the others by their number. */
export function notesByKind(notes) {
  const kinds = new Map();
  notes.forEach((note) => {
    if (!kinds.has(note.what)) kinds.set(note.what, []);
    kinds.get(note.what).push(note);
  });
  const rank = (what) => {
    const place = FIRST_NOTES.indexOf(what);
    return place < 0 ? FIRST_NOTES.length : place;
  };
  return Array.from(kinds.keys()).sort((one, other) => (
    rank(one) - rank(other) || kinds.get(other).length - kinds.get(one).length
  )).map((what) => ({ what, notes: kinds.get(what) }));
}

/** Whether all that the file needs is chosen, and the draft stays sound. */
export function isReady(answer) {
  return answer.needs.length === 0 && (answer.faultCount || 0) === 0
    && (answer.changeCount > 0 || (answer.siteChanges || []).length > 0);
}
