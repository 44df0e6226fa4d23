// The directory by kind, and the rooms of the floor that is shown as a list: the map in words.

import { show } from './address.js';
import { button, el } from './elements.js';
import { floorLine } from './floors.js';
import { icon, iconOfKind } from './icons.js';
import { ask, query, sitePath } from './service.js';
import { waitFor } from './waiting.js';
import { kindName, nameOf, t, tn } from './words.js';

const PAGE = 1000;
const ROWS_A_FRAME = 200;

/** Shows the directory. */
export async function showDirectory(app, focus) {
  app.box.setText('');
  app.shell.waiting(t('wait.directory'));
  let answer;
  try {
    const path = sitePath(app.site.id, 'directory') + query({ limit: PAGE });
    answer = await waitFor('wait.directory', (signal) => ask(path, { signal }));
  } catch (fault) {
    app.shell.failed(fault, () => showDirectory(app, focus));
    return;
  }
  if (!answer) {
    show({});
    return;
  }
  const entries = answer.directory.map((entry) => ({
    kind: entry.kind, name: nameOf(entry), line: '', go: () => show({ entry: entry.id }),
  }));
  app.shell.set([
    app.shell.head(t('home.directory'), () => show({})),
    roomsOfFloor(app),
    groups(entries),
    answer.next ? el('p', { class: 'quiet', text: t('directory.more', { count: PAGE }) }) : null,
  ], focus);
}

/** The rooms of the floor that is shown, by kind. */
function roomsOfFloor(app) {
  const view = app.view;
  if (!view || !view.floorMap) return null;
  const rooms = view.floorMap.areas.filter((area) => area.layer === 'area' && area.name
    && ['corridor', 'stairs', 'lift'].indexOf(area.group) < 0);
  if (!rooms.length) return null;
  const rows = rooms.map((room) => ({
    kind: room.kind, name: room.name, line: '', go: () => show({ room: room.id }),
  }));
  return el('section', {}, [
    el('h2', { text: t('directory.floor', { floor: floorLine(app.site, view.floorID) }) }),
    groups(rows),
  ]);
}

/** Appends rows, some hundred a frame: a large floor has thousands. */
function append(list, rows) {
  rows.slice(0, ROWS_A_FRAME).forEach((row) => {
    list.appendChild(el('li', {}, button(row.name, row.go, { class: 'line' })));
  });
  const rest = rows.slice(ROWS_A_FRAME);
  if (rest.length) requestAnimationFrame(() => append(list, rest));
}

/** Rows by kind: a kind opens with a tap. */
function groups(rows) {
  const kinds = new Map();
  rows.filter((row) => row.name).forEach((row) => {
    const name = kindName(row.kind);
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
        icon(iconOfKind(members[0].kind, 'room')), el('span', { text: name }),
        el('small', { text: tn('directory.count', members.length) }),
      ]),
      list,
    ]);
    details.addEventListener('toggle', () => {
      if (list.firstChild) return;
      append(list, members);
    });
    return details;
  });
}
