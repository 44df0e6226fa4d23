// Aligning a plan: by points that are pressed on it and on the map in turn, by a length, or as the
// plan of another floor.

import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { number, t } from '/app/words.js';
import { judged, placedByScale, pointOfPixel } from './draw-alignment.js';
import { drawIcon } from './draw-icons.js';
import { PickTool } from './draw-pick.js';
import { DrawViewer } from './draw-viewer.js';

const ENOUGH_PAIRS = 3;
const MOST_METRES = 10000;

export class DrawAlign {
  constructor(plans, plan, work) {
    this.plans = plans;
    this.plan = plan;
    this.work = work;
    this.board = plans.board;
    this.scene = plans.scene;
    this.pairs = plan.alignment && plan.alignment.pairs ? plan.alignment.pairs.slice() : [];
    this.pixel = null;
    this.ends = [];
    const page = this.board.app.shell.map.parentNode;
    this.viewer = new DrawViewer(page, {
      address: '/v1/media/' + plan.image.hash, size: [plan.widthPixels, plan.heightPixels],
    }, (column, row) => this.pressed(column, row));
    this.metres = '';
  }

  start() {
    this.reference();
    // Esc leads from the plan to the map.
    this.board.closing = () => {
      const { isShown } = this.viewer;
      this.viewer.hide();
      if (isShown) this.draw();
      return isShown;
    };
    // Where nothing is around there is nothing to press on the map.
    const hasMap = Boolean(this.board.reference)
      || this.scene.rings(this.board.floor).length > 0 || Boolean(this.board.view.outdoors);
    this.take(this.pairs.length || hasMap ? 'points' : 'scale');
  }

  stop() {
    this.isOver = true;
    this.viewer.stop();
    this.board.closing = null;
    this.board.reference = null;
    if (this.preview) this.preview.remove();
    this.preview = null;
    if (this.isPicking) {
      this.isPicking = false;
      this.board.take('change');
    }
    this.board.redraw();
  }

  /** The rooms of the nearest floor, where this one has none: their corners can be pressed. */
  reference() {
    const { board, scene } = this;
    const storey = scene.floor(board.floor);
    if (!storey || scene.rings(board.floor).length) return;
    const others = scene.floors(storey.building).filter((one) => scene.rings(one.id).length)
      .sort((one, other) => Math.abs(one.ordinal - storey.ordinal)
        - Math.abs(other.ordinal - storey.ordinal));
    board.reference = others.length ? scene.rings(others[0].id) : null;
    board.redraw();
  }

  take(way) {
    this.way = way;
    this.pixel = null;
    this.showPlan();
    this.draw();
  }

  // MARK: What is pressed

  showPlan() {
    const key = this.way === 'scale' ? (this.ends.length ? 'draw.press.end' : 'draw.press.start')
      : 'draw.press.plan';
    this.viewer.show(t(key, { number: number(this.pairs.length + 1) }));
    this.viewer.mark(this.way === 'scale' ? this.ends
      : this.pairs.concat(this.pixel ? [this.pixel] : []));
  }

  pressed(column, row) {
    if (this.way === 'scale') {
      if (this.ends.length > 1) this.ends = [];
      this.ends.push({ column, row });
      this.showPlan();
      this.draw();
      const field = document.getElementById('draw-metres');
      if (this.ends.length === 2 && field) field.focus();
      return;
    }
    this.pixel = { column, row };
    this.viewer.hide();
    this.pick();
  }

  /** The next tap on the map is the place of the pressed pixel. */
  pick() {
    const { board } = this;
    this.isPicking = true;
    const tool = new PickTool(board, (at) => {
      this.pairs.push(Object.assign(this.pixel, { x: at.point[0], y: at.point[1] }));
      this.pixel = null;
      this.isPicking = false;
      board.take('change');
      if (this.pairs.length < ENOUGH_PAIRS) this.showPlan();
      this.draw();
    }, () => {
      this.isPicking = false;
      this.pixel = null;
      if (!this.isOver) this.draw();
    });
    board.takeTool(tool, t('draw.press.map', { number: number(this.pairs.length + 1) }));
    this.draw();
  }

  // MARK: What is shown

  draw() {
    const found = this.way === 'points' ? judged(this.pairs) : null;
    this.showPreview(found);
    const others = this.plans.likeOthers(this.plan);
    fill(this.work, [
      el('h3', { text: t('draw.align') }),
      el('div', { class: 'row' }, [
        others.map((one) => button([drawIcon('plan'), el('span', {
          text: t('draw.alignLike', { name: one.name }),
        })], () => this.plans.keep(this.plan, one.plan.alignment), { class: 'secondary' })),
        this.choice('points'), this.choice('scale'),
      ]),
      this.way === 'points' ? this.pointsPart(found) : this.scalePart(),
      el('div', { class: 'row' }, [
        button([drawIcon('turn'), el('span', { text: t('draw.turn') })], () => this.viewer.turn(),
          { class: 'secondary' }),
        button(el('span', { text: t('cancel') }), () => this.plans.over(), { class: 'secondary' }),
      ]),
    ]);
  }

  choice(way) {
    return button(el('span', { text: t('draw.align.' + way) }), () => this.take(way), {
      class: 'secondary', 'aria-pressed': String(this.way === way),
    });
  }

  /** The plan over the map as these pairs would lay it. */
  showPreview(found) {
    if (this.preview) this.preview.remove();
    this.preview = null;
    if (!found || !found.map) return;
    this.preview = this.plans.layerOf(this.plan, found.map);
    this.preview.addTo(this.board.leaflet);
    this.plans.hideLayer(this.plan);
  }

  pointsPart(found) {
    const isFew = this.pairs.length < ENOUGH_PAIRS;
    const metres = (value) => t('draw.exactMetres', { number: number(value, 2) });
    const rows = this.pairs.map((pair, i) => {
      const away = found && found.metres && this.pairs.length > 2 ? metres(found.metres[i]) : '';
      const isWrong = Boolean(found) && found.wrong === i;
      return el('li', { class: isWrong ? 'wrong' : null }, [
        el('span', { text: [t('draw.pair', { number: number(i + 1) }), away].filter(Boolean)
          .join(': ') }),
        isWrong ? el('strong', { text: t('draw.pairWrong') }) : null,
        button(icon('close'), () => {
          this.pairs.splice(i, 1);
          this.showPlan();
          this.draw();
        }, { class: 'round small', 'aria-label': t('draw.pairRemove', { number: number(i + 1) }) }),
      ]);
    });
    const told = this.judgement(found, metres);
    return el('div', {}, [
      el('p', { class: 'hint', text: t('draw.pointsHint') }),
      rows.length ? el('ol', { class: 'draw-pairs' }, rows) : null,
      told ? el('p', { class: told.isBad ? 'news bad' : 'news good', text: told.text }) : null,
      el('div', { class: 'row' }, [
        !this.viewer.isShown && !this.isPicking ? button([icon('plus'),
          el('span', { text: t('draw.morePoints') })], () => {
          this.showPlan();
          this.draw();
        }, { class: 'secondary' }) : null,
        !isFew && found && found.map ? button([icon('keep'), el('span', {
          text: t(found.isLoose ? 'draw.alignAllTheSame' : 'draw.alignKeep'),
        })], () => this.plans.keep(this.plan, { pairs: this.pairs }), {
          class: found.isLoose ? 'secondary' : 'primary',
        }) : null,
      ]),
    ]);
  }

  /** The sentence about the pairs: on one line, in contradiction, or fine. */
  judgement(found, metres) {
    if (!found || this.pairs.length < 2) return null;
    if (found.fault === 'line') return { text: t('draw.onOneLine'), isBad: true };
    if (this.pairs.length < ENOUGH_PAIRS) return null;
    const mean = metres(found.mean);
    if (!found.isLoose) return { text: t('draw.fits', { metres: mean }), isBad: false };
    if (found.wrong >= 0) {
      return {
        text: t('draw.pairIsWrong', { metres: mean, number: number(found.wrong + 1) }), isBad: true,
      };
    }
    const key = this.pairs.length === 3 ? 'draw.addFourth' : 'draw.noneStandsOut';
    return { text: t(key, { metres: mean }), isBad: true };
  }

  scalePart() {
    const input = el('input', {
      id: 'draw-metres', type: 'number', min: 0.1, max: MOST_METRES, step: 'any',
      inputmode: 'decimal', value: this.metres, on: { input: () => { this.metres = input.value; } },
    });
    return el('form', {
      novalidate: true, on: {
        submit: (event) => {
          event.preventDefault();
          this.keepScale();
        },
      },
    }, [
      el('p', { class: 'hint', text: t('draw.scaleHint') }),
      el('div', { class: 'field' }, [
        el('label', { for: 'draw-metres', text: t('draw.metres') }), input,
      ]),
      el('button', { type: 'submit', class: 'primary' }, [
        icon('keep'), el('span', { text: t('draw.alignKeep') }),
      ]),
    ]);
  }

  keepScale() {
    const { board, plan, ends } = this;
    const metres = Number(String(this.metres).replace(',', '.'));
    if (ends.length < 2) {
      board.tell(t('draw.pressTwo'), 'bad');
      this.showPlan();
      return;
    }
    const bearing = this.scene.frame.bearingDegrees + 90 * this.viewer.quarters;
    const found = metres > 0 && metres <= MOST_METRES ? placedByScale(
      [ends[0].column, ends[0].row], [ends[1].column, ends[1].row], metres, null,
      this.centre(), (bearing + 360) % 360) : null;
    if (!found) {
      board.tell(t('draw.metresFault'), 'bad');
      const field = document.getElementById('draw-metres');
      if (field) field.focus();
      return;
    }
    this.plans.keep(plan, {
      x: found.x, y: found.y, metresPerPixel: found.metresPerPixel,
      bearingDegrees: found.bearingDegrees,
    });
  }

  /** Where the plan's middle lies: where it was, else in the middle of the map. */
  centre() {
    const { board, plan, scene } = this;
    const map = plan.alignment ? scene.mapOf(plan) : null;
    const at = map ? pointOfPixel(map, plan.widthPixels / 2, plan.heightPixels / 2)
      : board.metres(board.view.middle());
    return at.map((value) => Math.round(value * 100) / 100);
  }
}
