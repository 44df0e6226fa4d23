// What the review finds in the draft: each finding a click from its place, with its cure.

import { go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query, sitePath } from '/app/service.js';
import { hasWord, t, tn } from '/app/words.js';
import { kindOfWord } from './record-kinds.js';
import { staffFault } from './staff-faults.js';

const SEVERITIES = ['error', 'warning', 'remark'];
const MOST_ROWS = 100;
const REST_MILLISECONDS = 1500;

/** The findings, worst first. */
export async function readFindings(draft) {
  const path = sitePath(draft.site.id, 'review') + query({ version: 'draft' });
  return (await ask(path)).findings;
}

/** How many there are of each severity. */
export function countsOf(findings) {
  return SEVERITIES.map((severity) => ({
    severity, count: findings.filter((one) => one.severity === severity).length,
  })).filter((one) => one.count);
}

/** The first record of a finding that can be opened here. */
function subjectOf(finding) {
  const subjects = finding.subjects || [{ kind: finding.kind, id: finding.record }];
  const found = subjects.map((one) => ({ kind: one.kind && kindOfWord(one.kind), id: one.id }))
    .filter((one) => one.kind && one.id);
  return found[0] || null;
}

async function open(app, finding) {
  const subject = subjectOf(finding);
  const place = finding.place;
  if (place && place.floor) await app.map.chooseFloor(place.floor, true);
  const hasPoint = place && typeof place.latitude === 'number';
  app.stays = Boolean(hasPoint);
  if (subject) go({ panel: null, kind: subject.kind, record: subject.id });
  if (hasPoint) app.map.showPoint([place.latitude, place.longitude]);
}

function row(app, finding) {
  const title = 'finding.' + finding.code;
  const text = finding.text || finding.words;
  const content = [
    icon(finding.severity === 'remark' ? 'information' : 'warning'),
    el('span', {}, [
      hasWord(title) ? el('strong', { text: t(title) }) : null,
      text ? el('span', { class: 'finding', lang: 'en', text }) : null,
      finding.cure ? el('small', { lang: 'en', text: finding.cure }) : null,
    ]),
  ];
  const leads = subjectOf(finding) || finding.place;
  return el('li', { class: finding.severity }, leads
    ? button(content, () => open(app, finding), { class: 'line' })
    : el('div', { class: 'line' }, content));
}

/** The findings by severity. */
export function findingList(app, findings) {
  return SEVERITIES.map((severity) => {
    const own = findings.filter((one) => one.severity === severity);
    if (!own.length) return null;
    const rows = el('ul', { class: 'rows findings' },
      own.slice(0, MOST_ROWS).map((one) => row(app, one)));
    const more = own.length > MOST_ROWS ? button(t('list.all.show'), () => {
      fill(rows, own.map((one) => row(app, one)));
      more.parentNode.removeChild(more);
    }, { class: 'link' }) : null;
    return el('section', {}, [
      el('h2', { text: tn('review.' + severity, own.length) }), rows, more,
    ]);
  });
}

/** Shows the review of the draft; it is made anew after edits. */
export async function reviewPanel(app, focus) {
  const body = el('div', {}, el('p', { class: 'quiet pad', text: t('wait.review') }));
  app.shell.set([el('h1', { text: t('panel.review') }), body], focus);
  let isOpen = true;
  let timer = 0;
  const make = async () => {
    try {
      const findings = await readFindings(app.draft);
      if (!isOpen) return;
      fill(body, findings.length ? findingList(app, findings)
        : el('p', { class: 'quiet pad', text: t('review.none') }));
    } catch (fault) {
      if (isOpen) fill(body, staffFault(fault, () => app.render(true)));
    }
  };
  app.update = (what) => {
    if (what !== 'journal') return;
    clearTimeout(timer);
    timer = setTimeout(make, REST_MILLISECONDS);
  };
  app.leave = () => {
    isOpen = false;
    clearTimeout(timer);
  };
  await make();
}
