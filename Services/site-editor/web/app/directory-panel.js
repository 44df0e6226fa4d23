// The directory by kind, and the rooms of the floor that is shown as a list: the map in words.

import { show } from './address.js';
import { button, el } from './elements.js';
import { floorLine } from './floors.js';
import { icon, iconOfKind } from './icons.js';
import { tellApart } from './places.js';
import { ask, query, sitePath } from './service.js';
import { waitFor } from './waiting.js';
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
  app.shell.set([
    app.shell.head(t('home.directory'), () => show({})),
    roomsOfFloor(app, tell),
    groups(entries, tell),
    answer.next ? el('p', { class: 'quiet', text: t('directory.more', { count: PAGE }) }) : null,
  ], focus);
}

/** The rooms of the floor that is shown, by kind. */
function roomsOfFloor(app, tell) {
  const view = app.view;
  if (!view || !view.floorMap) return null;
  const rooms = view.floorMap.areas.filter((area) => area.layer === 'area' && area.name
    && ['corridor', 'stairs', 'lift'].indexOf(area.group) < 0);
  if (!rooms.length) return null;
  const floors = [view.floorID];
  const rows = rooms.map((room) => ({
    kind: 'room', category: room.kind, id: room.id, name: room.name, floors,
    go: () => show({ room: room.id }),
  }));
  return el('section', {}, [
    el('h2', { text: t('directory.floor', { floor: floorLine(app.site, view.floorID) }) }),
    groups(rows, tell),
  ]);
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
