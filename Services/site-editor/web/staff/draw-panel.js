// The panel Draw: a building from nothing. Tools over the map, and beside it the site, its
// buildings with their floors, and the plans.

import { el, button, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { t } from '/app/words.js';
import { editName } from './changes-panel.js';
import { DrawBoard } from './draw-board.js';
import { DrawBox } from './draw-box.js';
import { ChangeTool } from './draw-change.js';
import { DoorTool, RiseTool } from './draw-doors.js';
import { drawIcon } from './draw-icons.js';
import { DrawPlans } from './draw-plans.js';
import { DrawScene } from './draw-scene.js';
import { DrawSite } from './draw-site.js';
import { MergeTool, OutlineTool, RoomTool, SplitTool, WayTool } from './draw-tools.js';
import { staffFault } from './staff-faults.js';

const TOOLS = {
  change: ChangeTool, room: RoomTool, outline: OutlineTool, door: DoorTool, opening: DoorTool,
  entrance: DoorTool, stairs: RiseTool, lift: RiseTool, ramp: RiseTool, escalator: RiseTool,
  way: WayTool, split: SplitTool, merge: MergeTool,
};

const KEYS = ['arrows', 'alt', 'enter', 'shift', 'space', 'delete', 'escape'];
const WIDE = window.matchMedia('(min-width: 46rem)');

class DrawPanel {
  constructor(app, scene) {
    this.app = app;
    this.scene = scene;
    const board = new DrawBoard(app, scene);
    this.board = board;
    Object.keys(TOOLS).forEach((name) => { board.tools[name] = new TOOLS[name](board, name); });
    this.box = new DrawBox(board);
    this.plans = new DrawPlans(board);
    this.site = new DrawSite(board, this.plans);
    this.note = el('p', { class: 'draw-note', role: 'note' });
    this.further = el('div', { class: 'draw-further' });
    this.bar = el('div', { class: 'draw-bar' }, [
      this.toolRow(), el('div', { class: 'draw-line' }, [this.note, this.further]),
      this.box.element,
    ]);
    this.content = [
      el('h1', { class: 'unseen', text: t('panel.draw') }), this.site.element, this.plans.element,
      this.copyElement = el('section', {}), this.site.further, this.keysElement(),
    ];
    board.on((what, value) => this.happened(what, value));
  }

  start() {
    const { app, board } = this;
    const page = app.shell.map.parentNode;
    page.appendChild(this.bar);
    document.documentElement.classList.add('drawing-site');
    board.start();
    this.plans.start();
    this.site.draw();
    this.hasFloor = Boolean(board.floor);
    board.take(this.hasFloor ? 'room' : 'change');
    if (!this.scene.buildings().length) board.hint('draw.hint.begin');
    this.drawCopy();
    // What is read now is there in a cellar, too.
    this.scene.readHanging().catch(() => null);
  }

  stop() {
    this.box.close();
    this.plans.stop();
    this.board.stop();
    document.documentElement.classList.remove('drawing-site');
    if (this.bar.parentNode) this.bar.parentNode.removeChild(this.bar);
  }

  // MARK: Tools

  toolRow() {
    this.buttons = new Map();
    const row = Object.keys(TOOLS).map((name) => {
      const one = button([drawIcon(name), el('span', { text: t('draw.tool.' + name) })],
        () => this.takeTool(name), { 'data-tool': name, 'aria-pressed': 'false' });
      this.buttons.set(name, one);
      return one;
    });
    this.snap = button([drawIcon('snap'), el('span', { text: t('draw.snap') })], () => {
      this.board.isSnapping = !this.board.isSnapping;
      this.snap.setAttribute('aria-pressed', String(this.board.isSnapping));
    }, { 'aria-pressed': 'true', 'data-tool': 'snap', title: t('draw.snapHint') });
    // A telephone shows the tools that are used most, the one in hand, and the others when asked.
    const more = button([icon('down'), el('span', { text: t('draw.moreTools') })], () => {
      this.showTools(!this.tools.classList.contains('all'));
    }, { class: 'more', 'data-tool': 'more', 'aria-expanded': 'false' });
    this.more = more;
    this.tools = el('div', { class: 'draw-tools', role: 'group', 'aria-label': t('draw.tools') },
      row.concat([this.snap, more]));
    return this.tools;
  }

  showTools(all) {
    this.tools.classList.toggle('all', all);
    this.more.setAttribute('aria-expanded', String(all));
  }

  /** On a telephone the panel makes room for the drawing. */
  takeTool(name) {
    this.board.take(name);
    this.showTools(false);
    if (!WIDE.matches) this.app.shell.toggle(false);
  }

  happened(what, value) {
    const { board } = this;
    if (what === 'tool') {
      this.buttons.forEach((one, name) => {
        one.setAttribute('aria-pressed', String(name === this.board.tool.name));
      });
      if (!this.box.shown || !this.box.shown.isNew) this.box.close();
    }
    if (what === 'drawn') this.box.nameNew(value);
    if (what === 'chosen') this.box.showChosen();
    if (what === 'remove') {
      const { record, chosen } = this.board.tools.change;
      this.box.ask(chosen.kind, record);
    }
    if (what === 'question') this.box.question(value.text, value.yes);
    if (what === 'floor') {
      this.box.close();
      // The map may show its first floor later than the panel.
      if (!this.hasFloor && board.floor) {
        this.hasFloor = true;
        board.take('room');
      }
      this.plans.floorChanged();
      this.site.draw();
      this.drawCopy();
    }
    this.drawNote();
  }

  /** What to do next, or what is wrong; beside it the end of a line, and the width of a door. */
  drawNote() {
    const { board } = this;
    const told = board.told || { text: '', kind: '' };
    this.note.textContent = told.text;
    this.note.className = 'draw-note ' + told.kind;
    const { tool } = board;
    if (!tool) return;
    const state = [tool.name, tool.canFinish].join();
    if (state === this.furtherState) return;
    this.furtherState = state;
    fill(this.further, [
      tool.canFinish ? button([icon('keep'), el('span', { text: t('draw.finish') })],
        () => {
          tool.finish();
          this.drawNote();
          board.redraw();
        }, { class: 'tool finish' }) : null,
      tool.widthMetres ? this.widthField(tool) : null,
    ]);
  }

  widthField(tool) {
    const input = el('input', {
      id: 'draw-door-width', type: 'number', min: 0.3, max: 100, step: 0.05,
      value: String(tool.widthMetres), inputmode: 'decimal', on: {
        change: () => {
          const metres = Number(input.value);
          if (metres >= 0.05 && metres <= 1000) tool.widthMetres = metres;
          else input.value = String(tool.widthMetres);
        },
      },
    });
    return el('div', { class: 'field short' }, [
      el('label', { for: 'draw-door-width', text: t('field.widthMetres') }), input,
    ]);
  }

  // MARK: Further parts of the panel

  /** All rooms of the floor again on another one. */
  drawCopy() {
    const { board, scene } = this;
    const storey = scene.floor(board.floor);
    const rooms = storey ? scene.rooms(board.floor) : [];
    const others = storey ? scene.floors(storey.building)
      .filter((one) => one.id !== board.floor) : [];
    this.copyElement.hidden = !rooms.length || !others.length;
    fill(this.copyElement, this.copyElement.hidden ? null : [
      el('h2', { text: t('draw.copyFloor') }),
      el('p', { class: 'hint', text: t('draw.copyHint') }),
      this.box.copyChoice(rooms, others),
    ]);
  }

  keysElement() {
    const row = (key) => [el('dt', {}, el('kbd', { text: t('draw.key.' + key) })),
      el('dd', { text: t('draw.keyDoes.' + key) })];
    return el('details', { class: 'draw-keys' }, [
      el('summary', { text: t('draw.keys') }),
      el('dl', { class: 'keys' }, [].concat(...KEYS.map((name) => row(name)))),
    ]);
  }

  /** The draft has changed, by whomever. */
  update(what, value) {
    const { scene, board } = this;
    if (what === 'journal' && !value.quiet) this.tellOthers(value.edits);
    if (what === 'journal' && value.edits.some((one) => one.kind === 'site')) {
      scene.readSite().then(() => this.redraw(), () => null);
    }
    if (what === 'record' && !value.kind && value.isForeign) {
      // After an import, or a restored version, all is new.
      scene.read().then(() => this.redraw(), () => null);
    }
    if (what === 'refused') {
      board.tell(t('save.refusedNow', { name: editName(value) }), 'bad');
    }
    if (what === 'record' || what === 'undone' || what === 'refused') this.redraw();
  }

  redraw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { board, box, scene } = this;
      scene.forget();
      board.redraw();
      this.site.draw();
      this.plans.draw();
      this.drawCopy();
      const isGone = box.shown && box.shown.id
        && !board.draft.shown(box.shown.kind, box.shown.id);
      if (isGone) box.close();
    });
  }

  /** Somebody has changed the floor on which is drawn. */
  tellOthers(edits) {
    const { board, scene } = this;
    const own = edits.filter((one) => one.kind === 'floors' && one.record === board.floor
      && !board.draft.isOwn(one));
    if (!own.length) return;
    const last = own[own.length - 1];
    const who = (last.by && last.by.name) || t('staff.somebody');
    const floor = scene.floor(board.floor);
    if (last.do === 'remove') board.tell(t('draw.floorRemoved', { who }), 'bad');
    else {
      board.draft.readOne('floors', board.floor).then((now) => {
        const level = now ? now.level : floor && floor.level;
        board.tell(t(now ? 'draw.floorChanged' : 'draw.floorRemoved', { who, level }), 'bad');
      }, () => null);
    }
  }
}

/** Shows the panel; it goes when another one comes. */
export async function drawPanel(app, focus) {
  const scene = app.scene || new DrawScene(app.draft);
  app.scene = scene;
  let isOpen = true;
  let panel = null;
  app.leave = () => {
    isOpen = false;
    if (panel) panel.stop();
  };
  app.shell.waiting(t('wait.drawing'));
  try {
    await scene.read();
  } catch (fault) {
    if (isOpen) app.shell.set(staffFault(fault, () => app.render(true)), focus);
    return;
  }
  if (!isOpen) return;
  app.map.leave();
  panel = new DrawPanel(app, scene);
  app.drawing = panel;
  app.shell.set(panel.content, focus);
  panel.start();
  app.update = (what, value) => panel.update(what, value);
}
