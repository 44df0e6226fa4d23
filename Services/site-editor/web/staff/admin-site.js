// The site itself: its names, who sees it, its link, where it lies, its time zones, and its end.

import { copyButton } from '/app/copying.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { handOver } from '/app/qr-picture.js';
import { ask, query, sitePath } from '/app/service.js';
import { nameOf, t } from '/app/words.js';
import { degrees, newSecret } from './admin-figures.js';
import {
  AdminPanel, Missing, Part, choiceField, form, textField,
} from './admin-parts.js';
import { applyPatch, difference } from './merge-patch.js';
import { NamesFields } from './names-fields.js';

const AUDIENCES = ['', 'nobody', 'link', 'everybody'];
const MOST_BUILDINGS = 100;
/** So long the answer to an edit is waited for before it is said to wait. */
const PATIENCE_MILLISECONDS = 4000;
const STEP_MILLISECONDS = 80;
const ZONES = [
  'Europe/London', 'Europe/Dublin', 'Europe/Lisbon', 'Europe/Madrid', 'Europe/Paris',
  'Europe/Brussels', 'Europe/Amsterdam', 'Europe/Berlin', 'Europe/Zurich', 'Europe/Vienna',
  'Europe/Rome', 'Europe/Prague', 'Europe/Warsaw', 'Europe/Stockholm', 'Europe/Helsinki',
  'Europe/Athens', 'Europe/Istanbul', 'America/New_York', 'America/Chicago', 'America/Denver',
  'America/Los_Angeles', 'America/Sao_Paulo', 'Africa/Johannesburg', 'Asia/Dubai', 'Asia/Kolkata',
  'Asia/Singapore', 'Asia/Shanghai', 'Asia/Tokyo', 'Australia/Sydney', 'Pacific/Auckland', 'UTC',
];

/** The visitors' link to a site. */
export function visitorsLink(site, secret) {
  return location.origin + '/s/' + encodeURIComponent(site)
    + (secret ? '#link=' + encodeURIComponent(secret) : '');
}

/** Time zones to choose from; any other may be typed. */
export function zoneList(id) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = ZONES.indexOf(here) >= 0 || !here ? ZONES : [here].concat(ZONES);
  return el('datalist', { id }, zones.map((value) => el('option', { value })));
}

class SiteItself extends AdminPanel {
  constructor(app) {
    super(app, 'site');
    /** Why edits of this panel were refused, by their id. */
    this.refused = new Map();
    this.names = el('section', {});
    this.who = el('section', {});
    this.place = el('section', {});
    this.zones = new Part(t('admin.site.zones'), () => this.readBuildings(), (all) => (
      this.zoneForm(all)));
    this.end = el('section', {});
    this.whole = new Part('', () => ask(sitePath(this.site.id) + query({ version: 'draft' })),
      (site) => {
        this.take(site);
        return null;
      });
    fill(this.body, [
      el('p', { class: 'quiet', text: t('admin.site.about') }), this.whole.element, this.names,
      this.who, this.place, this.zones.element, this.end,
    ]);
    this.drawEnd();
  }

  async show() {
    await Promise.all([this.whole.show(), this.zones.show()]);
  }

  take(site) {
    this.value = site;
    this.drawNames();
    this.drawWho();
    this.drawPlace();
  }

  /**
   * Keeps an edit in the queue of edits, which sends it. Gives the sentence for what became of it;
   * a refusal is thrown.
   */
  async edit(patch, kind, record, name) {
    const { queue } = this.app.draft;
    const edit = await queue.add({
      do: 'patch', kind: kind || 'site', record: record || undefined, value: patch,
      basedOn: undefined, name: name || t('change.site'),
    });
    const end = Date.now() + PATIENCE_MILLISECONDS;
    while (Date.now() < end && queue.waiting().some((one) => one.id === edit.id)) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MILLISECONDS));
    }
    const refusal = this.refused.get(edit.id);
    if (refusal) throw new Missing(refusal);
    return t(queue.waiting().some((one) => one.id === edit.id) ? 'admin.site.waits'
      : 'admin.site.kept');
  }

  save(patch) {
    return this.run(async () => {
      if (!Object.keys(patch).length) return t('form.nothing');
      const text = await this.edit(patch);
      this.value = applyPatch(this.value, patch);
      return text;
    });
  }

  drawNames() {
    const name = textField(t('field.name'), { value: this.value.name || '', maxlength: 400 });
    const names = new NamesFields('admin-site-names', this.value.names, () => null);
    const credit = textField(t('admin.site.attribution'), {
      value: this.value.attribution || '', maxlength: 400,
    }, t('admin.site.attributionHint'));
    fill(this.names, [el('h2', { text: t('admin.site.names') }), form([
      name.element, names.element, credit.element,
    ], t('form.save'), async () => {
      const text = name.input.value.trim();
      if (!text) {
        this.failed(new Missing(t('admin.site.nameMissing')));
        return;
      }
      const before = {
        name: this.value.name, names: this.value.names || {},
        attribution: this.value.attribution || null,
      };
      await this.save(difference(before, {
        name: text, names: names.value(), attribution: credit.input.value.trim() || null,
      }));
    })]);
  }

  drawWho() {
    const { audience, linkSecret } = this.value;
    const choice = choiceField(t('admin.site.audience'), AUDIENCES.map((value) => ({
      value, text: t('admin.site.audience.' + (value || 'usual')),
    })), audience || '', null, t('admin.site.audienceHint'));
    const place = el('div', {});
    const link = audience === 'link' && linkSecret ? visitorsLink(this.site.id, linkSecret)
      : audience === 'everybody' ? visitorsLink(this.site.id) : '';
    const plain = () => fill(place, [
      link ? el('div', { class: 'secret' }, [
        el('div', { class: 'row' }, [
          el('output', { class: 'secret-text', text: link }), copyButton(link),
        ]),
        handOver(link, t('admin.secret.scan'), t('admin.site.linkAbout')),
      ]) : null,
      audience === 'link' ? el('div', { class: 'row' }, button(el('span', {
        text: t('admin.site.newLink'),
      }), () => this.askNewLink(place, plain), { class: 'secondary' })) : null,
    ]);
    plain();
    fill(this.who, [el('h2', { text: t('admin.site.who') }), form(choice.element, t('form.save'),
      async () => {
        const wanted = choice.input.value || null;
        const patch = {};
        if (wanted !== (audience || null)) patch.audience = wanted;
        if (wanted === 'link' && !linkSecret) patch.linkSecret = newSecret();
        await this.save(patch);
        this.drawWho();
      }), place]);
  }

  askNewLink(place, plain) {
    const heading = el('p', { text: t('admin.site.newLinkSure'), tabindex: '-1' });
    fill(place, el('div', { class: 'sure', role: 'group', 'aria-label': t('admin.site.newLink') }, [
      heading, el('div', { class: 'row' }, [
        button(t('admin.site.newLink'), async () => {
          await this.save({ linkSecret: newSecret() });
          this.drawWho();
        }, { class: 'primary danger' }),
        button(t('cancel'), plain, { class: 'secondary' }),
      ]),
    ]));
    heading.focus();
  }

  drawPlace() {
    const { origin, bearingDegrees } = this.value;
    const latitude = textField(t('admin.site.latitude'), {
      value: origin.latitude, inputmode: 'decimal',
    });
    const longitude = textField(t('admin.site.longitude'), {
      value: origin.longitude, inputmode: 'decimal',
    });
    const bearing = textField(t('admin.site.bearing'), {
      value: bearingDegrees, inputmode: 'decimal',
    }, t('admin.site.bearingHint'));
    fill(this.place, [el('h2', { text: t('admin.site.place') }), el('p', {
      class: 'hint', text: t('admin.site.placeHint'),
    }), form([latitude.element, longitude.element, bearing.element], t('form.save'), async () => {
      const values = [
        degrees(latitude.input.value, 90), degrees(longitude.input.value, 180),
        degrees(bearing.input.value, 360),
      ];
      if (values.indexOf(null) >= 0) {
        this.failed(new Missing(t('admin.site.degrees')));
        return;
      }
      const patch = {};
      if (values[0] !== origin.latitude || values[1] !== origin.longitude) {
        patch.origin = { latitude: values[0], longitude: values[1] };
      }
      if (values[2] !== bearingDegrees) patch.bearingDegrees = values[2];
      await this.save(patch);
      this.drawPlace();
    })]);
  }

  async readBuildings() {
    const answer = await ask(sitePath(this.site.id, 'buildings')
      + query({ version: 'draft', limit: MOST_BUILDINGS }));
    return answer.buildings;
  }

  zoneForm(buildings) {
    if (!buildings.length) return el('p', { class: 'quiet pad', text: t('admin.site.noBuilding') });
    const fields = buildings.map((one) => ({
      building: one,
      field: textField(nameOf(one) || one.id, {
        value: one.timeZone, list: 'admin-zones', maxlength: 64, spellcheck: 'false',
      }),
    }));
    return [zoneList('admin-zones'), form(fields.map((one) => one.field.element), t('form.save'),
      () => this.run(async () => {
        const changed = fields.filter((one) => (
          one.field.input.value.trim() !== one.building.timeZone));
        if (!changed.length) return t('form.nothing');
        let text = '';
        for (let at = 0; at < changed.length; at += 1) {
          const { building, field } = changed[at];
          const timeZone = field.input.value.trim();
          text = await this.edit({ timeZone }, 'buildings', building.id,
            nameOf(building) || building.id);
          building.timeZone = timeZone;
        }
        return text;
      }))];
  }

  // MARK: The end

  drawEnd() {
    const plain = () => fill(this.end, [
      el('h2', { text: t('admin.site.end') }),
      el('p', { class: 'hint', text: t('admin.site.endHint') }),
      el('div', { class: 'row' }, button(el('span', { text: t('admin.site.end') }),
        () => this.askEnd(plain), { class: 'secondary danger' })),
    ]);
    plain();
  }

  /** What goes with it is said, and the site's id has to be typed. */
  askEnd(plain) {
    const typed = textField(t('admin.site.endType', { site: this.site.id }), {
      spellcheck: 'false', autocapitalize: 'none',
    });
    fill(this.end, [el('h2', { text: t('admin.site.end') }), el('div', { class: 'sure' }, [
      el('p', { text: t('admin.site.endSure') }),
      el('ul', {}, ['map', 'people', 'surveys', 'devices'].map((part) => el('li', {
        text: t('admin.site.goes.' + part),
      }))),
      form(typed.element, t('admin.site.end'), () => this.run(async () => {
        if (typed.input.value.trim() !== this.site.id) {
          throw new Missing(t('admin.site.endWrong', { site: this.site.id }));
        }
        await ask(sitePath(this.site.id) + query({ confirm: this.site.id }), { method: 'DELETE' });
        location.assign('/staff');
        return '';
      }), plain),
    ])]);
    typed.input.focus();
  }
}

/** Shows the site. */
export async function sitePanel(app, focus) {
  const site = new SiteItself(app);
  app.shell.set(site.element, focus);
  app.update = (what, value) => {
    // Who made it sees why it was refused, and what they typed; nothing is left to decide.
    if (what === 'refused' && value && (value.kind === 'site' || value.kind === 'buildings')) {
      site.refused.set(value.id, value.refusal && value.refusal.detail
        ? value.refusal.detail : t('refused.other'));
      app.draft.queue.drop(value);
    }
  };
  await site.show();
}
