// `/staff`: the sites that somebody looks after, and a new one for administrators of all sites.

import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { Fault, ask, sitePath } from '/app/service.js';
import { t } from '/app/words.js';
import { degrees, idOf } from './admin-figures.js';
import { Missing, form, textField } from './admin-parts.js';
import { signOut } from './me-panel.js';
import { rightsOf, screensOf } from './staff-rights.js';
import { staffFault } from './staff-faults.js';

const IDENTIFIER = /^[A-Za-z0-9._-]{1,64}$/;

class Sites {
  constructor(page, session) {
    this.page = page;
    this.session = session;
    this.list = el('div', {});
    this.told = el('div', { tabindex: '-1' });
    this.make = el('section', {});
    this.all = rightsOf(session, '').all;
    fill(page, el('div', { class: 'choice' }, [
      el('h1', { text: t('admin.sites') }),
      el('p', { class: 'quiet', text: t('staff.signedIn', {
        name: session.name || t('staff.somebody'),
      }) }),
      this.told, this.list, this.make,
      el('div', { class: 'row' }, [
        el('a', { class: 'secondary', href: '/account' }, [
          icon('person'), el('span', { text: t('staff.account') }),
        ]),
        button([icon('close'), el('span', { text: t('staff.signOut') })], async () => {
          await signOut();
          location.assign('/sign-in?return=/staff');
        }, { class: 'secondary' }),
      ]),
    ]));
    if (this.all) this.makeButton();
  }

  async show() {
    fill(this.list, el('p', { class: 'quiet pad', text: t('admin.reading') }));
    let answer;
    try {
      answer = await ask('/v1/sites');
    } catch (fault) {
      fill(this.list, staffFault(fault, () => this.show()));
      return;
    }
    const own = answer.sites.filter((one) => screensOf(rightsOf(this.session, one.id)).length);
    if (!own.length) {
      fill(this.list, el('p', { class: 'quiet pad', text: t(this.all ? 'admin.sites.begin'
        : 'admin.sites.none') }));
      if (this.all) this.makeForm();
      return;
    }
    fill(this.list, el('ul', { class: 'rows' }, own.map((one) => el('li', {}, el('a', {
      class: 'line', href: '/staff/' + encodeURIComponent(one.id),
    }, [icon('building'), el('span', {}, [
      el('strong', { text: one.name || one.id }), el('small', { text: one.id }),
    ])])))));
  }

  makeButton() {
    fill(this.make, el('div', { class: 'row' }, button([
      icon('plus'), el('span', { text: t('admin.sites.new') }),
    ], () => this.makeForm(), { class: 'primary' })));
  }

  makeForm() {
    const name = textField(t('field.name'), { maxlength: 400 }, t('admin.sites.nameHint'));
    const id = textField(t('admin.sites.id'), { maxlength: 64, spellcheck: 'false' },
      t('admin.sites.idHint'));
    let isOwn = false;
    name.input.addEventListener('input', () => {
      if (!isOwn) id.input.value = idOf(name.input.value);
    });
    id.input.addEventListener('input', () => { isOwn = true; });
    const latitude = textField(t('admin.site.latitude'), { inputmode: 'decimal' });
    const longitude = textField(t('admin.site.longitude'), { inputmode: 'decimal' });
    const here = navigator.geolocation ? button([
      icon('locate'), el('span', { text: t('admin.sites.here') }),
    ], () => navigator.geolocation.getCurrentPosition((found) => {
      latitude.input.value = found.coords.latitude.toFixed(6);
      longitude.input.value = found.coords.longitude.toFixed(6);
    }, () => this.tell(t('admin.sites.noFix')), { enableHighAccuracy: true, timeout: 20000 }), {
      class: 'secondary',
    }) : null;
    fill(this.make, form([
      el('h2', { text: t('admin.sites.new') }), name.element, id.element,
      el('p', { class: 'hint', text: t('admin.sites.place') }), latitude.element,
      longitude.element, here ? el('div', { class: 'row' }, here) : null,
    ], t('admin.sites.make'), async () => {
      try {
        await this.create(name.input.value.trim(), id.input.value.trim(),
          degrees(latitude.input.value, 90), degrees(longitude.input.value, 180));
      } catch (fault) {
        if (fault instanceof Missing) this.tell(fault.message);
        else {
          fill(this.told, staffFault(fault));
          this.told.focus();
        }
      }
    }, () => this.makeButton()));
    name.input.focus();
  }

  /** Makes an empty site that nobody else sees, and goes to its draft. */
  async create(name, id, latitude, longitude) {
    if (!name) throw new Missing(t('admin.site.nameMissing'));
    if (!IDENTIFIER.test(id)) throw new Missing(t('admin.sites.idHint'));
    if (latitude === null || longitude === null) throw new Missing(t('admin.site.degrees'));
    const body = {
      name, origin: { latitude, longitude }, bearingDegrees: 0, audience: 'nobody',
      buildings: [], floors: [], rooms: [], locations: [],
    };
    try {
      // Version 0 is that of a site which is not there yet.
      await ask(sitePath(id), { method: 'PUT', body, headers: { 'if-match': '"0"' } });
    } catch (fault) {
      if (fault instanceof Fault && fault.status === 412) {
        throw new Missing(t('admin.sites.there', { site: id }));
      }
      throw fault;
    }
    location.assign('/staff/' + encodeURIComponent(id));
  }

  tell(text) {
    fill(this.told, el('p', { class: 'news bad', text }));
    this.told.focus();
  }
}

/** Shows the sites. */
export async function showSites(page, session) {
  document.title = t('admin.sites');
  document.documentElement.classList.add('staff', 'staff-sites');
  const sites = new Sites(page, session);
  await sites.show();
  document.documentElement.classList.add('ready');
}
