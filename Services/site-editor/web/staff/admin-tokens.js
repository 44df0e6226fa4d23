// Tokens of programs and devices: made, shown once, and withdrawn.

import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query } from '/app/service.js';
import { t } from '/app/words.js';
import {
  AdminPanel, Missing, Part, allPages, asks, bounded, form, row, rowButton, secret,
  textField,
} from './admin-parts.js';
import { GrantFields, ROLES_OF_PEOPLE, grantText, readBuildings } from './admin-roles.js';
import { when } from './staff-times.js';

const ROLES = ['device', 'scanner', 'gateway', 'locate-only'].concat(ROLES_OF_PEOPLE);
const OF_DEVICES = ['device', 'scanner'];
const DEVICE = /^[A-Za-z0-9._-]{1,64}$/;
const MOST_TOKENS = 5000;
const FIRST_ROWS = 50;
const PAGE = 1000;

/** The valid tokens of the site. */
export function readTokens(site) {
  return allPages((after) => ask('/v1/tokens' + query({ site: site.id, limit: PAGE, after })),
    'tokens', MOST_TOKENS);
}

/** Withdraws one; `children`: also those that were made with it. */
export function withdrawToken(id, children) {
  return ask('/v1/tokens/' + encodeURIComponent(id) + query({ children: children ? 'true' : '' }),
    { method: 'DELETE' });
}

class Tokens extends AdminPanel {
  constructor(app) {
    super(app, 'tokens');
    this.make = el('div', {});
    this.list = new Part(t('admin.tokens.valid'), () => readTokens(this.site), (found) => (
      this.rows(found)));
    fill(this.body, [
      el('p', { class: 'quiet', text: t('admin.tokens.about') }), this.make, this.list.element,
    ]);
    this.makeButton();
  }

  makeButton() {
    fill(this.make, el('div', { class: 'row' }, button([
      icon('plus'), el('span', { text: t('admin.tokens.make') }),
    ], () => this.makeForm(), { class: 'primary' })));
  }

  async makeForm() {
    const buildings = await readBuildings(this.site);
    const device = textField(t('admin.tokens.device'), {
      maxlength: 64, spellcheck: 'false',
    }, t('admin.tokens.deviceHint'));
    const grant = new GrantFields(this.site, ROLES, buildings, this.app.rights.all, (role) => {
      device.element.hidden = OF_DEVICES.indexOf(role) < 0;
    });
    const note = textField(t('admin.tokens.note'), { maxlength: 200 }, t('admin.tokens.noteHint'));
    fill(this.make, form([
      el('h2', { text: t('admin.tokens.make') }), grant.element, device.element, note.element,
    ], t('admin.tokens.make'), () => this.run(async () => {
      const wanted = grant.value();
      if (!wanted) throw new Missing(t('admin.where.tick'));
      const order = Object.assign({ note: note.input.value.trim() }, wanted);
      if (OF_DEVICES.indexOf(wanted.role) >= 0) {
        order.device = device.input.value.trim();
        if (!DEVICE.test(order.device)) {
          device.input.focus();
          throw new Missing(t('admin.tokens.deviceHint'));
        }
      }
      const made = await ask('/v1/tokens', { method: 'POST', body: order });
      fill(this.make, [
        secret(made.token, t('admin.tokens.once'), t('admin.tokens.onceHint')),
        el('div', { class: 'row' }, button(t('admin.secret.done'), () => this.makeButton(), {
          class: 'secondary',
        })),
      ]);
      this.list.show(true);
      return t('admin.tokens.made');
    }), () => this.makeButton()));
    grant.role.input.focus();
  }

  rows(found) {
    const tokens = found.rows.slice().sort((one, other) => (
      String(other.issuedAt).localeCompare(one.issuedAt)));
    if (!tokens.length) return el('p', { class: 'quiet pad', text: t('admin.tokens.none') });
    const shown = bounded(tokens, this.all ? tokens.length : FIRST_ROWS, () => {
      this.all = true;
      this.list.redraw();
    });
    return [
      el('ul', { class: 'rows' }, shown.map((one) => (one instanceof Node ? one : this.row(one)))),
      found.more ? el('p', { class: 'quiet', text: t('admin.list.cut') }) : null,
    ];
  }

  row(token) {
    const title = token.device || token.note || t('admin.tokens.unnamed');
    const line = row('lock', title, [
      grantText(token, this.site.id) + (token.device && token.note ? ' · ' + token.note : ''),
      [
        token.lastUsedAt ? t('admin.tokens.used', { time: when(token.lastUsedAt) })
          : t('admin.tokens.unused'),
        token.expiresAt ? t('admin.until', { time: when(token.expiresAt) }) : '',
      ].filter(Boolean).join(' · '),
      token.blockedUntil ? t('admin.tokens.blocked', { time: when(token.blockedUntil) }) : '',
    ], [rowButton(t('admin.withdraw'), title, () => asks(line, t('admin.tokens.sure', {
      name: title,
    }), t('admin.withdraw'), () => this.run(async () => {
      await withdrawToken(token.id, true);
      await this.list.show(true);
      return t('admin.tokens.withdrawn');
    })))]);
    return line;
  }
}

/** Shows the tokens. */
export async function tokensPanel(app, focus) {
  const tokens = new Tokens(app);
  app.shell.set(tokens.element, focus);
  await tokens.list.show();
}
