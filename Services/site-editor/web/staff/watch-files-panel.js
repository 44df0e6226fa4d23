// Files of positions and visits, with everything of a period: the browser saves them while they
// are sent, so that the page holds nothing of them.

import { address } from '/app/address.js';
import { el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query } from '/app/service.js';
import { t } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { fieldOf, instantOf } from './watch-times.js';
import { DAY_MILLISECONDS } from './watch-parts.js';

const KINDS = {
  positions: { path: '/v1/positions', formats: ['csv', 'ndjson', 'geojson'] },
  visits: { path: '/v1/visits', formats: ['csv', 'ndjson'] },
};
const FORMAT_NAMES = { csv: 'CSV', ndjson: 'NDJSON', geojson: 'GeoJSON' };
const ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The query of a file: all rows of a period, maybe of one device and one place. */
export function membersOf(site, wish) {
  return {
    site, from: wish.from === null ? null : new Date(wish.from).toISOString(),
    until: wish.until === null ? null : new Date(wish.until).toISOString(),
    device: wish.device, zone: wish.zone,
  };
}

class FilesPanel {
  constructor(app) {
    this.app = app;
    const now = Date.now();
    this.kind = this.select('files-kind', Object.keys(KINDS), (one) => t('watch.file.' + one),
      () => this.drawFormats());
    this.format = el('select', { id: 'files-format' });
    this.from = el('input', {
      id: 'files-from', type: 'datetime-local', value: fieldOf(now - DAY_MILLISECONDS),
    });
    this.until = el('input', { id: 'files-until', type: 'datetime-local', value: fieldOf(now) });
    this.device = el('input', {
      id: 'files-device', type: 'text', maxlength: 64, autocomplete: 'off',
      value: address().device || '',
    });
    this.zone = el('input', { id: 'files-zone', type: 'text', maxlength: 64, autocomplete: 'off' });
    this.told = el('div', { role: 'status' });
    this.drawFormats();
    const labelled = (key, field) => el('div', { class: 'field' }, [
      el('label', { for: field.id, text: t(key) }), field,
    ]);
    this.element = [
      el('h1', { text: t('watch.panel.files') }),
      el('p', { class: 'quiet', text: t('watch.filesHint') }),
      el('form', {
        on: {
          submit: (event) => {
            event.preventDefault();
            this.save();
          },
        },
      }, [
        el('div', { class: 'two' }, [
          labelled('watch.fileOf', this.kind), labelled('watch.format', this.format),
        ]),
        el('div', { class: 'two' }, [
          labelled('watch.from', this.from), labelled('watch.until', this.until),
        ]),
        labelled('watch.fileDevice', this.device), labelled('watch.fileZone', this.zone),
        el('p', { class: 'hint', text: t('watch.fileEmpty') }),
        el('div', { class: 'actions' }, el('button', { class: 'primary', type: 'submit' }, [
          icon('keep'), el('span', { text: t('watch.save') }),
        ])),
      ]),
      this.told,
      el('section', {}, [
        el('h2', { text: t('watch.complete') }),
        el('p', { class: 'quiet', text: t('watch.completeHint') }),
        el('p', {}, el('a', { href: '/reference', text: t('watch.reference') })),
      ]),
    ];
  }

  select(id, values, textOf, changed) {
    return el('select', { id, on: { change: changed } }, values.map((one) => el('option', {
      value: one, text: textOf(one),
    })));
  }

  drawFormats() {
    const before = this.format.value;
    const { formats } = KINDS[this.kind.value];
    fill(this.format, formats.map((one) => el('option', {
      value: one, text: FORMAT_NAMES[one], selected: one === before,
    })));
  }

  /** What is wrong with the form, as a text; empty if nothing is. */
  wrong(wish) {
    if (wish.from === null || wish.until === null) return t('watch.periodMissing');
    if (wish.from >= wish.until) return t('watch.periodTurned');
    const bad = [wish.device, wish.zone].some((one) => one && !ID.test(one));
    return bad ? t('watch.idWrong') : '';
  }

  /** Asks for one row first: what the service refuses is said here, not in a file. */
  async save() {
    const wish = {
      from: instantOf(this.from.value), until: instantOf(this.until.value),
      device: this.device.value.trim(), zone: this.zone.value.trim(),
    };
    const wrong = this.wrong(wish);
    if (wrong) {
      fill(this.told, el('p', { class: 'fault', text: wrong }));
      return;
    }
    const { path } = KINDS[this.kind.value];
    const members = membersOf(this.app.site.id, wish);
    fill(this.told, el('p', { class: 'quiet', text: t('wait.watch') }));
    try {
      const first = await ask(path + query(Object.assign({ limit: 1 }, members)));
      if (!first.length) {
        fill(this.told, el('p', { class: 'quiet', text: t('watch.nothing') }));
        return;
      }
      const link = el('a', {
        href: path + query(Object.assign({ limit: 'all', format: this.format.value }, members)),
        download: '',
      });
      document.body.appendChild(link);
      link.click();
      link.parentNode.removeChild(link);
      fill(this.told, el('p', { class: 'news good', text: t('watch.saving') }));
    } catch (fault) {
      fill(this.told, staffFault(fault, () => this.save()));
    }
  }
}

/** Shows the form of files. */
export function filesPanel(app, focus) {
  app.shell.set(new FilesPanel(app).element, focus);
}
