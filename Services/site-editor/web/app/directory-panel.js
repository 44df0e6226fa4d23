// The directory by kind, and the rooms of the floor that is shown as a list: the map in words.

import { show } from './address.js';
import { button, el, fill } from './elements.js';
import { floorLine } from './floors.js';
import { icon, iconOfKind } from './icons.js';
import { tellApart } from './places.js';
import { ask, query, sitePath } from './service.js';
import { faultText, waitFor } from './waiting.js';
import { kindName, nameOf, t, tn } from './words.js';

const PAGE = 1000;
const ROWS_A_FRAME = 200;

/** Shows the directory. */
export async function showDirectory(app, focus) {
  const control = new AbortController();
  app.leave = () => control.abort();
  app.box.setText('');
  app.shell.waiting(t('wait.directory'));
  let answer;
  try {
    const path = sitePath(app.site.id, 'directory') + query({ limit: PAGE });
    answer = await waitFor('wait.directory', (signal) => ask(path, { signal }));
  } catch (fault) {
    if (control.signal.aborted) return;
    app.shell.failed(fault, () => showDirectory(app, focus));
    return;
  }
  if (control.signal.aborted) return;
  if (!answer) {
    show({});
    return;
  }
  const entries = answer.directory.map((entry) => ({
    kind: 'directory', category: entry.kind, id: entry.id, name: nameOf(entry), record: entry,
    go: () => show({ entry: entry.id }),
  }));
  const tell = (rows, changed) => tellApart(app.site, rows, changed, control.signal);
  const rooms = el('section', {});
  showRooms(app, rooms, tell);
  app.shell.set([
    app.shell.head(t('home.directory'), () => show({})),
    rooms,
    entries.length ? el('section', {}, [
      el('h2', { text: t('directory.entries') }), groups(entries, tell),
    ]) : null,
    answer.next ? el('p', { class: 'quiet', text: t('directory.more', { count: PAGE }) }) : null,
  ], focus);
  followFloor(app, control.signal, (lack) => showRooms(app, rooms, tell, lack));
}

/** Calls `draw` when the first floor is there, or with why it is not, and for each later one. */
async function followFloor(app, signal, draw) {
  const before = app.view && app.view.floorID;
  const fault = await app.firstFloor;
  if (signal.aborted) return;
  signal.addEventListener('abort', app.view.on('floor', () => draw()));
  const now = app.view.floorID;
  if (!now && app.site.floors.length) draw(fault ? faultText(fault) : t('cancelled'));
  else if (now !== before) draw();
}

/** The rooms of the floor that is shown, by kind. `lack` is said where there is none to come. */
function showRooms(app, section, tell, lack) {
  const view = app.view;
  const children = [];
  if (lack) children.push(el('p', { class: 'quiet', text: lack }));
  else if (!view || !view.floorID) {
    const waits = app.site.floors.length > 0;
    if (waits) children.push(el('p', { class: 'quiet', role: 'status', text: t('wait.floor') }));
  } else {
    const rows = roomsOfFloor(view.floorMap, view.floorID);
    const floor = floorLine(app.site, view.floorID);
    children.push(
      el('h2', { text: t('directory.floor', { floor }) }),
      rows.length ? groups(rows, tell)
        : el('p', { class: 'quiet', text: t('directory.noNames') }));
  }
  section.hidden = !children.length;
  fill(section, children);
}

/** A row for each room with a name, passages too: who can't see the map has them here alone. */
export function roomsOfFloor(floorMap, floorID) {
  const areas = floorMap ? floorMap.areas : [];
  return areas.filter((area) => area.layer === 'area' && area.name).map((room) => ({
    kind: 'room', category: room.kind, id: room.id, name: room.name, floors: [floorID],
    go: () => show({ room: room.id }),
  }));
}

/** Appends rows, some hundred a frame: a large floor has thousands. */
function append(list, rows) {
  rows.slice(0, ROWS_A_FRAME).forEach((row) => {
    const name = el('span', { text: row.name });
    row.element = button(name, row.go, { class: 'line' });
    list.appendChild(el('li', {}, row.element));
    writeWhere(row);
  });
  const rest = rows.slice(ROWS_A_FRAME);
  if (rest.length) requestAnimationFrame(() => append(list, rest));
}

/** Writes below a name where it is, if several have that name. */
function writeWhere(row) {
  if (!row.element || !row.where) return;
  const name = row.element.firstChild;
  const line = name.querySelector('small') || name.appendChild(el('small'));
  line.textContent = row.where;
}

/** Rows by kind: a kind opens with a tap. `tell` tells apart those of one name. */
function groups(rows, tell) {
  const kinds = new Map();
  rows.filter((row) => row.name).forEach((row) => {
    const name = kindName(row.category);
    if (!kinds.has(name)) kinds.set(name, []);
    kinds.get(name).push(row);
  });
  const compare = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;
  const names = Array.from(kinds.keys()).sort(compare);
  return names.map((name) => {
    const members = kinds.get(name).sort((one, other) => compare(one.name, other.name));
    const list = el('ul', { class: 'rows' });
    const details = el('details', { class: 'group' }, [
      el('summary', {}, [
        icon(iconOfKind(members[0].category, 'room')), el('span', { text: name }),
        el('small', { text: tn('directory.count', members.length) }),
      ]),
      list,
    ]);
    details.addEventListener('toggle', () => {
      if (list.firstChild) return;
      append(list, members);
      tell(members, () => members.forEach(writeWhere)).catch(() => null);
    });
    return details;
  });
}
