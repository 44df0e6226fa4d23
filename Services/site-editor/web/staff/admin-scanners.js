// Scanners and how they do, codes by which new ones are enrolled, and the batteries of beacons.

import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { ask, query, sitePath } from '/app/service.js';
import { number, t, tn } from '/app/words.js';
import { isSilent, rateOf } from './admin-figures.js';
import {
  AdminPanel, Missing, Part, allPages, asks, bounded, choiceField, form, row, rowButton, secret,
  textField,
} from './admin-parts.js';
import { readTokens, withdrawToken } from './admin-tokens.js';
import { detail } from './staff-faults.js';
import { pointOf } from './staff-map.js';
import { when } from './staff-times.js';

const MOST_SCANNERS = 2000;
const PAGE = 1000;
const FIRST_ROWS = 50;
const RENEW_MILLISECONDS = 60000;
const LOW_PERCENT = 20;
const IDENTIFIER = /^[A-Za-z0-9._-]{1,64}$/;
const LOSSES = ['dropped', 'notKept', 'damagedBytes', 'badLines', 'lateAnswers'];

/** What a scanner has lost, in words; empty if nothing. */
function losses(health) {
  const lost = LOSSES.filter((name) => health[name]).map((name) => (
    t('admin.scanner.' + name, { count: number(health[name]) })));
  const refused = health.refused || {};
  return lost.concat(Object.keys(refused).map((code) => t('admin.scanner.refused', {
    count: number(refused[code]), code,
  })));
}

class Scanners extends AdminPanel {
  constructor(app) {
    super(app, 'scanners');
    this.before = new Map();
    this.code = el('div', {});
    this.list = new Part(t('admin.scanners.list'), () => this.read(), (found) => this.rows(found));
    this.batteries = new Part(t('admin.batteries'), () => allPages((after) => (
      ask(sitePath(this.site.id, 'beacon-batteries') + query({ limit: PAGE, after }))),
    'batteries', PAGE), (found) => this.batteryRows(found));
    fill(this.body, [this.code, this.list.element, this.batteries.element]);
    this.codeButton();
  }

  async read() {
    const found = await allPages((after) => (
      ask(sitePath(this.site.id, 'enrolled-scanners') + query({ limit: PAGE, after }))),
    'scanners', MOST_SCANNERS);
    this.rates = new Map(found.rows.map((one) => [one.scanner,
      rateOf(this.before.get(one.scanner), one.health)]));
    found.rows.forEach((one) => {
      const known = this.before.get(one.scanner);
      if (one.health && (!known || known.at !== one.health.at)) {
        this.before.set(one.scanner, one.health);
      }
    });
    return found;
  }

  codeButton() {
    fill(this.code, el('div', { class: 'row' }, button([
      icon('plus'), el('span', { text: t('admin.enrol') }),
    ], () => this.codeForm(), { class: 'primary' })));
  }

  codeForm() {
    const name = textField(t('admin.enrol.name'), { maxlength: 64, spellcheck: 'false' },
      t('admin.tokens.deviceHint'));
    const role = choiceField(t('admin.role'), ['scanner', 'device'].map((value) => ({
      value, text: t('admin.role.' + value),
    })), 'scanner');
    const note = textField(t('admin.tokens.note'), { maxlength: 200 });
    fill(this.code, form([
      el('h2', { text: t('admin.enrol') }), name.element, role.element, note.element,
    ], t('admin.enrol.make'), () => this.run(async () => {
      const scanner = name.input.value.trim();
      if (!IDENTIFIER.test(scanner)) {
        name.input.focus();
        throw new Missing(t('admin.tokens.deviceHint'));
      }
      const made = await ask(sitePath(this.site.id, 'enrolment-codes'), {
        method: 'POST',
        body: { scanner, role: role.input.value, note: note.input.value.trim() },
      });
      const command = ['scanner', 'enrol', location.origin, made.code].join(' ');
      fill(this.code, [
        secret(made.code, t('admin.enrol.code', { name: scanner }), t('admin.enrol.hint')),
        el('p', { class: 'hint', text: t('admin.enrol.command') }),
        el('code', { class: 'command', text: command }),
        el('div', { class: 'row' }, button(t('admin.secret.done'), () => this.codeButton(), {
          class: 'secondary',
        })),
      ]);
      return t('admin.enrol.done');
    }), () => this.codeButton()));
    name.input.focus();
  }

  rows(found) {
    if (!found.rows.length) return el('p', { class: 'quiet pad', text: t('admin.scanners.none') });
    const now = Date.now();
    const silent = found.rows.filter((one) => isSilent(one.health, now)).length;
    const shown = bounded(found.rows, this.all ? found.rows.length : FIRST_ROWS, () => {
      this.all = true;
      this.list.redraw();
    });
    return [
      silent ? el('p', { class: 'news bad', text: tn('admin.scanners.silent', silent) }) : null,
      el('ul', { class: 'rows' }, shown.map((one) => (one instanceof Node ? one
        : this.row(one, now)))),
      found.more ? el('p', { class: 'quiet', text: t('admin.list.cut') }) : null,
    ];
  }

  row(one, now) {
    const health = one.health || {};
    const name = one.scanner;
    const rate = this.rates.get(name);
    const waiting = (health.waitingScans || 0) + (health.waitingSurveys || 0)
      + (health.waitingSightings || 0);
    const lines = [
      health.at ? t('admin.scanner.heard', { time: when(health.at) }) : t('admin.scanner.never'),
      [
        rate === null || rate === undefined ? '' : t('admin.scanner.rate', {
          count: number(rate, 1),
        }),
        health.lastScanAt ? t('admin.scanner.scan', { time: when(health.lastScanAt) }) : '',
        waiting ? tn('admin.scanner.waiting', waiting) : '',
        health.source || '',
      ].filter(Boolean).join(' · '),
      losses(health).join(' · '),
      one.expiresAt ? t('admin.until', { time: when(one.expiresAt) }) : '',
    ];
    const line = row(isSilent(one.health, now) ? 'warning' : 'computer',
      one.node ? t('admin.scanner.node', { name }) : name, lines, [
        rowButton(t(one.node ? 'admin.scanner.nodeOff' : 'admin.scanner.nodeOn'), name,
          () => asks(line, t(one.node ? 'admin.scanner.nodeOffSure' : 'admin.scanner.nodeOnSure', {
            name,
          }), t(one.node ? 'admin.scanner.nodeOff' : 'admin.scanner.nodeOn'),
          () => this.setNode(name, !one.node))),
        rowButton(t('admin.withdraw'), name, () => asks(line, t('admin.scanner.sure', { name }),
          t('admin.withdraw'), () => this.withdraw(name))),
      ]);
    (health.faults || []).forEach((text) => line.insertBefore(detail(text), line.lastChild));
    return line;
  }

  setNode(name, node) {
    return this.run(async () => {
      await ask(sitePath(this.site.id, 'enrolled-scanners', name), {
        method: 'PATCH', body: { node },
      });
      await this.list.show(true);
      return t(node ? 'admin.scanner.isNode' : 'admin.scanner.isNone');
    });
  }

  /** Ends all tokens of a scanner. */
  withdraw(name) {
    return this.run(async () => {
      const { rows } = await readTokens(this.site);
      const own = rows.filter((one) => one.device === name && one.site === this.site.id);
      for (let at = 0; at < own.length; at += 1) await withdrawToken(own[at].id, false);
      await this.list.show(true);
      return t('admin.scanner.withdrawn');
    });
  }

  batteryRows(found) {
    if (!found.rows.length) return el('p', { class: 'quiet pad', text: t('admin.batteries.none') });
    const low = found.rows.filter((one) => one.percent < LOW_PERCENT).length;
    const shown = bounded(found.rows, this.allBatteries ? found.rows.length : FIRST_ROWS, () => {
      this.allBatteries = true;
      this.batteries.redraw();
    });
    return [
      low ? el('p', { class: 'news bad', text: tn('admin.batteries.low', low) }) : null,
      el('ul', { class: 'rows' }, shown.map((one) => (one instanceof Node ? one
        : row(one.percent < LOW_PERCENT ? 'warning' : 'locate', one.name || one.beacon, [
          t('admin.batteries.percent', { percent: number(one.percent) }) + ' · ' + when(one.at),
          floorLine(this.site, one.floor),
        ], null, () => this.pin('beacons', one.beacon))))),
    ];
  }

  async pin(kind, id) {
    const { draft, map } = this.app;
    const placed = await draft.placed(kind, id);
    const point = placed && pointOf(placed);
    if (!point) {
      say(t('admin.unplaced'));
      return;
    }
    if (placed.floor) await map.chooseFloor(placed.floor, true);
    map.showPoint(point);
  }
}

/** Shows the scanners. */
export async function scannersPanel(app, focus) {
  const scanners = new Scanners(app);
  app.shell.set(scanners.element, focus);
  const timer = setInterval(() => {
    // A question that is open stays.
    if (!document.hidden && !scanners.body.querySelector('.sure')) {
      scanners.list.show(true);
    }
  }, RENEW_MILLISECONDS);
  app.leave = () => {
    clearInterval(timer);
    app.map.leave();
  };
  await Promise.all([scanners.list.show(), scanners.batteries.show()]);
}
