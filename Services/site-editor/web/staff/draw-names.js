// Names of rooms that are drawn one after the other: the next number, and what kind a name says.

import { kindName } from '/app/words.js';

/** The kinds to choose from; any other stays as it is. */
export const ROOM_KINDS = [
  'room', 'corridor', 'lobby', 'stairs', 'lift', 'toilet', 'office', 'classroom', 'auditorium',
  'exhibition', 'kitchen', 'cafe', 'shop', 'storage', 'technical',
];
// A room of these kinds is one of a row seldom: the next one is a room again.
const PASSING = ['corridor', 'lobby', 'stairs', 'lift', 'toilet'];

/** The name after one that ends in a number, with as many digits; nothing after any other. */
export function nextName(name) {
  const found = /^(.*?)(\d+)(\D?)$/.exec(name || '');
  if (!found) return '';
  const [, before, digits, after] = found;
  if (digits.length > 9) return '';
  // 9a is followed by 9b.
  if (/[a-y]/i.test(after)) return before + digits + String.fromCharCode(after.charCodeAt(0) + 1);
  if (after) return '';
  const next = String(Number(digits) + 1);
  return before + '0'.repeat(Math.max(0, digits.length - next.length)) + next;
}

/** So many names beginning with this one: 101, 102, 103. Without a number all are the same. */
export function rowOfNames(name, count) {
  const names = [name];
  while (names.length < count) names.push(nextName(names[names.length - 1]) || name);
  return names;
}

/** The kind whose word is in a name, such as a lift in “Lift 2”; null for none. */
export function kindOfName(name) {
  const plain = (text) => text.toLowerCase().replace(/[\d\s.,;:_/()-]+/g, ' ').trim();
  const words = plain(name);
  return ROOM_KINDS.slice(1).find((kind) => {
    const own = plain(kindName(kind));
    return own && (words === own || words === own + 's' || words === kind);
  }) || null;
}

/** The name of a room in a sentence: its own, else its kind. */
export function roomName(room) {
  return room.name || kindName(room.kind);
}

/** The kind with which the next room begins. */
export function nextKind(kind) {
  return PASSING.indexOf(kind) >= 0 ? 'room' : kind;
}
