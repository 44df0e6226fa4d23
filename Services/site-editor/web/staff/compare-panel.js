// The draft beside what is published: what was added, changed and removed, listed and on the map.

import { go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { hasWord, t, tn } from '/app/words.js';
import { drawMarks } from './comparison-marks.js';
import { readComparison, readPlaces, readRecords } from './comparison.js';
import { oneOf } from './record-kinds.js';
import { staffFault } from './staff-faults.js';

const STATES = ['added', 'changed', 'removed'];
const MOST_ROWS = 200;
const REST_MILLISECONDS = 800;

function fieldName(name) {
  return hasWord('field.' + name) ? t('field.' + name) : name;
}

function row(app, item) {
  const line = [
    item.kind ? oneOf(item.kind) : item.word,
    item.floors.length ? floorLine(app.draft.site, item.floors[0]) : '',
    item.fields.map(fieldName).join(', '),
  ].filter(Boolean).join(' · ');
  const content = [
    el('span', { class: 'state-' + item.state, 'aria-hidden': 'true',
      text: t('compare.sign.' + item.state) }),
    el('span', {}, [el('strong', { text: item.name }), el('small', { text: line })]),
  ];
  if (!item.kind || !item.record) return el('li', {}, el('div', { class: 'line' }, content));
  return el('li', {}, button(content, () => {
    if (item.state === 'removed') app.map.showRecord(item.kind, item.record).catch(() => null);
    else go({ panel: null, kind: item.kind, record: item.id });
  }, { class: 'line' }));
}

function listOf(app, items) {
  return STATES.map((state) => {
    const own = items.filter((one) => one.state === state);
    if (!own.length) return null;
    return el('section', {}, [
      el('h2', { text: tn('compare.' + state, own.length) }),
      el('ul', { class: 'rows' }, own.slice(0, MOST_ROWS).map((one) => row(app, one))),
      own.length > MOST_ROWS
        ? el('p', { class: 'quiet', text: t('compare.cut', { count: MOST_ROWS }) }) : null,
    ]);
  });
}

/** Shows the comparison; it is made anew after each edit. */
export async function comparePanel(app, focus) {
  const { draft, map } = app;
  const body = el('div', {}, el('p', { class: 'quiet pad', text: t('wait.compare') }));
  app.shell.set([el('h1', { text: t('panel.compare') }), body], focus);
  let marks = null;
  let items = [];
  let isOpen = true;
  let timer = 0;
  const unmark = () => {
    if (marks) marks.remove();
    marks = null;
  };
  const mark = async () => {
    const floor = map.view.floorID;
    const placed = await readPlaces(draft, items, floor);
    if (!isOpen || map.view.floorID !== floor) return;
    unmark();
    marks = drawMarks(map.view.leaflet, placed);
  };
  const make = async () => {
    try {
      const comparison = await readComparison(draft);
      await readRecords(draft, comparison.items);
      if (!isOpen) return;
      items = comparison.items;
      fill(body, [
        comparison.isSame ? el('p', { class: 'quiet pad', text: t('compare.same') }) : null,
        comparison.site.length ? el('p', { class: 'quiet', text: t('compare.site', {
          fields: comparison.site.map(fieldName).join(', '),
        }) }) : null,
        listOf(app, items),
      ]);
      await mark();
    } catch (fault) {
      if (isOpen) fill(body, staffFault(fault, () => app.render(true)));
    }
  };
  const stop = map.view.on('floor', () => mark().catch(() => null));
  app.update = (what) => {
    if (what !== 'journal') return;
    clearTimeout(timer);
    timer = setTimeout(make, REST_MILLISECONDS);
  };
  app.leave = () => {
    isOpen = false;
    clearTimeout(timer);
    stop();
    unmark();
  };
  await make();
}
