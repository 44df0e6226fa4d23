// What an import would do: in words, as a list whose rows lead to their places, and what the review
// would find.

import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { hasWord, t, tn } from '/app/words.js';
import { countsOfChanges, middleOf, notesByKind } from './files-reading.js';
import { kindOfWord, oneOf } from './record-kinds.js';
import { detail } from './staff-faults.js';

const STATES = ['added', 'changed', 'removed'];
const MOST_ROWS = 100;

/** Shows a place on the map, on its floor. */
async function show(app, floor, point) {
  if (floor) await app.map.chooseFloor(floor, true);
  if (point) app.map.showPoint(point);
}

function fieldName(name) {
  return hasWord('field.' + name) ? t('field.' + name) : name;
}

/** A list of which the first rows are shown, with a button for the others. */
function rowsOf(items, row, attributes) {
  const list = el('ul', attributes, items.slice(0, MOST_ROWS).map(row));
  if (items.length <= MOST_ROWS) return list;
  const more = button(t('list.all.show'), () => {
    fill(list, items.map(row));
    more.parentNode.removeChild(more);
  }, { class: 'link' });
  return [list, more];
}

function changeRow(app, change) {
  const kind = kindOfWord(change.kind);
  const line = [
    kind ? oneOf(kind) : change.kind,
    change.floors.length ? floorLine(app.draft.site, change.floors[0]) : '',
    change.fields.map(fieldName).join(', '),
  ].filter(Boolean).join(' · ');
  const content = [
    el('span', { class: 'state-' + change.state, 'aria-hidden': 'true',
      text: t('compare.sign.' + change.state) }),
    el('span', {}, [el('strong', { text: change.name || change.id }), el('small', { text: line })]),
  ];
  const point = middleOf(change);
  if (!point && !change.floors.length) {
    return el('li', {}, el('div', { class: 'line' }, content));
  }
  return el('li', {}, button(content, () => show(app, change.floors[0], point), { class: 'line' }));
}

function changeLists(app, answer) {
  const counts = countsOfChanges(answer);
  return STATES.filter((state) => counts[state]).map((state) => {
    const own = answer.changes.filter((one) => one.state === state);
    return el('section', {}, [
      el('h2', { text: tn('compare.' + state, counts[state]) }),
      rowsOf(own, (one) => changeRow(app, one), { class: 'rows' }),
      own.length < counts[state]
        ? el('p', { class: 'quiet', text: t('compare.cut', { count: own.length }) }) : null,
    ]);
  });
}

function noteLists(answer) {
  return notesByKind(answer.notes || []).map((group) => el('details', { class: 'files-notes' }, [
    el('summary', { text: hasWord('files.note.' + group.what)
      ? tn('files.note.' + group.what, group.notes.length)
      : tn('files.notes', group.notes.length, { what: group.what }) }),
    rowsOf(group.notes, (note) => el('li', {}, [
      el('strong', { text: note.id }), el('span', { lang: 'en', text: ' ' + note.detail }),
    ]), {}),
  ]));
}

function conflictList(answer) {
  if (!answer.conflictCount) return null;
  return el('details', { class: 'files-notes' }, [
    el('summary', { text: tn('files.conflicts', answer.conflictCount) }),
    rowsOf(answer.conflicts, (one) => el('li', {}, [
      el('strong', { text: one.id }),
      el('span', { text: one.field ? ' · ' + fieldName(one.field) : '' }),
      one.inFile ? el('small', { text: t('files.conflict.sides', {
        file: one.inFile, draft: one.kept || '–',
      }) }) : null,
    ]), {}),
  ]);
}

function findingRow(app, finding) {
  const title = 'finding.' + finding.code;
  const { place } = finding;
  const content = [
    icon(finding.severity === 'remark' ? 'information' : 'warning'),
    el('span', {}, [
      hasWord(title) ? el('strong', { text: t(title) }) : null,
      el('span', { class: 'finding', lang: 'en', text: finding.text }),
      finding.cure ? el('small', { lang: 'en', text: finding.cure }) : null,
    ]),
  ];
  return el('li', { class: finding.severity }, place
    ? button(content, () => show(app, place.floor, [place.latitude, place.longitude]),
      { class: 'line' })
    : el('div', { class: 'line' }, content));
}

function findingSection(app, answer) {
  if (!answer.findingCount) return el('p', { class: 'quiet', text: t('files.findings.none') });
  return el('section', {}, [
    el('h2', { text: tn('files.findings', answer.findingCount) }),
    rowsOf(answer.findings, (one) => findingRow(app, one), { class: 'rows findings' }),
  ]);
}

/** The sentence that says what the import would change. */
export function summary(answer) {
  const counts = countsOfChanges(answer);
  const parts = STATES.filter((state) => counts[state])
    .map((state) => tn('compare.' + state, counts[state]));
  return parts.length ? t('files.would', { changes: parts.join(', ') }) : t('files.same');
}

/** The preview of an answer. */
export function previewElement(app, answer) {
  if (answer.needs.length) {
    const needs = answer.needs.map((need) => t('files.need.' + need));
    return el('p', { class: 'news', text: needs.join(' ') });
  }
  return el('div', {}, [
    el('p', { class: 'files-summary', text: summary(answer) }),
    answer.faultCount ? el('div', { class: 'news bad' }, [
      el('p', { text: tn('files.faults', answer.faultCount) }), answer.faults.map(detail),
    ]) : null,
    noteLists(answer), conflictList(answer), findingSection(app, answer), changeLists(app, answer),
  ]);
}
