// The site's own health: the services, how far each is behind, and what was set aside.

import { address, go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query } from '/app/service.js';
import { hasWord, number, t, tn } from '/app/words.js';
import { letterPath, readable } from './admin-figures.js';
import { AdminPanel, Part, asks, row } from './admin-parts.js';
import { detail } from './staff-faults.js';
import { when } from './staff-times.js';

const RENEW_MILLISECONDS = 15000;
const PAGE = 50;
/** A consumer that is so far behind makes positions late. */
const MUCH_LAG = 10000;
const MOST_CHARACTERS = 20000;

/** The reason in the reader's words, else the service's code. */
export function reasonOf(code) {
  return hasWord('admin.letter.code.' + code) ? t('admin.letter.code.' + code) : code;
}

class Health extends AdminPanel {
  constructor(app) {
    super(app, 'health');
    this.services = new Part(t('admin.services'), () => ask('/v1/services'), (value) => (
      this.serviceRows(value.services)));
    this.letters = this.letterPart(t('admin.letters'), this.site.id);
    this.others = app.rights.all ? this.letterPart(t('admin.letters.noSite'), null) : null;
    fill(this.body, [
      this.services.element, this.letters.element, this.others ? this.others.element : null,
    ]);
  }

  async show() {
    await Promise.all([
      this.services.show(), this.letters.show(), this.others ? this.others.show() : null,
    ]);
  }

  serviceRows(services) {
    return el('ul', { class: 'rows' }, services.map((one) => {
      const behind = one.lag.filter((lag) => lag.records > 0)
        .sort((a, b) => b.records - a.records);
      const state = !one.isUp ? 'admin.service.away' : one.isReady ? 'admin.service.ready'
        : 'admin.service.starting';
      const isWell = one.isUp && one.isReady && !one.failing.length
        && behind.every((lag) => lag.records < MUCH_LAG);
      return row(isWell ? 'information' : 'warning', one.service, [
        [t(state), one.version ? t('admin.service.version', { version: one.version }) : '']
          .filter(Boolean).join(' · '),
        one.failing.length ? t('admin.service.failing', { work: one.failing.join(', ') }) : '',
        ...(behind.length ? behind.map((lag) => tn('admin.service.lag', lag.records, {
          name: lag.group, topic: lag.topic.replace(/^whereabouts\./, ''),
        })) : [one.isUp ? t('admin.service.current') : '']),
      ]);
    }));
  }

  letterPart(title, site) {
    const read = (after) => ask('/v1/dead-letters' + query({ site, limit: PAGE, after }));
    const part = new Part(title, () => read(), (value) => this.letterRows(part, value, read));
    return part;
  }

  letterRows(part, value, read) {
    const { letters } = value;
    if (!letters.length) return el('p', { class: 'quiet pad', text: t('admin.letters.none') });
    return [
      el('p', { class: 'hint', text: t('admin.letters.about') }),
      el('ul', { class: 'rows' }, letters.map((one) => row(one.putBackAt ? 'keep' : 'warning',
        reasonOf(one.code), [
          [one.consumer, when(one.at)].filter(Boolean).join(' · '), one.id,
          one.putBackAt ? t('admin.letter.putBack', { time: when(one.putBackAt) }) : '',
          one.wasPutBack ? t('admin.letter.again') : '',
        ], null, () => go({ kind: 'letter', record: one.id })))),
      value.next ? button(t('list.more'), async () => {
        const more = await read(value.next);
        part.value = { letters: letters.concat(more.letters), next: more.next };
        part.redraw();
      }, { class: 'link' }) : null,
    ];
  }
}

/** What is inside one record, and putting it back. */
class Letter extends AdminPanel {
  constructor(app, id) {
    super(app, 'health');
    this.id = id;
    this.content = new Part('', () => ask(letterPath(id)), (value) => this.draw(value.letters));
    this.actions = el('div', {});
    this.element = [
      app.shell.head(t('admin.letter'), () => go({ kind: null, record: null }), id),
      this.told, this.content.element, this.actions,
    ];
  }

  draw(letters) {
    this.drawActions(letters);
    return letters.map((one) => el('section', {}, [
      el('h2', { text: one.consumer || t('admin.letter') }),
      el('p', {}, el('strong', { text: reasonOf(one.code) })),
      detail(one.detail),
      this.members(one),
      this.record(one),
    ]));
  }

  members(one) {
    const headers = one.headers || {};
    const rows = [
      [t('admin.letter.at'), when(one.at)],
      [t('admin.letter.came'), one.appendedAt ? when(one.appendedAt) : ''],
      [t('admin.letter.site'), one.site || t('admin.letter.noSite')],
      [t('admin.letter.bytes'), number(one.bytes)],
      [t('admin.letter.key'), one.key],
    ].concat(Object.keys(headers).map((name) => [name, headers[name]]));
    return el('dl', { class: 'members' }, rows.filter((pair) => pair[1]).map((pair) => [
      el('dt', { text: pair[0] }), el('dd', { text: String(pair[1]).slice(0, 2000) }),
    ]));
  }

  record(one) {
    if (one.valueBase64) {
      return [el('p', { class: 'hint', text: t('admin.letter.binary') }), el('pre', {
        class: 'inside', tabindex: '0', text: one.valueBase64.slice(0, MOST_CHARACTERS),
      })];
    }
    if (!one.value) return el('p', { class: 'quiet', text: t('admin.letter.empty') });
    const shown = readable(one.value);
    return [
      el('pre', { class: 'inside', tabindex: '0', 'aria-label': t('admin.letter.inside'),
        text: shown.text }),
      one.isShortened || shown.isCut ? el('p', { class: 'hint', text: t('admin.letter.cut') })
        : null,
    ];
  }

  drawActions(letters) {
    const isWhole = letters.every((one) => one.isWhole);
    const isBack = letters.every((one) => one.putBackAt);
    fill(this.actions, [
      el('p', { class: 'hint', text: t(isWhole ? 'admin.letter.mend' : 'admin.letter.part') }),
      isWhole ? el('div', { class: 'row' }, button([
        icon('repeat'), el('span', { text: t('admin.letter.apply') }),
      ], () => asks(this.actions, t(isBack ? 'admin.letter.backSure' : 'admin.letter.sure'),
        t('admin.letter.apply'), () => this.apply()), { class: 'primary' })) : null,
    ]);
  }

  async apply() {
    let details = [];
    const done = await this.run(async () => {
      const answer = await ask(letterPath(this.id) + '/apply', { method: 'POST' });
      details = answer.outcomes.filter((one) => one.detail).map((one) => detail(one.detail));
      return answer.outcomes.map((one) => one.consumer + ': '
        + t('admin.letter.outcome.' + one.outcome)).join(' · ');
    });
    if (!done) return;
    details.forEach((one) => this.told.appendChild(one));
    await this.content.show(true);
  }
}

/** Shows the health, or one letter. */
export async function healthPanel(app, focus) {
  const { kind, record } = address();
  if (kind === 'letter' && record) {
    const letter = new Letter(app, record);
    app.shell.set(letter.element, focus);
    await letter.content.show();
    return;
  }
  const health = new Health(app);
  app.shell.set(health.element, focus);
  const timer = setInterval(() => {
    if (!document.hidden) health.services.show(true);
  }, RENEW_MILLISECONDS);
  app.leave = () => clearInterval(timer);
  await health.show();
}
