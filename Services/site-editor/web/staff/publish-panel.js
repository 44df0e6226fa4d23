// Publishing: what it changes, what the review finds, to testers or to everyone, and old versions.

import { go } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query, sitePath } from '/app/service.js';
import { number, t, tn } from '/app/words.js';
import { readComparison } from './comparison.js';
import { countsOf, readFindings } from './review-panel.js';
import { staffFault } from './staff-faults.js';
import { when } from './staff-times.js';

const MOST_VERSIONS = 20;

class Publishing {
  constructor(app) {
    this.app = app;
    this.told = el('div', { tabindex: '-1' });
    this.state = el('div', {}, el('p', { class: 'quiet pad', text: t('wait.compare') }));
    this.actions = el('div', { class: 'publishing' });
    this.versions = el('section', {});
    this.element = [
      el('h1', { text: t('panel.publish') }), this.told, this.state, this.actions, this.versions,
    ];
  }

  async read() {
    const { draft } = this.app;
    try {
      const [comparison, findings, list] = await Promise.all([
        readComparison(draft), readFindings(draft), this.readVersions(),
      ]);
      this.comparison = comparison;
      this.findings = findings;
      this.list = list.versions;
    } catch (fault) {
      fill(this.state, staffFault(fault, () => this.read()));
      return;
    }
    this.draw();
  }

  readVersions() {
    return ask(sitePath(this.app.draft.site.id, 'versions') + query({ limit: MOST_VERSIONS }));
  }

  draw() {
    const { comparison, findings } = this;
    const count = (state) => comparison.items.filter((one) => one.state === state).length;
    const changes = ['added', 'changed', 'removed'].filter(count)
      .map((state) => tn('compare.' + state, count(state)));
    if (comparison.site.length) changes.push(t('publish.site'));
    const worst = countsOf(findings).map((one) => tn('review.' + one.severity, one.count));
    fill(this.state, [
      el('p', { text: comparison.isSame ? t('compare.same')
        : t('publish.changes', { changes: changes.join(', ') }) }),
      el('div', { class: 'row' }, [
        comparison.isSame ? null : button([icon('swap'), el('span', { text: t('publish.look') })],
          () => go({ panel: 'compare' }), { class: 'secondary' }),
        button([icon('warning'), el('span', { text: findings.length
          ? t('publish.findings', { findings: worst.join(', ') }) : t('review.none') })],
        () => go({ panel: 'review' }), { class: 'secondary' }),
      ]),
    ]);
    this.drawActions();
    this.drawVersions();
  }

  drawActions() {
    const { queue } = this.app.draft;
    const open = queue.waiting().length + queue.refused().length;
    const errors = this.findings.some((one) => one.severity === 'error');
    if (open) {
      fill(this.actions, el('p', { class: 'news', text: tn('publish.waits', open) }));
      return;
    }
    fill(this.actions, [
      errors ? el('p', { class: 'news', text: t('publish.errors') }) : null,
      el('div', { class: 'row' }, [
        button([icon('person'), el('span', { text: t('publish.test') })],
          () => this.confirm('test'), { class: 'secondary' }),
        button([icon('share'), el('span', { text: t('publish.everyone') })],
          () => this.confirm('everyone'), { class: 'primary' }),
      ]),
    ]);
  }

  /** Asks once more: everybody sees what follows. */
  confirm(audience) {
    const yes = button([icon('share'), el('span', { text: t('publish.yes.' + audience) })],
      () => this.publish(audience), { class: 'primary' });
    const heading = el('p', { text: t('publish.sure.' + audience), tabindex: '-1' });
    const label = t('publish.sure');
    fill(this.actions, el('div', { class: 'sure', role: 'group', 'aria-label': label }, [
      heading,
      el('div', { class: 'row' }, [
        yes, button(t('cancel'), () => this.drawActions(), { class: 'secondary' }),
      ]),
    ]));
    heading.focus();
  }

  async publish(audience) {
    const { draft } = this.app;
    const headers = { 'if-match': '"draft-' + draft.revision + '"' };
    fill(this.actions, el('p', { class: 'quiet', text: t('wait.publish') }));
    try {
      const answer = await ask(sitePath(draft.site.id, 'publish'), {
        method: 'POST', headers, body: { audience },
      });
      this.tell(t('publish.done.' + audience, { version: number(answer.version || 0) }));
    } catch (fault) {
      this.failed(fault);
    }
    await this.read();
  }

  drawVersions() {
    const newest = this.list.length ? this.list[0].version : 0;
    fill(this.versions, [
      el('h2', { text: t('versions') }),
      el('ul', { class: 'rows' }, this.list.map((one) => this.versionRow(one, newest))),
    ]);
  }

  versionRow(one, newest) {
    const name = t('versions.one', { number: number(one.version) });
    const line = [when(one.publishedAt), one.version === newest ? t('versions.now') : '']
      .filter(Boolean).join(' · ');
    const row = el('li', { class: 'version' });
    const plain = () => fill(row, [
      el('div', { class: 'line' }, [
        icon('clock'),
        el('span', {}, [el('strong', { text: name }), el('small', { text: line })]),
      ]),
      one.version === newest ? null : button(t('versions.restore'), () => asks(), {
        class: 'secondary', 'aria-label': t('versions.restore') + ': ' + name,
      }),
    ]);
    const asks = () => {
      const heading = el('p', { tabindex: '-1', text: t('versions.sure', { name }) });
      fill(row, el('div', { class: 'sure', role: 'group', 'aria-label': name }, [
        heading, el('div', { class: 'row' }, [
          button(t('versions.yes'), () => this.restore(one.version, newest), { class: 'primary' }),
          button(t('cancel'), plain, { class: 'secondary' }),
        ]),
      ]));
      heading.focus();
    };
    plain();
    return row;
  }

  async restore(version, newest) {
    try {
      const path = sitePath(this.app.draft.site.id, 'versions', version, 'restore');
      const answer = await ask(path, {
        method: 'POST', headers: { 'if-match': '"' + newest + '"' }, body: {},
      });
      this.tell(t('versions.done', { number: number(answer.version) }));
    } catch (fault) {
      this.failed(fault);
    }
    await this.read();
  }

  tell(text) {
    fill(this.told, el('p', { class: 'news good', text }));
    this.told.focus();
    say(text, true);
  }

  failed(fault) {
    fill(this.told, staffFault(fault));
    this.told.focus();
  }
}

/** Shows what a publication changes, and the versions. */
export async function publishPanel(app, focus) {
  const publishing = new Publishing(app);
  app.shell.set(publishing.element, focus);
  let count = -1;
  app.update = (what) => {
    const { queue } = app.draft;
    const open = queue.waiting().length + queue.refused().length;
    if (what === 'queue' && publishing.list && open !== count) publishing.drawActions();
    count = open;
    if (what === 'journal' && publishing.list) publishing.read();
  };
  await publishing.read();
}
