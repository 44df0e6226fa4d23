// Files: a file is recognised, previewed on the map and in words, and applied; and all exports.

import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query, sitePath } from '/app/service.js';
import { t, tn } from '/app/words.js';
import { drawMarks } from './comparison-marks.js';
import { choiceFields, sizeText } from './files-choices.js';
import { previewElement, summary } from './files-preview.js';
import { EXPORTS, MOST_BYTES, importMembers, isReady, marksOf } from './files-reading.js';
import { staffFault } from './staff-faults.js';

const AUTO = 'auto';

class FilesPanel {
  constructor(app) {
    this.app = app;
    this.path = sitePath(app.draft.site.id, 'imports');
    this.format = AUTO;
    this.choices = {};
    this.turn = 0;
    this.places = [];
    this.told = el('div', { tabindex: '-1' });
    this.input = el('input', {
      id: 'files-file', type: 'file', on: { change: () => this.chosen(this.input.files[0]) },
    });
    this.choicesElement = el('div', {});
    this.preview = el('div', { 'aria-live': 'off' });
    this.actions = el('div', {});
    this.element = [
      el('h1', { text: t('panel.files') }), this.told,
      el('section', {}, [
        el('h2', { text: t('files.import') }),
        el('div', { class: 'field' }, [
          el('label', { for: 'files-file', text: t('files.file') }), this.input,
          el('p', { class: 'hint', text: t('files.file.hint') }),
        ]),
        this.choicesElement, this.preview, this.actions,
      ]),
      this.exportSection(),
    ];
  }

  // MARK: Import

  chosen(file) {
    this.file = file || null;
    this.format = AUTO;
    this.choices = {};
    this.answer = null;
    fill(this.told, null);
    fill(this.choicesElement, null);
    fill(this.actions, null);
    if (!file) {
      fill(this.preview, null);
      this.unmark();
    } else if (file.size > MOST_BYTES) {
      fill(this.preview, el('p', { class: 'news bad', role: 'alert', text: t('files.tooLarge', {
        size: sizeText(file.size), most: sizeText(MOST_BYTES),
      }) }));
    } else this.read();
  }

  change(choices) {
    this.choices = Object.assign({}, this.choices, choices);
    this.read();
  }

  /** Asks what the import would do. An answer that a later question has overtaken is dropped. */
  async read() {
    this.turn += 1;
    const { turn } = this;
    fill(this.preview, el('p', { class: 'quiet', role: 'status', text: t('wait.files', {
      name: this.file.name, size: sizeText(this.file.size),
    }) }));
    fill(this.actions, null);
    try {
      const members = Object.assign(importMembers(this.format, this.choices), { preview: true });
      const answer = await this.send(members);
      if (turn !== this.turn || !this.isOpen) return;
      const floor = this.app.map.view.floorID;
      if (this.format === AUTO && answer.format === 'dxf' && floor) {
        // A drawing is of the floor that the map shows, unless somebody chooses another.
        this.format = answer.format;
        this.change({ floor });
        return;
      }
      this.format = answer.format;
      this.answer = answer;
      this.draw();
    } catch (fault) {
      if (turn !== this.turn || !this.isOpen) return;
      this.unmark();
      fill(this.preview, staffFault(fault, () => this.read()));
    }
  }

  send(members, headers) {
    return ask(this.path + query(members), {
      method: 'POST', file: this.file,
      headers: Object.assign({ 'content-type': 'application/octet-stream' }, headers || {}),
    });
  }

  draw() {
    const focused = document.activeElement && this.choicesElement.contains(document.activeElement)
      ? document.activeElement.id : '';
    fill(this.choicesElement, choiceFields(this.app, this.answer, this.choices,
      (choices) => this.change(choices), (format) => {
        this.format = format;
        this.read();
      }));
    this.focusAgain(focused);
    fill(this.preview, previewElement(this.app, this.answer));
    if (!this.answer.needs.length) say(summary(this.answer));
    const ready = isReady(this.answer);
    fill(this.actions, ready ? el('div', { class: 'form-end' }, el('div', { class: 'row' }, [
      button([icon('keep'), el('span', { text: t('files.apply') })], () => this.apply(),
        { class: 'primary' }),
      button(t('cancel'), () => {
        this.input.value = '';
        this.chosen(null);
        this.input.focus();
      }, { class: 'secondary' }),
    ])) : null);
    this.mark();
  }

  /** The fields are made anew, in the same order: the one that had the focus gets it again. */
  focusAgain(former) {
    const fields = Array.from(this.choicesElement.querySelectorAll('input, select'));
    const place = former ? this.places.indexOf(former) : -1;
    this.places = fields.map((one) => one.id);
    if (place >= 0 && fields[place]) fields[place].focus();
  }

  async apply() {
    fill(this.actions, el('p', { class: 'quiet', role: 'status', text: t('wait.apply') }));
    try {
      const answer = await this.send(importMembers(this.format, this.choices), {
        'if-match': '"draft-' + this.answer.revision + '"',
      });
      if (!this.isOpen) return;
      this.input.value = '';
      this.chosen(null);
      const counts = Object.keys(answer.records).reduce((all, kind) => (
        all + answer.records[kind].added + answer.records[kind].changed
          + answer.records[kind].removed), 0);
      this.tell(tn('files.done', counts));
    } catch (fault) {
      if (!this.isOpen) return;
      if (fault.status === 412) {
        // Somebody has edited the draft since.
        say(t('files.movedOn'), true);
        this.read();
        return;
      }
      this.draw();
      fill(this.told, staffFault(fault));
      this.told.focus();
    }
  }

  tell(text) {
    fill(this.told, el('p', { class: 'news good', text }));
    this.told.focus();
    say(text, true);
  }

  // MARK: Map

  unmark() {
    if (this.marks) this.marks.remove();
    this.marks = null;
  }

  mark() {
    this.unmark();
    const { view } = this.app.map;
    const changes = this.answer && this.answer.changes;
    if (changes) this.marks = drawMarks(view.leaflet, marksOf(changes, view.floorID));
  }

  // MARK: Exports

  exportSection() {
    let version = 'draft';
    const links = el('ul', { class: 'rows files-exports' });
    const draw = () => fill(links, EXPORTS.map((format) => el('li', {}, el('a', {
      class: 'line', download: true,
      href: sitePath(this.app.draft.site.id, 'export') + query({ format, version }),
    }, [icon('keep'), el('span', {}, [
      el('strong', { text: t('files.format.' + format) }),
      el('small', { text: t('files.export.' + format) }),
    ])]))));
    const select = el('select', {
      id: 'files-version', on: {
        change: () => {
          version = select.value;
          draw();
        },
      },
    }, ['draft', 'published'].map((one) => el('option', {
      value: one, text: t('files.version.' + one),
    })));
    draw();
    return el('section', {}, [
      el('h2', { text: t('files.export') }),
      el('div', { class: 'field' }, [
        el('label', { for: 'files-version', text: t('files.version') }), select,
      ]), links,
    ]);
  }
}

/** Shows the panel of files. */
export async function filesPanel(app, focus) {
  const files = new FilesPanel(app);
  files.isOpen = true;
  app.shell.set(files.element, focus);
  const stop = app.map.view.on('floor', () => files.mark());
  app.leave = () => {
    files.isOpen = false;
    stop();
    files.unmark();
  };
}
