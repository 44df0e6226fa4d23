// The site's positioner: which one is served, how those beside it compare, promote and go back.

import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, sitePath } from '/app/service.js';
import { hasWord, number, t } from '/app/words.js';
import { AdminPanel, Part, asks, choiceField, form, row, rowButton } from './admin-parts.js';
import { detail } from './staff-faults.js';
import { when } from './staff-times.js';

const MOST_HISTORY = 20;
const SHARES = ['floorHit', 'roomHit', 'within68', 'within95', 'located'];
const METRES = ['mean', 'median', 'p95'];

/** A share in percent, or a dash where there is none. */
function percent(value) {
  return value === undefined || value === null ? '–' : number(value * 100, 1) + ' %';
}

class Positioner extends AdminPanel {
  constructor(app) {
    super(app, 'positioner');
    const path = (name) => sitePath(this.site.id, 'positioner', name);
    this.path = path;
    this.present = new Part('', () => ask(sitePath(this.site.id, 'positioner')), (value) => (
      this.presentRows(value)));
    this.comparison = new Part(t('admin.positioner.compare'), () => ask(path('comparison')),
      (value) => this.figures(value));
    this.history = el('section', {});
    fill(this.body, [this.present.element, this.comparison.element, this.history]);
  }

  async show(quietly) {
    await Promise.all([this.present.show(quietly), this.comparison.show(quietly)]);
  }

  presentRows(value) {
    this.value = value;
    this.drawHistory(value);
    const place = el('div', {});
    const plain = () => fill(place, el('div', { class: 'row' }, button([
      icon('settings'), el('span', { text: t('admin.positioner.choose') }),
    ], () => this.chooseForm(place, plain), { class: 'secondary' })));
    plain();
    return [
      el('p', { class: 'quiet', text: t('admin.positioner.about') }),
      el('ul', { class: 'rows' }, [
        row('locate', value.served, [
          t('admin.positioner.served'),
          value.served === value.default ? t('admin.positioner.usual') : '',
        ]),
        value.beside.map((name) => {
          const line = row('around', name, [t('admin.positioner.beside')], [
            rowButton(t('admin.positioner.promote'), name, () => asks(line,
              t('admin.positioner.sure', { name, now: value.served }),
              t('admin.positioner.promote'), () => this.promote(name))),
          ]);
          return line;
        }),
      ]),
      place,
    ];
  }

  promote(positioner) {
    return this.run(async () => {
      await ask(this.path('promote'), { method: 'POST', body: { positioner } });
      await this.show(true);
      return t('admin.positioner.promoted', { name: positioner });
    });
  }

  chooseForm(place, plain) {
    const { allowed, served, beside } = this.value;
    const names = Array.from(new Set(allowed.concat(served, beside)));
    const options = names.map((name) => ({ value: name, text: name }));
    const none = [{ value: '', text: t('admin.positioner.none') }].concat(options);
    const first = choiceField(t('admin.positioner.served'), options, served);
    const others = [0, 1].map((at) => choiceField(t('admin.positioner.besideField', {
      number: number(at + 1),
    }), none, beside[at] || ''));
    fill(place, form([first.element, others.map((one) => one.element)],
      t('admin.positioner.save'), () => this.run(async () => {
        const wanted = others.map((one) => one.input.value)
          .filter((name, at, all) => name && name !== first.input.value
            && all.indexOf(name) === at);
        await ask(sitePath(this.site.id, 'positioner'), {
          method: 'PUT', body: { served: first.input.value, beside: wanted },
        });
        await this.show(true);
        return t('admin.positioner.saved');
      }), plain));
    first.input.focus();
  }

  // MARK: Figures

  figures(value) {
    const { comparison } = value;
    const reason = value.reason && hasWord('admin.positioner.reason.' + value.reason)
      ? t('admin.positioner.reason.' + value.reason) : '';
    const state = value.state === 'ready' ? null
      : el('p', { class: 'news', text: reason || t('admin.positioner.' + value.state) });
    if (!comparison) return [state, value.detail && !reason ? detail(value.detail) : null];
    return [
      state,
      comparison.promote ? el('p', { class: 'news good', text: t('admin.positioner.advice', {
        name: comparison.promote,
      }) }) : el('p', { class: 'quiet', text: t('admin.positioner.keep') }),
      this.table('bySurveys', comparison.bySurveys),
      this.table('byTaps', comparison.byTaps),
      el('p', { class: 'hint', text: t('admin.positioner.madeAt', {
        time: when(comparison.madeAt), version: number(comparison.radioMapVersion),
      }) }),
    ];
  }

  table(name, by) {
    if (!by) return el('p', { class: 'quiet', text: t('admin.positioner.no.' + name) });
    const names = by.positioners.map((one) => one.positioner);
    const line = (text, make) => el('tr', {}, [
      el('th', { scope: 'row', text }), by.positioners.map((one) => el('td', { text: make(one) })),
    ]);
    const difference = (one) => (one.difference ? t('admin.positioner.difference', {
      mean: number(one.difference.mean, 2), lower: number(one.difference.lower95, 2),
      upper: number(one.difference.upper95, 2),
    }) + ' · ' + t('admin.positioner.verdict.' + (one.verdict || 'undecided')) : '–');
    return [
      el('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': t(
        'admin.positioner.' + name) }, el('table', {}, [
        el('caption', { text: t('admin.positioner.' + name) + ': ' + t('admin.positioner.scans', {
          scans: number(by.scans), places: number(by.places),
        }) }),
        el('thead', {}, el('tr', {}, [
          el('td', {}), names.map((text) => el('th', { scope: 'col', text })),
        ])),
        el('tbody', {}, [
          METRES.map((key) => line(t('admin.positioner.' + key), (one) => (
            t('unit.metres', { number: number(one[key], 2) })))),
          SHARES.map((key) => line(t('admin.positioner.' + key), (one) => percent(one[key]))),
          line(t('admin.positioner.against'), difference),
        ]),
      ])),
      by.untried.map((one) => el('p', { class: 'hint' }, [
        t('admin.positioner.untried', { name: one.positioner }), detail(one.detail),
      ])),
    ];
  }

  // MARK: Former selections

  drawHistory(value) {
    const rows = value.history.slice(0, MOST_HISTORY);
    fill(this.history, [
      el('h2', { text: t('admin.positioner.history') }),
      rows.length ? el('ul', { class: 'rows' }, rows.map((one, at) => {
        const name = one.served || t('admin.positioner.default', { name: value.default });
        const line = row('clock', name, [
          one.beside.length ? t('admin.positioner.with', { names: one.beside.join(', ') }) : '',
          when(one.selectedAt) + (at ? '' : ' · ' + t('admin.positioner.now')),
        ], at ? [rowButton(t('admin.positioner.back'), name + ', ' + when(one.selectedAt),
          () => asks(line, t('admin.positioner.backSure', { name }), t('admin.positioner.back'),
            () => this.back(one.revision)))] : null);
        return line;
      })) : el('p', { class: 'quiet pad', text: t('admin.positioner.never') }),
    ]);
  }

  back(revision) {
    return this.run(async () => {
      await ask(this.path('back'), { method: 'POST', body: { revision } });
      await this.show(true);
      return t('admin.positioner.isBack');
    });
  }
}

/** Shows the positioner. */
export async function positionerPanel(app, focus) {
  const positioner = new Positioner(app);
  app.shell.set(positioner.element, focus);
  await positioner.show();
}
