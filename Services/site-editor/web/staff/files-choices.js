// The choices for an import: what a drawing, a list or a map needs.

import { button, el } from '/app/elements.js';
import { floorLine, fromTheTop } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { number, t, tn } from '/app/words.js';
import { COLUMNS, IMPORTS, UNITS, WHOLE } from './files-reading.js';

let fieldCount = 0;

function field(label, input, hint) {
  fieldCount += 1;
  const id = 'files-field-' + fieldCount;
  input.id = id;
  return el('div', { class: 'field' }, [
    el('label', { for: id, text: label }), input,
    hint ? el('p', { class: 'hint', text: hint }) : null,
  ]);
}

function choice(options, chosen, change) {
  const select = el('select', { on: { change: () => change(select.value) } },
    options.map(([value, text]) => el('option', { value, text, selected: value === chosen })));
  return select;
}

function check(label, chosen, change) {
  fieldCount += 1;
  const id = 'files-field-' + fieldCount;
  const input = el('input', {
    id, type: 'checkbox', checked: chosen, on: { change: () => change(input.checked) },
  });
  return el('div', { class: 'files-check' }, el('span', { class: 'check' }, [
    input, el('label', { for: id, text: label }),
  ]));
}

function floorField(app, choices, change) {
  const { site } = app.draft;
  const floors = [].concat(...site.storeyedBuildings().map((building) => (
    fromTheTop(site.floors.filter((floor) => floor.building === building.id)))));
  const options = [['', t('files.floor.none')]]
    .concat(floors.map((floor) => [floor.id, floorLine(site, floor.id)]));
  return field(t('files.floor'), choice(options, choices.floor || '', (value) => {
    change({ floor: value });
  }));
}

function numberField(label, value, change) {
  const input = el('input', {
    type: 'text', inputmode: 'decimal', value: value === undefined ? '' : String(value),
    maxlength: 12, on: {
      change: () => {
        const entered = input.value.trim().replace(',', '.');
        const isNumber = entered === '' || Number.isFinite(Number(entered));
        if (isNumber) input.removeAttribute('aria-invalid');
        else input.setAttribute('aria-invalid', 'true');
        if (isNumber) change(entered);
      },
    },
  });
  return field(label, input);
}

function layerField(file, choices, change) {
  const chosen = new Set(choices.layers
    || file.layers.filter((layer) => layer.shown).map((layer) => layer.name));
  return el('fieldset', { class: 'files-layers' }, [
    el('legend', { text: t('files.layers') }),
    el('p', { class: 'hint', text: t('files.layers.hint') }),
    file.layers.map((layer) => {
      const parts = ['outlines', 'lines', 'texts'].filter((name) => layer[name])
        .map((name) => tn('files.layer.' + name, layer[name]));
      return check(layer.name + ' · ' + parts.join(', '), chosen.has(layer.name), (isChosen) => {
        if (isChosen) chosen.add(layer.name);
        else chosen.delete(layer.name);
        change({ layers: Array.from(chosen) });
      });
    }),
  ]);
}

function drawingFields(app, file, choices, change) {
  const stated = file.unit ? t('files.unit.stated', { unit: t('files.unit.' + file.unit) })
    : t('files.unit.none');
  const options = [['', stated]].concat(UNITS.map((unit) => [unit, t('files.unit.' + unit)]));
  const here = () => {
    const centre = app.map.view.leaflet.getCenter().wrap();
    change({ middle: [centre.lat, centre.lng].map((degrees) => degrees.toFixed(7)).join(',') });
  };
  return [
    floorField(app, choices, change),
    field(t('files.unit'), choice(options, choices.unit || '', (unit) => change({ unit })),
      file.unit ? null : t('files.unit.hint')),
    layerField(file, choices, change),
    el('fieldset', {}, [
      el('legend', { text: t('files.place') }),
      el('p', {
        class: 'hint', text: choices.middle ? t('files.place.there') : t('files.place.hint'),
      }),
      el('div', { class: 'row' }, [
        button([icon('locate'), el('span', { text: t('files.place.here') })], here,
          { class: 'secondary' }),
        choices.middle ? button(t('files.place.drawn'), () => change({ middle: '' }),
          { class: 'secondary' }) : null,
      ]),
      choices.middle ? null : el('div', { class: 'files-numbers' }, [
        numberField(t('files.place.x'), choices.offsetX, (offsetX) => change({ offsetX })),
        numberField(t('files.place.y'), choices.offsetY, (offsetY) => change({ offsetY })),
      ]),
      numberField(t('files.place.turn'), choices.turnDegrees,
        (turnDegrees) => change({ turnDegrees })),
    ]),
  ];
}

function listFields(app, answer, choices, change) {
  const { file } = answer;
  const columns = Object.keys(COLUMNS).map((name) => {
    const member = COLUMNS[name];
    const options = [['', t('files.column.none')]].concat(file.header.map((text) => [text, text]));
    return field(t('files.column.' + name),
      choice(options, choices[member] || file.columns[name] || '', (value) => {
        change({ [member]: value });
      }));
  });
  const counts = answer.counts || {};
  return [
    el('fieldset', {}, [el('legend', { text: t('files.columns') }), columns]),
    floorField(app, choices, change),
    counts.vanished ? check(tn('files.removeVanished', counts.vanished),
      Boolean(choices.removeVanished), (removeVanished) => change({ removeVanished })) : null,
    counts.moved ? check(tn('files.moveRooms', counts.moved),
      Boolean(choices.moveRooms), (moveRooms) => change({ moveRooms })) : null,
  ];
}

/** What the file is read as, and the choices that it has. `change` gets the new ones. */
export function choiceFields(app, answer, choices, change, chooseFormat) {
  const formats = choice(IMPORTS.map((format) => [format, t('files.format.' + format)]),
    answer.format, chooseFormat);
  const isWhole = WHOLE.indexOf(answer.format) >= 0;
  return el('div', { class: 'files-choices' }, [
    field(t('files.readAs'), formats),
    answer.format === 'dxf' && answer.file
      ? drawingFields(app, answer.file, choices, change) : null,
    answer.format === 'room-list' && answer.file
      ? listFields(app, answer, choices, change) : null,
    isWhole ? check(t('files.prefersFile'), Boolean(choices.prefersFile),
      (prefersFile) => change({ prefersFile })) : null,
    isWhole ? el('p', { class: 'hint', text: answer.file && answer.file.own
      ? t('files.prefersFile.own') : t('files.prefersFile.hint') }) : null,
  ]);
}

/** A file's size as people read it. */
export function sizeText(bytes) {
  if (bytes < 1000000) return t('files.size.kilobytes', { size: number(bytes / 1000, 0) });
  return t('files.size.megabytes', { size: number(bytes / 1000000, 1) });
}
