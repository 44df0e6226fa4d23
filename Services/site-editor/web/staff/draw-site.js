// The first parts of the panel: where the site is, its buildings, and the floors of one of them.

import { go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { buildingName, floorName } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { t } from '/app/words.js';
import { goesWith } from './draw-box.js';
import { drawnID } from './draw-scene.js';
import { nextSign, ordinalsOf, placeOfText, signsOf } from './draw-places.js';

const PASSING_ORDINAL = 300;
const CLOSE_ZOOM = 19;
const MOST_LETTERS = 400;

export class DrawSite {
  constructor(board, plans) {
    this.board = board;
    this.plans = plans;
    this.scene = board.scene;
    this.draft = board.draft;
    this.place = null;
    this.floorsElement = el('section', {});
    this.newElement = el('details', {}, this.newForm());
    this.placeElement = el('details', {}, this.placeForm());
    // In a site without a building this form comes first, later it comes last.
    this.element = el('div', {});
    this.further = el('div', {}, [this.placeElement]);
  }

  /** Draws what has changed; who types goes on. */
  draw() {
    const { scene, board } = this;
    const buildings = scene.buildings();
    const isEmpty = !buildings.length;
    if (this.wasEmpty !== isEmpty) {
      this.wasEmpty = isEmpty;
      fill(this.element, isEmpty ? this.newElement : this.floorsElement);
      if (!isEmpty) this.further.appendChild(this.newElement);
      this.newElement.open = isEmpty;
      this.placeElement.hidden = isEmpty;
      fill(this.newElement.querySelector('summary'),
        t(isEmpty ? 'draw.begin' : 'draw.newBuilding'));
    }
    const storey = scene.floor(board.floor);
    const building = storey ? storey.building : buildings.length ? buildings[0].id : null;
    const floors = building ? scene.floors(building) : [];
    const state = JSON.stringify([building, board.floor, floors.map((one) => (
      [one.id, one.level, one.ordinal, one.names]))]);
    if (state === this.floorsState) return;
    this.floorsState = state;
    const focused = document.activeElement && this.floorsElement.contains(document.activeElement)
      ? document.activeElement.id : '';
    this.drawFloors(building, floors);
    const again = focused && document.getElementById(focused);
    if (again) again.focus();
  }

  // MARK: Where the site is

  placeForm() {
    const text = el('input', {
      id: 'draw-place', type: 'text', maxlength: MOST_LETTERS, autocomplete: 'off',
      'aria-describedby': 'draw-place-hint',
    });
    const bearing = el('input', {
      id: 'draw-bearing', type: 'number', min: -360, max: 360, step: 'any', inputmode: 'decimal',
      placeholder: String(this.scene.siteNow.bearingDegrees),
    });
    return [el('summary', { text: t('draw.where') }), el('form', {
      novalidate: true, on: {
        submit: (event) => {
          event.preventDefault();
          this.movePlace(text.value, bearing.value);
        },
      },
    }, [
      el('p', { class: 'hint', id: 'draw-place-hint', text: t('draw.whereHint') }),
      field('draw-place', t('draw.placeText'), text),
      this.placeButtons((place) => { text.value = place.latitude + ', ' + place.longitude; }),
      field('draw-bearing', t('draw.bearing'), bearing),
      el('p', { class: 'hint', text: t('draw.bearingHint') }),
      el('button', { type: 'submit', class: 'secondary' }, [
        icon('here'), el('span', { text: t('draw.moveSite') }),
      ]),
    ])];
  }

  /** Buttons that give a place: where the reader is, or a tap on the map. */
  placeButtons(took) {
    const { board } = this;
    const round = (place) => ({
      latitude: Math.round(place.latitude * 1e7) / 1e7,
      longitude: Math.round(place.longitude * 1e7) / 1e7,
    });
    return el('div', { class: 'row' }, [
      navigator.geolocation ? button([icon('locate'), el('span', { text: t('draw.whereIAm') })],
        () => navigator.geolocation.getCurrentPosition((found) => {
          took(round(found.coords));
          board.tell(t('draw.placeTaken'), 'good');
        }, () => board.tell(t('draw.noPosition'), 'bad'), { timeout: 20000 }),
        { class: 'secondary' }) : null,
      button([icon('here'), el('span', { text: t('draw.tapMap') })], () => {
        board.pickPlace(t('draw.tapMapHint'), (place) => {
          took(round({ latitude: place[0], longitude: place[1] }));
          board.tell(t('draw.placeTaken'), 'good');
        });
      }, { class: 'secondary' }),
    ]);
  }

  async movePlace(text, bearing) {
    const { board } = this;
    const place = text.trim() ? placeOfText(text) : null;
    if (text.trim() && !place) {
      board.tell(t('draw.placeFault'), 'bad');
      return;
    }
    const value = {};
    if (place) value.origin = place;
    if (bearing.trim() && Math.abs(Number(bearing)) <= 360) {
      value.bearingDegrees = Number(bearing);
    }
    if (!Object.keys(value).length) return;
    await board.send([{ do: 'patch', kind: 'site', value, name: '' }]);
    this.seeSite();
    board.tell(t('draw.done.place'), 'good');
  }

  /** Shows the middle of what is drawn, or the origin. */
  seeSite() {
    const { board, scene } = this;
    board.view.isPlaced = true;
    board.view.moved = true;
    const rings = scene.rings(board.floor);
    const at = rings.length ? rings[0][0] : [20, 12];
    board.leaflet.setView(scene.frame.degrees(at), Math.max(CLOSE_ZOOM, board.leaflet.getZoom()),
      { animate: false });
    board.redraw();
  }

  // MARK: A new building

  newForm() {
    const inputs = {};
    const text = (name, more) => {
      inputs[name] = el('input', Object.assign({
        id: 'draw-new-' + name, type: 'text', maxlength: MOST_LETTERS, autocomplete: 'off',
      }, more || {}));
      return inputs[name];
    };
    return [el('summary', {}), el('form', {
      novalidate: true, on: {
        submit: (event) => {
          event.preventDefault();
          this.makeBuilding(inputs);
        },
      },
    }, [
      field('draw-new-name', t('draw.buildingName'), text('name')),
      field('draw-new-signs', t('draw.signs'), text('signs', { value: t('draw.signsUsual') })),
      el('p', { class: 'hint', text: t('draw.signsHint') }),
      field('draw-new-address', t('field.address'), text('address')),
      field('draw-new-zone', t('draw.timeZone'), text('zone', {
        value: new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
      })),
      field('draw-new-place', t('draw.placeText'), text('place', {
        placeholder: t('draw.placeLater'),
      })),
      this.placeButtons((place) => {
        inputs.place.value = place.latitude + ', ' + place.longitude;
      }),
      el('button', { type: 'submit', class: 'primary' }, [
        icon('building'), el('span', { text: t('draw.make') }),
      ]),
    ])];
  }

  /** A building with its floors; in a site that has nothing its place is the site's origin. */
  async makeBuilding(inputs) {
    const { board, scene } = this;
    const name = inputs.name.value.trim();
    const signs = signsOf(inputs.signs.value);
    const placeText = inputs.place.value.trim();
    const place = placeText ? placeOfText(placeText) : null;
    const wrong = !name ? ['name', 'draw.nameFault'] : !signs.length ? ['signs', 'draw.signsFault']
      : placeText && !place ? ['place', 'draw.placeFault'] : null;
    if (wrong) {
      board.tell(t(wrong[1]), 'bad');
      inputs[wrong[0]].focus();
      return;
    }
    const edits = [];
    const isFirst = !scene.buildings().length;
    if (isFirst) {
      const value = {};
      if (place) value.origin = place;
      if (!scene.siteNow.name) value.name = name;
      if (Object.keys(value).length) edits.push({ do: 'patch', kind: 'site', value, name: '' });
    }
    const building = { id: drawnID('building'), name, timeZone: inputs.zone.value.trim() };
    const address = inputs.address.value.trim();
    if (address) building.address = address;
    edits.push({ do: 'put', kind: 'buildings', record: building.id, value: building, name });
    const ordinals = ordinalsOf(signs);
    const floors = signs.map((level, i) => ({
      id: drawnID('floor'), building: building.id, ordinal: ordinals[i], level,
    }));
    floors.forEach((floor) => edits.push({
      do: 'put', kind: 'floors', record: floor.id, value: floor, name: floor.level,
    }));
    await board.send(edits);
    this.newElement.open = false;
    ['name', 'address', 'place'].forEach((one) => { inputs[one].value = ''; });
    board.tell(t('draw.done.building', { name }), 'good');
    const main = floors.find((floor) => floor.ordinal === 0) || floors[0];
    if (!isFirst && place) this.startAt = scene.frame.point(place.latitude, place.longitude);
    await this.showNew(main.id, isFirst ? [20, 12] : this.startAt);
  }

  /** Shows a floor as soon as the service has it. */
  async showNew(floor, at) {
    const { board, draft } = this;
    const arrived = await new Promise((done) => {
      const look = () => {
        if (draft.stored('floors', floor)) done(true);
        else if (draft.queue.refused().some((one) => one.record === floor)) done(false);
        else return false;
        return true;
      };
      if (look()) return;
      const stop = draft.on(() => {
        if (look()) stop();
      });
      if (draft.queue.state === 'waiting') board.tell(t('draw.floorWaits'));
    });
    if (!arrived) return;
    await draft.site.read();
    board.view.overview = null;
    await board.app.map.chooseFloor(floor, true);
    board.app.map.drawTools();
    if (at) {
      board.view.isPlaced = true;
      board.view.moved = true;
      board.leaflet.setView(this.scene.frame.degrees(at), CLOSE_ZOOM, { animate: false });
    }
    this.draw();
    if (board.tool.name === 'change') board.take('room');
  }

  // MARK: Floors

  drawFloors(building, floors) {
    const { scene } = this;
    this.floorsElement.hidden = !building;
    if (!building) return;
    const named = scene.buildings().find((one) => one.id === building);
    if (this.shownBuilding !== building) {
      this.shownBuilding = building;
      this.floorsTitle = el('h2', {});
      this.floorsList = el('ul', { class: 'rows draw-floors' });
      fill(this.floorsElement, [this.floorsTitle, this.floorsList, this.addFloorForm(building)]);
    }
    fill(this.floorsTitle, t('draw.floorsOf', { name: buildingName(named) || building }));
    fill(this.floorsList, floors.slice().reverse().map((floor) => this.floorRow(floor, floors)));
    // The next sign, unless somebody is typing one.
    const top = floors[floors.length - 1];
    const isTyping = document.activeElement === this.addInput;
    if (!isTyping) this.addInput.value = nextSign(top && top.level, false);
  }

  floorRow(floor, floors) {
    const { board } = this;
    const at = floors.indexOf(floor);
    const name = floorName(floor);
    const input = el('input', {
      id: 'draw-level-' + floor.id, type: 'text', value: floor.level, maxlength: 40,
      'aria-label': t('draw.signOf', { name }), autocomplete: 'off', on: {
        change: () => {
          const level = input.value.trim();
          if (!level) input.value = floor.level;
          else if (level !== floor.level) this.patchFloor(floor, { level });
        },
      },
    });
    const sign = (one, key, run, isOff) => button(icon(one), run, {
      class: 'round small', 'aria-label': t(key, { name }), title: t(key, { name }),
      disabled: isOff === true,
    });
    const isHere = floor.id === board.floor;
    return el('li', { class: isHere ? 'here' : null }, [
      input,
      button(t(isHere ? 'draw.onIt' : 'draw.drawOn'), () => board.app.map.chooseFloor(floor.id), {
        class: 'link', 'aria-label': t('draw.drawOnFloor', { name }),
        'aria-current': isHere ? 'true' : null,
      }),
      sign('up', 'draw.floorUp', () => this.swap(floor, floors[at + 1]), at === floors.length - 1),
      sign('down', 'draw.floorDown', () => this.swap(floor, floors[at - 1]), at === 0),
      sign('settings', 'draw.floorOpen',
        () => go({ panel: null, kind: 'floors', record: floor.id })),
      sign('close', 'draw.floorRemove', () => this.removeFloor(floor)),
    ]);
  }

  patchFloor(floor, value) {
    return this.board.send([{
      do: 'patch', kind: 'floors', record: floor.id, value, name: value.level || floor.level,
    }]);
  }

  /** Two floors change their places: no two may have the same one meanwhile. */
  swap(floor, other) {
    if (!other) return;
    const to = (one, ordinal) => ({
      do: 'patch', kind: 'floors', record: one.id, value: { ordinal }, name: one.level,
    });
    this.board.send([to(floor, PASSING_ORDINAL), to(other, floor.ordinal),
      to(floor, other.ordinal)]);
  }

  removeFloor(floor) {
    const { board, scene } = this;
    const hanging = scene.hanging('floors', floor.id);
    board.emit('question', {
      text: goesWith(floorName(floor), hanging),
      yes: () => board.send([{
        do: 'remove', kind: 'floors', record: floor.id, value: { cascade: true },
        name: floor.level,
      }]),
    });
  }

  addFloorForm(building) {
    const input = el('input', {
      id: 'draw-add-floor', type: 'text', maxlength: 40, autocomplete: 'off',
    });
    this.addInput = input;
    const add = (isBelow) => {
      const floors = this.scene.floors(building);
      const level = input.value.trim();
      if (!level) {
        this.board.tell(t('draw.signsFault'), 'bad');
        input.focus();
        return;
      }
      const ordinals = floors.map((one) => one.ordinal);
      const ordinal = !floors.length ? 0
        : isBelow ? Math.min(...ordinals) - 1 : Math.max(...ordinals) + 1;
      const floor = { id: drawnID('floor'), building, ordinal, level };
      this.board.send([{
        do: 'put', kind: 'floors', record: floor.id, value: floor, name: level,
      }]).then(() => this.showNew(floor.id, null));
    };
    return el('div', { class: 'row' }, [
      field('draw-add-floor', t('draw.addFloor'), input),
      button([icon('up'), el('span', { text: t('draw.above') })], () => add(false),
        { class: 'secondary' }),
      button([icon('down'), el('span', { text: t('draw.below') })], () => add(true),
        { class: 'secondary' }),
    ]);
  }
}

function field(id, text, input) {
  return el('div', { class: 'field' }, [el('label', { for: id, text }), input]);
}
