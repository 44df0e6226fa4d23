// One place: survey it at once, rename, move, clear and remove it, and its surveys one by one.

import { address, go } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { ask, sitePath } from '/app/service.js';
import { t, tn } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { when } from './staff-times.js';
import { pointOfText } from './survey-map.js';
import { placeLine, placeName, redraw, runElement, shapeOf, sourceFields } from './survey-parts.js';
import { suggestedName } from './survey-run.js';
import { nextButton } from './survey-walk-panel.js';

const MOST_SURVEYS = 50;
const MOST_LETTERS = 200;
const CENTIMETRES = 100;

class PlacePanel {
  constructor(app) {
    this.app = app;
    this.typed = null;
    this.sure = '';
    this.fault = null;
  }

  /** The place of the address: a location, or a point where there may be surveys. */
  find() {
    const { record, point } = address();
    const places = this.app.places();
    if (record) return places.find((one) => one.id === record) || null;
    const at = pointOfText(point);
    if (!at) return null;
    return places.find((one) => !one.id && Math.abs(one.place.latitude - at.latitude) < 1e-6
      && Math.abs(one.place.longitude - at.longitude) < 1e-6) || { id: '', place: at, isNew: true };
  }

  content() {
    const { app } = this;
    app.shown = null;
    if (!app.floor) return [el('p', { class: 'quiet pad', text: t('survey.reading') })];
    const place = this.find();
    const close = () => go({ panel: 'places', record: null, point: null });
    if (!place) {
      return [app.shell.head(t('record.gone'), close), el('p', { text: t('record.goneHint') })];
    }
    if (!place.id) app.shown = { marks: [{ place: place.place, text: t('survey.newSign') }] };
    return place.isNew ? this.newPlace(place, close) : this.known(place, close);
  }

  nameField(label, value) {
    const input = el('input', {
      id: 'survey-name', type: 'text', maxlength: MOST_LETTERS, autocomplete: 'off',
      value: this.typed === null ? value : this.typed,
      on: { input: () => { this.typed = input.value; } },
    });
    return el('div', { class: 'field' }, [el('label', { for: 'survey-name', text: label }), input]);
  }

  typedName(otherwise) {
    return (this.typed === null ? otherwise : this.typed).trim();
  }

  /** A tap on nothing: a new place, surveyed at once. */
  newPlace(place, close) {
    const { app } = this;
    const suggested = suggestedName(app, place);
    const make = async () => {
      const made = await app.run.make(place.place, this.typedName(suggested));
      this.typed = null;
      return made;
    };
    return [
      app.shell.head(t('survey.new'), close, floorLine(app.draft.site, app.floor.id)),
      this.nameField(t('survey.name'), suggested),
      sourceFields(app),
      el('div', { class: 'row' }, [
        button([icon('here'), el('span', { text: t('survey.makeAndSurvey') })], async () => {
          const made = await make();
          app.run.start(made);
          go({ record: made.id, point: null }, true);
        }, { class: 'primary', disabled: app.run.isRunning || !app.source, 'data-at': 'survey' }),
        button(el('span', { text: t('survey.make') }), async () => {
          const made = await make();
          go({ record: made.id, point: null }, true);
        }, { class: 'secondary', 'data-at': 'make' }),
      ]),
    ];
  }

  known(place, close) {
    const { app } = this;
    return [
      app.shell.head(placeName(place), close, floorLine(app.draft.site, app.floor.id)),
      el('p', { class: 'survey-state' }, [
        shapeOf(place.state), el('span', { text: placeLine(place) }),
      ]),
      place.weak.length ? el('ul', { class: 'survey-figures' }, place.weak.map((one) => (
        el('li', { text: t('survey.weak.' + one) })))) : null,
      this.fault ? staffFault(this.fault, null) : null,
      runElement(app, nextButton(), place),
      el('div', { class: 'row' }, [
        button([icon('here'), el('span', { text: t('survey.here') })], () => app.run.start(place), {
          class: 'primary', disabled: app.run.isRunning || !app.source, 'data-at': 'survey',
        }),
        button([icon('locate'), el('span', { text: t('survey.show') })],
          () => app.map.lookAt(place.place), { class: 'secondary', 'data-at': 'show' }),
      ]),
      sourceFields(app),
      place.isPublished ? null : el('p', { class: 'hint', text: t('survey.draftHint') }),
      place.id ? this.changes(place) : null,
      this.surveys(place),
    ];
  }

  changes(place) {
    const isMoving = Boolean(this.app.tapFor);
    return el('section', {}, [
      el('h2', { text: t('survey.change') }),
      this.nameField(t('survey.name'), place.name),
      el('div', { class: 'row' }, [
        button([icon('keep'), el('span', { text: t('form.save') })], () => this.rename(place),
          { class: 'secondary', 'data-at': 'rename' }),
        button([icon('swap'), el('span', { text: t(isMoving ? 'survey.moveTap' : 'survey.move') })],
          () => this.move(place), {
            class: 'secondary', 'data-at': 'move', 'aria-pressed': String(isMoving),
          }),
      ]),
      this.sure ? this.sureElement(place) : el('div', { class: 'row' }, [
        button(el('span', { text: t('survey.clear') }), () => this.ask('clear'), {
          class: 'secondary', 'data-at': 'clear',
        }),
        button(el('span', { text: t('survey.remove') }), () => this.ask('remove'), {
          class: 'secondary', 'data-at': 'remove',
        }),
      ]),
    ]);
  }

  ask(what) {
    this.sure = what;
    this.draw();
    const yes = document.getElementById('survey-yes');
    if (yes) yes.focus();
  }

  sureElement(place) {
    return el('div', { class: 'sure' }, [
      el('p', { text: t('survey.sure.' + this.sure, { name: placeName(place) }) }),
      el('div', { class: 'row' }, [
        button(t('survey.yes.' + this.sure), () => {
          const what = this.sure;
          this.sure = '';
          return what === 'clear' ? this.clear(place) : this.remove(place);
        }, { class: 'primary', id: 'survey-yes' }),
        button(t('cancel'), () => {
          this.sure = '';
          this.draw();
        }, { class: 'secondary', 'data-at': 'cancel' }),
      ]),
    ]);
  }

  /** Changes members of the place; `at` is where it then is in degrees. */
  async patch(place, value, name, at) {
    const { app } = this;
    const basedOn = app.draft.revisionOf('locations', place.id);
    const { floor } = app;
    const before = floor.locations.find((one) => one.id === place.id);
    const set = (record) => {
      floor.locations = floor.locations.map((one) => (one.id === place.id ? record : one));
    };
    if (before) set(Object.assign({}, before, value, at));
    await app.edit({
      do: 'patch', kind: 'locations', record: place.id, value, basedOn, name: name || place.id,
    }, () => before && set(before));
  }

  async rename(place) {
    const name = this.typedName(place.name);
    this.typed = null;
    if (name === place.name) return;
    await this.patch(place, { name }, name);
    say(t('form.kept'), true);
  }

  /** The next tap on the map is where the place is. */
  move(place) {
    const { app } = this;
    if (app.tapFor) {
      app.tapFor = null;
      this.draw();
      return;
    }
    app.tapFor = async (at) => {
      app.tapFor = null;
      const { frame } = app.floor;
      if (frame) {
        const point = frame.metres(at);
        const rounded = (metres) => Math.round(metres * CENTIMETRES) / CENTIMETRES;
        await this.patch(place, { x: rounded(point.x), y: rounded(point.y) }, place.name, at);
      } else await this.patch(place, at, place.name, at);
    };
    this.draw();
    app.shell.map.focus();
    say(t('survey.moveTap'), true);
  }

  /** Discards the surveys of the place, in the draft: they count until that is published. */
  async clear(place) {
    const { app } = this;
    this.fault = null;
    try {
      const path = sitePath(app.draft.site.id, 'locations', place.id, 'clear');
      const answer = await ask(path, { method: 'POST', headers: { 'if-match': '*' } });
      app.did(() => app.draft.undoOf(answer.revision));
      say(t('survey.cleared'), true);
      await app.draft.edits(answer.revision - 1).then((edits) => app.draft.arrived(edits))
        .catch(() => null);
    } catch (fault) {
      this.fault = fault;
    }
    app.changed('floor');
  }

  async remove(place) {
    const { app } = this;
    const { floor } = app;
    const before = floor.locations;
    floor.locations = before.filter((one) => one.id !== place.id);
    await app.edit({
      do: 'remove', kind: 'locations', record: place.id, name: placeName(place),
    }, () => { floor.locations = before; });
    say(t('survey.removed'), true);
    go({ panel: 'places', record: null, point: null });
  }

  surveys(place) {
    const { app } = this;
    const all = app.floor.surveysOf(place);
    if (!all.length) return null;
    return el('section', {}, [
      el('h2', { text: tn('survey.surveys', all.length) }),
      el('ul', { class: 'rows' }, all.slice(0, MOST_SURVEYS).map((survey) => el('li', {
        class: 'survey-row',
      }, [
        el('span', {}, [
          el('strong', { text: when(survey.at) }),
          el('small', { class: 'quiet', text: [
            tn('survey.readings', survey.readings || 0),
            survey.state === 'taken' ? '' : t('survey.listed.' + survey.state),
          ].filter(Boolean).join(' · ') }),
        ]),
        this.mayWithdraw(survey) ? button(el('span', { text: t('survey.withdraw') }),
          () => this.withdraw(survey), {
            class: 'link', 'data-at': 'withdraw-' + survey.id,
            'aria-label': t('survey.withdrawOf', { when: when(survey.at) }),
          }) : null,
      ]))),
    ]);
  }

  /** One's own, and for administrators all. */
  mayWithdraw(survey) {
    const { app } = this;
    if (survey.state === 'withdrawn' || survey.state === 'cleared') return false;
    return app.rights.edits || Boolean(app.queue.survey(survey.id))
      || survey.author === app.draft.account;
  }

  async withdraw(survey) {
    const { app } = this;
    const own = app.queue.survey(survey.id);
    await app.queue.withdraw(survey.id);
    // Without the scan in this browser nothing can be sent again.
    if (own) app.did(() => app.queue.restore(survey.id));
    say(t(own ? 'survey.withdrawn' : 'survey.withdrawnForGood'), true);
    app.changed('floor');
  }

  draw() {
    redraw(this.app, this.content());
  }
}

export function placePanel(app, focus) {
  const panel = new PlacePanel(app);
  redraw(app, panel.content(), focus);
  app.update = () => {
    // Somebody types: nothing is drawn anew under the letters.
    const at = document.activeElement;
    if (at && at.id === 'survey-name' && panel.typed !== null && !app.run.isRunning) return;
    panel.draw();
  };
  app.leave = () => {
    app.tapFor = null;
    app.shown = null;
  };
}
