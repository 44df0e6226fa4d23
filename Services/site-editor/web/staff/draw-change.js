// The tool that changes what is drawn: it chooses, moves rooms and corners, adds and removes them.

import { cornering, doorsInTheAir, insertion, removalOf, shifting } from './draw-acts.js';
import { boxOf, distanceOf, selfCrossing } from './draw-geometry.js';
import { roomName } from './draw-names.js';
import { DrawTool } from './draw-tools.js';

const SAME_METRES = 0.02;

export class ChangeTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.points = false;
    this.chosen = null;
    this.corner = -1;
    this.held = null;
    this.preview = [];
  }

  hint() {
    return this.chosen ? 'draw.hint.chosen' : 'draw.hint.change';
  }

  /** The chosen record as it is now; null where there is none any more. */
  get record() {
    if (!this.chosen) return null;
    return this.board.draft.shown(this.chosen.kind, this.chosen.id);
  }

  get room() {
    const { record } = this;
    return record && this.chosen.kind === 'rooms' && record.floor === this.board.floor
      && (record.outline || []).length > 2 ? record : null;
  }

  choose(kind, id) {
    this.chosen = id ? { kind, id } : null;
    this.corner = -1;
    this.held = null;
    this.preview = [];
    this.board.emit('chosen');
    this.board.redraw();
  }

  around() {
    const { held, room, board } = this;
    if (!held || !room || held.is === 'room') return { rings: [], from: [] };
    const { outline } = room;
    const count = outline.length;
    const from = held.is === 'corner'
      ? [outline[(held.index + count - 1) % count], outline[(held.index + 1) % count]]
      : [outline[held.index], outline[(held.index + 1) % count]];
    // What moves along is nothing to hold on to.
    const moving = held.is === 'corner' ? outline[held.index] : null;
    const rings = board.scene.rooms(board.floor).filter((one) => one.id !== room.id
      && !(moving && one.outline.some((corner) => distanceOf(corner, moving) <= SAME_METRES)))
      .map((one) => one.outline);
    return { rings, from };
  }

  /** What of the chosen room is under a place: a corner, the middle of a wall, or the room. */
  under(at) {
    const { room, board } = this;
    if (!room) return null;
    const reach = at.radius * 1.2;
    const { outline } = room;
    const corner = outline.findIndex((one) => distanceOf(one, at.raw) <= reach);
    if (corner >= 0) return { is: 'corner', index: corner };
    const wall = this.middles(outline).findIndex((one) => distanceOf(one, at.raw) <= reach);
    if (wall >= 0) return { is: 'wall', index: wall };
    const top = board.scene.roomAt(board.floor, at.raw);
    return top && top.id === room.id ? { is: 'room', from: at.raw } : null;
  }

  middles(outline) {
    return outline.map((one, i) => {
      const next = outline[(i + 1) % outline.length];
      return [(one[0] + next[0]) / 2, (one[1] + next[1]) / 2];
    });
  }

  holds(at) {
    return this.under(at) !== null;
  }

  begin(at) {
    this.held = this.under(at);
    if (this.held && this.held.is === 'corner') this.corner = this.held.index;
  }

  drag(at) {
    const edits = this.edits(at);
    this.preview = edits ? edits.filter((one) => one.kind === 'rooms')
      .map((one) => one.value.outline) : [];
  }

  move(at) {
    if (this.held) this.drag(at);
  }

  edits(at) {
    const { held, room, board } = this;
    if (!held || !room) return null;
    const { scene } = board;
    if (held.is === 'corner') {
      return cornering(room, held.index, at.point, scene.rooms(board.floor),
        scene.connections(board.floor));
    }
    if (held.is === 'wall') return insertion(room, held.index, at.point);
    const by = [at.raw[0] - held.from[0], at.raw[1] - held.from[1]];
    return shifting(room, by, scene.lists());
  }

  async end(at) {
    const edits = this.edits(at);
    const { held } = this;
    this.held = null;
    this.preview = [];
    if (!edits) return;
    const wrong = edits.filter((one) => one.kind === 'rooms')
      .some((one) => selfCrossing(one.value.outline));
    if (wrong) {
      this.say('draw.crossesItself', null, 'bad');
      return;
    }
    if (held.is === 'wall') this.corner = held.index + 1;
    await this.board.send(edits);
    this.board.emit('chosen');
    this.lookAtFaults();
  }

  /** Says what now lies across others, and which doors stand in no wall. */
  lookAtFaults() {
    const { board, room } = this;
    if (!room) return;
    const { scene } = board;
    if (board.lookAcross(room, scene.rooms(board.floor))) return;
    const doors = doorsInTheAir(scene.connections(board.floor), (id) => {
      const found = scene.room(id);
      return found && (found.outline || []).length > 2 ? found.outline : null;
    });
    if (doors.length) this.say('draw.doorsInTheAir', { count: doors.length }, 'bad');
    else this.say('draw.done.moved', null, 'good');
  }

  tap(at) {
    const { board } = this;
    if (this.held) {
      this.end(at);
      return;
    }
    board.faults = [];
    const under = this.under(at);
    if (under && under.is !== 'room') {
      if (board.pointer.byKeys) this.held = under;
      this.corner = under.is === 'corner' ? under.index : -1;
      this.board.emit('chosen');
      this.say(board.pointer.byKeys ? 'draw.hint.carry' : 'draw.hint.corner');
      return;
    }
    const way = this.wayAt(at);
    if (way) {
      this.choose('connections', way.id);
      return;
    }
    const room = board.scene.roomAt(board.floor, at.raw);
    // The keyboard picks a chosen room up by a second Enter.
    if (room && this.room && room.id === this.room.id && board.pointer.byKeys) {
      this.held = under;
      this.say('draw.hint.carry');
      return;
    }
    this.choose('rooms', room ? room.id : null);
    board.hint(this.hint());
  }

  wayAt(at) {
    const { board } = this;
    let best = null;
    let least = at.radius * 1.3;
    board.scene.connections(board.floor).forEach((one) => one.stops.forEach((stop) => {
      const distance = distanceOf([stop.x, stop.y], at.raw);
      if (stop.floor && stop.floor !== board.floor) return;
      if (distance > least) return;
      best = one;
      least = distance;
    }));
    return best;
  }

  async removeCorner() {
    const { room, board } = this;
    const edits = room && cornering(room, this.corner, null, [], []);
    if (!edits || selfCrossing(edits[0].value.outline)) {
      this.say('draw.lastCorners', null, 'bad');
      return;
    }
    this.corner = -1;
    await board.send(edits);
    board.emit('chosen');
    this.lookAtFaults();
  }

  /** Removes the chosen record with what hangs on it; the box has asked. */
  async remove() {
    const { record, board } = this;
    if (!record) return;
    const { kind } = this.chosen;
    this.choose(null, null);
    await board.send(removalOf(kind, record));
    this.say('draw.done.remove', { name: roomName(record) }, 'good');
  }

  takeBack() {
    if (this.room && this.corner >= 0) {
      this.removeCorner();
      return true;
    }
    if (!this.record) return false;
    this.board.emit('remove');
    return true;
  }

  cancel() {
    if (this.held) {
      this.held = null;
      this.preview = [];
      return true;
    }
    const some = this.chosen !== null;
    if (some) this.choose(null, null);
    return some;
  }

  floorChanged() {
    this.held = null;
    this.preview = [];
  }

  leave() {
    this.cancel();
    if (this.chosen) this.choose(null, null);
  }

  paint(painter) {
    const { room, record } = this;
    if (room) {
      if (!painter.isSeen(boxOf(room.outline))) return;
      painter.ring(room.outline, 'wall', 3, 0.14);
      this.middles(room.outline).forEach((point) => painter.dot(point, 'wall', 4, true));
      room.outline.forEach((corner, i) => painter.handle(corner, 'wall', i === this.corner));
    } else if (record && this.chosen.kind === 'connections') {
      record.stops.filter((stop) => !stop.floor || stop.floor === this.board.floor)
        .forEach((stop) => painter.dot([stop.x, stop.y], 'wall', 8));
    }
    this.preview.forEach((ring) => painter.ring(ring, 'new', 2, 0.15, [5, 4]));
  }
}
