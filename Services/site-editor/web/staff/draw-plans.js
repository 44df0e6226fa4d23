// The plans of the floor that is shown: a file becomes a picture, is aligned, and lies on the map.

import { button, el, fill } from '/app/elements.js';
import { floorName } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { Fault } from '/app/service.js';
import { faultText, waitFor } from '/app/waiting.js';
import { hasWord, t, tn } from '/app/words.js';
import { DrawAlign } from './draw-align.js';
import { pointOfPixel } from './draw-alignment.js';
import {
  ACCEPTED, countPages, faultOfFile, faultOfSize, pictureOfPage, sendFile, typeOfFile,
} from './draw-files.js';
import { drawIcon } from './draw-icons.js';
import { PlanLayer } from './draw-layer.js';
import { drawnID } from './draw-scene.js';
import { detail } from './staff-faults.js';

const PREVIEW_DOTS = 50;
const FINE_DOTS = 150;
const MOST_PAGES = 1000;

export class DrawPlans {
  constructor(board) {
    this.board = board;
    this.scene = board.scene;
    this.layers = new Map();
    this.hidden = new Set();
    this.opacity = 0.6;
    this.align = null;
    this.list = el('div', {});
    this.work = el('div', { tabindex: '-1' });
    this.element = el('section', { class: 'draw-plans' }, [
      el('h2', { text: t('draw.plans') }), this.list, this.work,
    ]);
  }

  start() {
    this.draw();
    this.offer();
  }

  stop() {
    if (this.align) this.align.stop();
    this.layers.forEach((layer) => layer.remove());
    this.layers.clear();
  }

  floorChanged() {
    if (this.align) this.align.stop();
    this.align = null;
    this.draw();
    this.offer();
  }

  /** Shows the plans of the floor on the map, and lists them. */
  draw() {
    const { board, scene } = this;
    this.element.hidden = !scene.floor(board.floor);
    const plans = scene.plans(board.floor);
    // What the service adds to a plan changes nothing of it.
    const state = JSON.stringify([board.floor, plans.map((one) => [one.id, one.alignment]),
      Array.from(this.hidden), this.align !== null, scene.siteNow]);
    if (state === this.state) return;
    this.state = state;
    const shown = plans.filter((plan) => !this.hidden.has(plan.id) && scene.mapOf(plan));
    const keyOf = (plan) => plan.id + ' ' + plan.image.hash;
    const wanted = new Map(shown.map((plan) => [keyOf(plan), plan]));
    Array.from(this.layers.keys()).filter((key) => !wanted.has(key)).forEach((key) => {
      this.layers.get(key).remove();
      this.layers.delete(key);
    });
    wanted.forEach((plan, key) => this.lay(key, plan));
    fill(this.list, plans.map((plan, i) => this.row(plan, i)));
  }

  /** Lays a plan over the map; one that lies there already is only moved. */
  lay(key, plan) {
    const map = this.scene.mapOf(plan);
    const known = this.layers.get(key);
    if (known) {
      known.move(this.placing(map));
      if (!known.map) known.addTo(this.board.leaflet);
      return;
    }
    const layer = this.layerOf(plan, map);
    this.layers.set(key, layer);
    layer.addTo(this.board.leaflet);
  }

  placing(map) {
    return (column, row) => this.scene.frame.degrees(pointOfPixel(map, column, row));
  }

  layerOf(plan, map) {
    const layer = new PlanLayer('/v1/media/' + plan.image.hash,
      [plan.widthPixels, plan.heightPixels], this.placing(map));
    layer.fade(this.opacity);
    layer.wanted.catch(() => this.board.tell(t('draw.planGone'), 'bad'));
    return layer;
  }

  /** Takes a plan off the map while it is aligned anew. */
  hideLayer(plan) {
    const layer = this.layers.get(plan.id + ' ' + plan.image.hash);
    if (layer && layer.map) layer.remove();
  }

  row(plan, i) {
    const { board } = this;
    const id = 'draw-plan-' + i;
    const isShown = !this.hidden.has(plan.id);
    const shown = el('input', {
      id, type: 'checkbox', checked: isShown, on: {
        change: () => {
          if (shown.checked) this.hidden.delete(plan.id);
          else this.hidden.add(plan.id);
          this.draw();
        },
      },
    });
    const opacity = el('input', {
      id: id + '-opacity', type: 'range', min: 0.1, max: 1, step: 0.1, value: String(this.opacity),
      on: {
        input: () => {
          this.opacity = Number(opacity.value);
          this.layers.forEach((layer) => layer.fade(this.opacity));
        },
      },
    });
    const patch = (alignment) => board.send([{
      do: 'patch', kind: 'floor-plans', record: plan.id, value: { alignment }, name: '',
    }]);
    const { alignment } = plan;
    return el('div', { class: 'draw-plan-row' }, [
      el('span', { class: 'check' }, [shown, el('label', { for: id, text: t('draw.planShown') })]),
      el('div', { class: 'field' }, [
        el('label', { for: id + '-opacity', text: t('draw.opacity') }), opacity,
      ]),
      el('div', { class: 'row' }, [
        button([drawIcon('plan'), el('span', { text: t('draw.alignAgain') })],
          () => this.begin(plan), { class: 'tool' }),
        alignment.metresPerPixel ? button([drawIcon('turn'), el('span', { text: t('draw.turn') })],
          () => patch(Object.assign({}, alignment, {
            bearingDegrees: (alignment.bearingDegrees + 90) % 360,
          })), { class: 'tool' }) : null,
        button([icon('close'), el('span', { text: t('draw.remove') })], () => this.ask(plan),
          { class: 'tool' }),
      ]),
    ]);
  }

  ask(plan) {
    this.board.emit('question', {
      text: t('draw.goesAlone', { name: t('draw.plan') }),
      yes: () => this.board.send([{
        do: 'remove', kind: 'floor-plans', record: plan.id, value: { cascade: true }, name: '',
      }]),
    });
  }

  // MARK: A file

  /** The field for a file. */
  offer() {
    const input = el('input', {
      id: 'draw-file', type: 'file', accept: ACCEPTED, on: {
        change: () => {
          if (input.files.length) this.take(input.files[0]);
        },
      },
    });
    if (!this.scene.floor(this.board.floor)) {
      fill(this.work, null);
      return;
    }
    fill(this.work, [
      el('div', { class: 'field' }, [
        el('label', { for: 'draw-file', text: t('draw.upload') }), input,
      ]),
      el('p', { class: 'hint', text: t('draw.uploadHint') }),
    ]);
  }

  refuse(children) {
    this.offer();
    this.work.insertBefore(el('div', { class: 'fault' }, children), this.work.firstChild);
  }

  say(text) {
    this.board.tell(text, 'bad');
    this.refuse(el('p', { text }));
  }

  fail(fault) {
    const key = 'draw.refused.' + fault.code;
    const isKnown = fault instanceof Fault && hasWord(key);
    const text = isKnown ? t(key) : faultText(fault);
    this.board.tell(text, 'bad');
    const more = fault instanceof Fault && fault.status >= 400
      && fault.message !== String(fault.status);
    this.refuse([el('p', { text }), more ? detail(fault.message) : null]);
  }

  async take(file) {
    const wrong = faultOfFile(file);
    if (wrong) {
      this.say(t(wrong.key, wrong.values));
      return;
    }
    const floor = this.board.floor;
    try {
      const site = this.board.draft.site.id;
      const kept = await waitFor('wait.sending', (signal) => sendFile(file, site, signal));
      if (!kept || floor !== this.board.floor) return;
      if (typeOfFile(file) !== 'application/pdf') {
        this.takePicture(kept);
        return;
      }
      const count = await countPages(file);
      if (count === 1) await this.takePage(kept.media.hash, 1);
      else await this.choosePage(kept.media.hash, count);
    } catch (fault) {
      this.fail(fault);
    }
  }

  /** Asks which page of a PDF has this floor, with a picture of each. */
  async choosePage(hash, count) {
    const page = el('input', {
      id: 'draw-page', type: 'number', min: 1, max: count || MOST_PAGES, value: '1',
      inputmode: 'numeric', on: { change: () => show() },
    });
    const preview = el('img', { class: 'draw-preview', alt: '' });
    const told = el('p', { class: 'hint', role: 'status' });
    const show = async () => {
      const wanted = Math.max(1, Math.min(Number(page.max), Math.floor(Number(page.value)) || 1));
      page.value = String(wanted);
      try {
        const kept = await waitFor('wait.page', (signal) => (
          pictureOfPage(hash, wanted, this.board.draft.site.id, PREVIEW_DOTS, signal)));
        if (!kept || Number(page.value) !== wanted) return;
        preview.src = '/v1/media/' + kept.media.hash;
        preview.alt = t('draw.pageShown', { page: wanted });
        told.textContent = preview.alt;
      } catch (fault) {
        told.textContent = fault.code === 'page-unreadable' ? t('draw.noPage', { page: wanted })
          : faultText(fault);
      }
    };
    fill(this.work, [
      el('p', { text: count ? tn('draw.pages', count) : t('draw.pagesUnknown') }),
      el('div', { class: 'row' }, [
        el('div', { class: 'field short' }, [
          el('label', { for: 'draw-page', text: t('draw.page') }), page,
        ]),
        button([icon('keep'), el('span', { text: t('draw.usePage') })],
          () => this.takePage(hash, Number(page.value) || 1), { class: 'primary' }),
        button(el('span', { text: t('cancel') }), () => this.offer(), { class: 'secondary' }),
      ]), told, preview,
    ]);
    page.focus();
    await show();
  }

  async takePage(hash, page) {
    try {
      const kept = await waitFor('wait.page', (signal) => (
        pictureOfPage(hash, page, this.board.draft.site.id, FINE_DOTS, signal)));
      if (kept) this.takePicture(kept);
    } catch (fault) {
      this.fail(fault);
    }
  }

  takePicture(kept) {
    const wrong = faultOfSize(kept.widthPixels, kept.heightPixels);
    if (wrong) {
      this.say(t(wrong.key, wrong.values));
      return;
    }
    this.begin({
      id: drawnID('plan'), floor: this.board.floor, image: kept.media,
      widthPixels: kept.widthPixels, heightPixels: kept.heightPixels,
    });
  }

  // MARK: Aligning

  /** Other plans of the building: with their alignment this one lies at once. */
  likeOthers(plan) {
    const { scene, board } = this;
    const storey = scene.floor(board.floor);
    if (!storey) return [];
    return [].concat(...scene.floors(storey.building).map((floor) => scene.plans(floor.id)
      .filter((one) => one.id !== plan.id && one.widthPixels === plan.widthPixels
        && one.heightPixels === plan.heightPixels)
      .map((one) => ({ plan: one, name: floorName(floor) })))).slice(0, 6);
  }

  begin(plan) {
    if (this.align) this.align.stop();
    this.align = new DrawAlign(this, plan, this.work);
    this.align.start();
  }

  async keep(plan, alignment) {
    const { board } = this;
    const isKnown = Boolean(board.draft.shown('floor-plans', plan.id));
    const value = Object.assign({}, plan, { alignment });
    // What the service works out is not sent back to it.
    delete value.residualMetres;
    await board.send([isKnown ? {
      do: 'patch', kind: 'floor-plans', record: plan.id, value: { alignment }, name: '',
    } : { do: 'put', kind: 'floor-plans', record: plan.id, value, name: '' }]);
    this.over();
    this.hidden.delete(plan.id);
    this.draw();
    const map = this.scene.mapOf(value);
    if (map) this.see(map, plan);
    board.tell(t('draw.done.plan'), 'good');
  }

  over() {
    if (this.align) this.align.stop();
    this.align = null;
    this.state = null;
    this.draw();
    this.offer();
  }

  /** Fits the view to a plan. */
  see(map, plan) {
    const { board, scene } = this;
    const [wide, high] = [plan.widthPixels, plan.heightPixels];
    board.view.moved = true;
    board.view.fit([[0, 0], [wide, 0], [wide, high], [0, high]].map(([column, row]) => (
      scene.frame.degrees(pointOfPixel(map, column, row)))), false, 22);
  }
}
