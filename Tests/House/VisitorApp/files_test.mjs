// The panel of files: what it asks for, and how it reads the answers.
//
// `node files_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import path from 'path';

const folder = process.argv[2];
const {
  countsOfChanges, importMembers, isReady, marksOf, middleOf, notesByKind,
} = await import(path.join(folder, 'files-reading.js'));

// Only the choices of the format are sent, and nothing that is empty or off.
const choices = {
  floor: 'ground', unit: '', layers: ['WALLS', 'NAMES'], offsetX: '3', offsetY: 0,
  turnDegrees: '90', removeVanished: false, moveRooms: true, numberColumn: 'Nr', kindColumn: '',
  prefersFile: true,
};
assert.deepStrictEqual(importMembers('dxf', choices), {
  format: 'dxf', floor: 'ground', turnDegrees: '90', offsetX: '3', offsetY: '0',
  layers: 'WALLS,NAMES',
});
const middle = importMembers('dxf', Object.assign({ middle: '51,0' }, choices));
assert.strictEqual(middle.middle, '51,0');
assert.strictEqual('offsetX' in middle, false);
assert.deepStrictEqual(importMembers('room-list', choices), {
  format: 'room-list', floor: 'ground', moveRooms: 'true', numberColumn: 'Nr',
});
assert.deepStrictEqual(importMembers('osm', choices), { format: 'osm', prefer: 'file' });
assert.deepStrictEqual(importMembers('rooms', choices), { format: 'rooms' });
assert.deepStrictEqual(importMembers('auto', {}), { format: 'auto' });

// An import can be applied when nothing is missing, nothing breaks, and something changes.
const answer = {
  needs: [], faultCount: 0, changeCount: 3, siteChanges: [],
  records: { room: { added: 2, changed: 0, removed: 1 }, site: { added: 0, changed: 1, removed: 0 } },
};
assert.deepStrictEqual(countsOfChanges(answer), { added: 2, changed: 1, removed: 1 });
assert.strictEqual(isReady(answer), true);
[{ needs: ['unit'] }, { faultCount: 1 }, { changeCount: 0 }].forEach((other) => {
  assert.strictEqual(isReady(Object.assign({}, answer, other)), false);
});
assert.strictEqual(isReady(Object.assign({}, answer, {
  changeCount: 0, siteChanges: ['name'],
})), true);

// The marks of a floor: outlines as areas, ways as points; others are on their own floors.
const corner = (latitude, longitude) => ({ latitude, longitude });
const room = {
  state: 'added', kind: 'room', floors: ['a'], points: [],
  outline: [corner(0, 0), corner(0, 2), corner(2, 2), corner(2, 0)],
};
const stairs = {
  state: 'removed', kind: 'connection', floors: ['a', 'b'], outline: [],
  points: [corner(1, 1), corner(3, 3)],
};
const path2 = { state: 'changed', kind: 'connection', floors: [], outline: [], points: [corner(5, 5)] };
const entry = { state: 'added', kind: 'directory-entry', floors: [], outline: [], points: [] };
const all = [room, stairs, path2, entry];
assert.deepStrictEqual(marksOf(all, 'a').map((one) => one.state), ['added', 'removed', 'changed']);
assert.deepStrictEqual(marksOf(all, 'b').map((one) => one.state), ['removed', 'changed']);
assert.deepStrictEqual(marksOf(all, 'a')[0].place.outline.length, 4);
assert.deepStrictEqual(marksOf(all, 'a')[1].place, { latitude: 2, longitude: 2 });
assert.deepStrictEqual(middleOf(room), [1, 1]);
assert.strictEqual(middleOf(entry), null);

// What people decide about comes first.
const notes = ['renamed', 'tail', 'vanished', 'tail', 'odd', 'appeared', 'tail', 'odd']
  .map((what, number) => ({ what, id: String(number) }));
assert.deepStrictEqual(notesByKind(notes).map((one) => [one.what, one.notes.length]), [
  ['appeared', 1], ['vanished', 1], ['renamed', 1], ['tail', 3], ['odd', 2],
]);
