// People: their accounts and roles, and invitations that are open.

import { address, go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query } from '/app/service.js';
import { t } from '/app/words.js';
import {
  AdminPanel, Missing, Part, allPages, asks, bounded, form, row, rowButton, secret,
  textField,
} from './admin-parts.js';
import { GrantFields, ROLES_OF_PEOPLE, grantText, readBuildings } from './admin-roles.js';
import { detail } from './staff-faults.js';
import { when } from './staff-times.js';

const MOST_ACCOUNTS = 2000;
const FIRST_ROWS = 50;
const PAGE = 1000;

function readAccounts() {
  return allPages((after) => ask('/v1/accounts' + query({ limit: PAGE, after })), 'accounts',
    MOST_ACCOUNTS);
}

class People extends AdminPanel {
  constructor(app) {
    super(app, 'people');
    this.invite = el('div', {});
    this.accounts = new Part(t('admin.people.accounts'), readAccounts, (found) => (
      this.accountRows(found)));
    this.invitations = new Part(t('admin.people.open'), () => ask('/v1/invitations'),
      (found) => this.invitationRows(found.invitations));
    fill(this.body, [this.invite, this.accounts.element, this.invitations.element]);
    this.inviteButton();
  }

  show() {
    return Promise.all([this.accounts.show(), this.invitations.show()]);
  }

  inviteButton() {
    fill(this.invite, el('div', { class: 'row' }, button([
      icon('plus'), el('span', { text: t('admin.invite') }),
    ], () => this.inviteForm(), { class: 'primary' })));
  }

  async inviteForm() {
    const buildings = await readBuildings(this.site);
    const note = textField(t('admin.invite.for'), { maxlength: 200 }, t('admin.invite.forHint'));
    const grant = new GrantFields(this.site, ROLES_OF_PEOPLE, buildings, this.app.rights.all);
    fill(this.invite, form([
      el('h2', { text: t('admin.invite') }), note.element, grant.element,
    ], t('admin.invite.make'), () => this.run(async () => {
      const wanted = grant.value();
      if (!wanted) throw new Missing(t('admin.where.tick'));
      const made = await ask('/v1/invitations', {
        method: 'POST', body: { note: note.input.value.trim(), grants: [wanted] },
      });
      fill(this.invite, [
        secret(made.link, t('admin.invite.link'), t('admin.invite.linkHint'), true),
        el('div', { class: 'row' }, button(t('admin.secret.done'), () => this.inviteButton(), {
          class: 'secondary',
        })),
      ]);
      this.invitations.show(true);
      return t('admin.invite.done');
    }), () => this.inviteButton()));
    note.input.focus();
  }

  accountRows(found) {
    const { more } = found;
    // Those of other sites, whom administrators of all sites see, come last.
    const isHere = (one) => one.grants.some((grant) => !grant.site || grant.site === this.site.id);
    const rows = found.rows.filter(isHere).concat(found.rows.filter((one) => !isHere(one)));
    if (!rows.length) return el('p', { class: 'quiet pad', text: t('admin.people.none') });
    const shown = bounded(rows, this.all ? rows.length : FIRST_ROWS, () => {
      this.all = true;
      this.accounts.redraw();
    });
    return [
      el('ul', { class: 'rows' }, shown.map((one) => (one instanceof Node ? one
        : row('person', one.name, [
          one.signIn || one.provider || '',
          one.grants.length ? one.grants.map((grant) => grantText(grant, this.site.id)).join('; ')
            : t('admin.people.noRole'),
        ], null, () => go({ kind: 'account', record: one.id }))))),
      more ? el('p', { class: 'quiet', text: t('admin.list.cut') }) : null,
    ];
  }

  invitationRows(all) {
    if (!all.length) return el('p', { class: 'quiet pad', text: t('admin.invite.none') });
    return el('ul', { class: 'rows' }, all.map((one) => {
      const title = one.note || t('admin.invite.unnamed');
      const line = row('share', title, [
        one.grants.map((grant) => grantText(grant, this.site.id)).join('; '),
        t('admin.until', { time: when(one.expiresAt) }),
      ], [rowButton(t('admin.withdraw'), title, () => asks(line, t('admin.invite.sure', {
        name: title,
      }), t('admin.withdraw'), () => this.run(async () => {
        await ask('/v1/invitations/' + encodeURIComponent(one.id), { method: 'DELETE' });
        await this.invitations.show(true);
        return t('admin.invite.withdrawn');
      })))]);
      return line;
    }));
  }
}

/** One person: the roles, signing out everywhere, and the end of the account. */
class Person extends AdminPanel {
  constructor(app, account, buildings) {
    super(app, 'people');
    this.account = account;
    this.buildings = buildings;
    this.path = '/v1/accounts/' + encodeURIComponent(account.id);
    this.actions = el('div', {});
    const { name } = account;
    this.element = [
      app.shell.head(name, () => go({ kind: null, record: null }),
        account.signIn || account.provider || ''),
      this.told, this.body,
    ];
    this.draw();
  }

  draw() {
    const { account } = this;
    const times = [
      t('admin.people.made', { time: when(account.madeAt) }),
      account.signedInAt ? t('admin.people.seen', { time: when(account.signedInAt) })
        : t('admin.people.never'),
    ];
    fill(this.body, [
      el('section', {}, [
        el('p', { class: 'quiet', text: times.join(' · ') }),
        account.provider ? el('p', { class: 'news', text: t('admin.people.groups') }) : null,
        account.rolesUnread ? el('p', { class: 'news', text: t('admin.people.unread') }) : null,
      ]),
      el('section', {}, [
        el('h2', { text: t('admin.people.roles') }),
        account.grants.length ? el('ul', { class: 'rows' }, account.grants.map((grant, at) => (
          this.grantRow(grant, at))))
          : el('p', { class: 'quiet pad', text: t('admin.people.noRole') }),
      ]),
      this.actions,
    ]);
    this.drawActions();
  }

  grantRow(grant, at) {
    const text = grantText(grant, this.site.id);
    const line = row('lock', text, [t('admin.may.' + grant.role)], [
      rowButton(t('admin.people.take'), text, () => asks(line, t('admin.people.takeSure', {
        role: text,
      }), t('admin.people.take'), () => this.change(
        this.account.grants.filter((one, index) => index !== at), t('admin.people.taken')))),
    ]);
    return line;
  }

  change(grants, told) {
    return this.run(async () => {
      this.account = await ask(this.path, { method: 'PATCH', body: { grants } });
      this.draw();
      return told;
    });
  }

  drawActions() {
    const { name } = this.account;
    const own = this.account.id === this.app.session.account;
    fill(this.actions, [
      el('div', { class: 'row' }, [
        button([icon('plus'), el('span', { text: t('admin.people.give') })], () => this.giveForm(),
          { class: 'primary' }),
        button(el('span', { text: t('admin.people.out') }), () => asks(this.actions,
          t('admin.people.outSure', { name }), t('admin.people.out'), () => this.run(async () => {
            await ask(this.path + '/sessions', { method: 'DELETE' });
            return t('admin.people.outDone');
          })), { class: 'secondary' }),
        own ? null : button(el('span', { text: t('admin.people.end') }), () => asks(this.actions,
          t('admin.people.endSure', { name }), t('admin.people.end'), () => this.run(async () => {
            await ask(this.path, { method: 'DELETE' });
            go({ kind: null, record: null });
            return '';
          })), { class: 'secondary' }),
      ]),
      own ? el('p', { class: 'hint', text: t('admin.people.own') }) : null,
    ]);
  }

  giveForm() {
    const grant = new GrantFields(this.site, ROLES_OF_PEOPLE, this.buildings,
      this.app.rights.all);
    fill(this.actions, form(grant.element, t('admin.people.give'), async () => {
      const wanted = grant.value();
      if (!wanted) this.failed(new Missing(t('admin.where.tick')));
      else await this.change(this.account.grants.concat(wanted), t('admin.people.given'));
    }, () => this.drawActions()));
    grant.role.input.focus();
  }
}

/** Shows the people, or one of them. */
export async function peoplePanel(app, focus) {
  const { kind, record } = address();
  if (kind === 'account' && record) {
    app.shell.waiting(t('admin.reading'));
    const [found, buildings] = await Promise.all([readAccounts(), readBuildings(app.draft.site)]);
    const account = found.rows.find((one) => one.id === record);
    if (address().record !== record) return;
    app.shell.set(account ? new Person(app, account, buildings).element : [
      app.shell.head(t('admin.people.gone'), () => go({ kind: null, record: null })),
      detail(record),
    ], focus);
    return;
  }
  const people = new People(app);
  app.shell.set(people.element, focus);
  await people.show();
}
