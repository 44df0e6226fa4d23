// The tools that draw areas and lines. A tool stays in hand until another is taken.

import { t } from '/app/words.js';
import { distanceOf, selfCrossing } from './draw-geometry.js';
import { merging, splitting } from './draw-acts.js';
import { rectangle } from './draw-shapes.js';
import { roomName } from './draw-names.js';
import { drawnID } from './draw-scene.js';

const LEAST_METRES = 0.3;

/** What all tools have. Places are those of `DrawBoard.meant`. */
export class DrawTool {
  constructor(board, name) {
    this.board = board;
    this.name = name;
    /** Whether it shows where a point would be. */
    this.points = true;
  }

  /** The key of the sentence that says what to do next. */
  hint() {
    return 'draw.hint.' + this.name;
  }

  /** The rings to which it snaps, and the corners that are drawn already. */
  around() {
    return { rings: this.board.scene.rings(this.board.floor), from: [] };
  }

  /** Whether a press there holds something, so that the map does not move. */
  holds() {
    return false;
  }

  begin() {}

  drag() {}

  end() {}

  tap() {}

  move() {}

  paint() {}

  /** Drops what was begun; false if there is nothing. */
  cancel() {
    return false;
  }

  /** Takes the last corner back; false if there is none. */
  takeBack() {
    return this.cancel();
  }

  /** Ends a line that could go on; null where it has no end of its own. */
  finish() {
    return null;
  }

  get canFinish() {
    return false;
  }

  floorChanged() {
    this.cancel();
  }

  leave() {
    this.cancel();
  }

  say(key, values, kind) {
    this.board.tell(t(key, values), kind);
  }
}

/** A rectangle: by a drag from corner to corner, or by two taps. */
export class RoomTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.first = null;
    this.last = null;
  }

  around() {
    return Object.assign(super.around(), { from: this.first ? [this.first] : [] });
  }

  holds() {
    return true;
  }

  ring() {
    const { board } = this;
    return rectangle(this.first, this.last, board.scene.angle(board.floor));
  }

  begin(at) {
    this.board.faults = [];
    this.first = at.point;
    this.last = at.point;
  }

  drag(at) {
    this.last = at.point;
  }

  end(at) {
    this.last = at.point;
    this.complete();
  }

  tap(at) {
    if (!this.first) {
      this.begin(at);
      this.say('draw.hint.secondCorner');
      return;
    }
    this.end(at);
  }

  move(at) {
    if (this.first) this.last = at.point;
  }

  complete() {
    const ring = this.ring();
    this.first = null;
    this.last = null;
    const least = Math.min(distanceOf(ring[0], ring[1]), distanceOf(ring[1], ring[2]));
    if (least < LEAST_METRES) {
      this.say('draw.tooSmall', null, 'bad');
      return;
    }
    if (!this.board.floor) {
      this.say('draw.noFloor', null, 'bad');
      return;
    }
    this.board.addRoom(ring);
  }

  cancel() {
    const some = this.first !== null;
    this.first = null;
    this.last = null;
    return some;
  }

  paint(painter) {
    if (this.first && this.last) painter.ring(this.ring(), 'new', 2, 0.15);
  }
}

/** A line of corners: an outline, or a way. */
class LineTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.corners = [];
    this.last = null;
  }

  around() {
    return Object.assign(super.around(), { from: this.corners });
  }

  get canFinish() {
    return this.corners.length >= this.least;
  }

  move(at) {
    this.last = at.point;
  }

  isAtLast(at) {
    const { corners } = this;
    return corners.length > 0 && distanceOf(corners[corners.length - 1], at.point) < 0.01;
  }

  takeBack() {
    if (!this.corners.length) return false;
    this.corners.pop();
    this.board.faults = [];
    this.board.emit('told');
    return true;
  }

  cancel() {
    const some = this.corners.length > 0;
    this.corners = [];
    this.last = null;
    return some;
  }

  add(at) {
    this.corners.push(at.point);
    this.board.hint(this.corners.length < this.least ? 'draw.hint.nextCorner' : this.further);
  }
}

/** The outline of a room, corner by corner; a tap on its first or last corner closes it. */
export class OutlineTool extends LineTool {
  constructor(board, name) {
    super(board, name);
    this.least = 3;
    this.further = 'draw.hint.close';
  }

  tap(at) {
    const { corners } = this;
    const isClosing = this.canFinish
      && (this.isAtLast(at) || distanceOf(corners[0], at.point) < at.radius);
    if (isClosing) {
      this.finish();
      return;
    }
    if (this.isAtLast(at)) return;
    if (this.tellCrossing(selfCrossing(corners.concat([at.point]), true))) return;
    this.board.faults = [];
    this.add(at);
  }

  /** Says where the outline crosses itself; the corner is not taken. */
  tellCrossing(met) {
    if (!met) return false;
    this.crossing = met;
    this.say('draw.crossesItself', null, 'bad');
    return true;
  }

  finish() {
    if (!this.canFinish || this.tellCrossing(selfCrossing(this.corners))) return null;
    const ring = this.corners;
    this.cancel();
    if (!this.board.floor) this.say('draw.noFloor', null, 'bad');
    else this.board.addRoom(ring);
    return null;
  }

  cancel() {
    this.crossing = null;
    return super.cancel();
  }

  paint(painter) {
    const { corners } = this;
    if (!corners.length) return;
    const all = this.last ? corners.concat([this.last]) : corners;
    if (all.length > 2) painter.ring(all, 'new', 1, 0.12, [3, 4]);
    painter.line(all, 'new', 2);
    corners.forEach((corner) => painter.handle(corner, 'new'));
    if (this.crossing) painter.dot(this.crossing, 'bad', 7);
  }
}

/** A way: the middle of a path, from tap to tap. */
export class WayTool extends LineTool {
  constructor(board, name) {
    super(board, name);
    this.least = 2;
    this.further = 'draw.hint.endWay';
  }

  around() {
    // Ways meet where their ends are at one point.
    const { board } = this;
    const ends = [].concat(...board.scene.connections(board.floor)
      .map((one) => one.stops.map((stop) => [stop.x, stop.y])));
    return Object.assign(super.around(), { from: ends.concat(this.corners) });
  }

  tap(at) {
    if (this.isAtLast(at)) {
      if (this.canFinish) this.finish();
      return;
    }
    this.add(at);
  }

  finish() {
    if (!this.canFinish) return null;
    const points = this.corners;
    this.cancel();
    const ends = [points[0], points[points.length - 1]].map((point) => this.board.stopAt(point));
    const way = { id: drawnID('way'), kind: 'walk', stops: ends, accessible: 'yes' };
    if (points.length > 2) way.line = points.slice(1, -1);
    this.board.put('connections', way);
    this.say('draw.done.way', null, 'good');
    return null;
  }

  paint(painter) {
    const all = this.last && this.corners.length ? this.corners.concat([this.last]) : this.corners;
    painter.line(all, 'new', 3);
    this.corners.forEach((corner) => painter.handle(corner, 'new'));
  }
}

/** Cuts a room along a line between two taps. */
export class SplitTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.first = null;
    this.last = null;
  }

  around() {
    return Object.assign(super.around(), { from: this.first ? [this.first] : [] });
  }

  move(at) {
    this.last = at.point;
  }

  async tap(at) {
    const { board } = this;
    if (!this.first) {
      this.first = at.point;
      this.say('draw.hint.cutEnd');
      return;
    }
    const line = [this.first, at.point];
    this.cancel();
    const middle = [0, 1].map((axis) => (line[0][axis] + line[1][axis]) / 2);
    const room = board.scene.roomAt(board.floor, middle);
    const lists = await board.hanging();
    if (!lists) return;
    const edits = room && splitting(room, line, drawnID('room'), lists);
    if (!edits) {
      this.say('draw.noCut', null, 'bad');
      return;
    }
    await board.send(edits);
    this.say('draw.done.split', null, 'good');
    board.emit('drawn', edits[0].value);
  }

  cancel() {
    const some = this.first !== null;
    this.first = null;
    this.last = null;
    return some;
  }

  paint(painter) {
    if (this.first && this.last) painter.line([this.first, this.last], 'bad', 2, [6, 4]);
  }
}

/** Makes two rooms one: a tap on each. */
export class MergeTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.points = false;
    this.first = null;
  }

  async tap(at) {
    const { board } = this;
    const room = board.scene.roomAt(board.floor, at.raw);
    if (!room) {
      this.say('draw.noRoom', null, 'bad');
      return;
    }
    if (!this.first || this.first.id === room.id) {
      this.first = room;
      this.say('draw.hint.second', { name: roomName(room) });
      return;
    }
    const { first } = this;
    this.first = null;
    const lists = await board.hanging();
    if (!lists) return;
    const edits = merging(first, room, lists);
    if (!edits) {
      this.say('draw.noMerge', null, 'bad');
      return;
    }
    await board.send(edits);
    this.say('draw.done.merge', null, 'good');
  }

  cancel() {
    const some = this.first !== null;
    this.first = null;
    return some;
  }

  paint(painter) {
    if (this.first) painter.ring(this.first.outline, 'new', 3, 0.2);
  }
}
