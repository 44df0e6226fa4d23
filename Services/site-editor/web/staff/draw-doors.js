// The tools of doors, and of what leads from floor to floor. A door takes one tap on its wall.

import { t } from '/app/words.js';
import { sidesOf } from './draw-acts.js';
import { roomName } from './draw-names.js';
import { drawnID } from './draw-scene.js';
import { nearestWall } from './draw-snapping.js';
import { DrawTool } from './draw-tools.js';

const LEAST_REACH_METRES = 0.4;
const SAME_DOOR_METRES = 0.5;
const WIDTHS = { door: 0.9, opening: 2, entrance: 1.2 };

/** A door, an opening without a leaf, or an entrance from outdoors. */
export class DoorTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.points = false;
    this.widthMetres = WIDTHS[name];
    this.shown = null;
  }

  around() {
    return { rings: [], from: [] };
  }

  wallAt(at) {
    const { board } = this;
    const reach = Math.max(LEAST_REACH_METRES, 1.5 * at.radius);
    return nearestWall(board.scene.rings(board.floor), at.raw, reach);
  }

  move(at) {
    const wall = this.wallAt(at);
    this.shown = wall ? wall.point : null;
  }

  tap(at) {
    const { board } = this;
    const wall = this.wallAt(at);
    if (!wall) {
      this.inAir = at.raw;
      this.say('draw.inTheAir', null, 'bad');
      return;
    }
    this.inAir = null;
    const { left, right, point } = sidesOf(wall, board.scene.rooms(board.floor));
    const storey = board.scene.floor(board.floor);
    const isGround = Boolean(storey) && storey.ordinal === 0;
    const [first, second] = [left || right, left && right];
    if (!first) {
      this.say('draw.inTheAir', null, 'bad');
      return;
    }
    const leadsOut = this.name === 'entrance' || (!second && isGround);
    if (!second && !leadsOut) {
      this.say('draw.nothingBehind', { name: roomName(first) }, 'bad');
      return;
    }
    const stop = (room) => ({ floor: board.floor, room: room.id, x: point[0], y: point[1] });
    const outside = { x: point[0], y: point[1] };
    const door = {
      id: drawnID('door'), kind: 'door',
      stops: leadsOut ? [outside, stop(this.inner(left, right))] : [stop(first), stop(second)],
      accessible: 'unknown', widthMetres: this.widthMetres,
    };
    if (this.isThere(door)) {
      this.say('draw.doorThere', null, 'bad');
      return;
    }
    board.put('connections', door);
    const inner = roomName(this.inner(left, right));
    if (leadsOut) this.say('draw.done.entrance', { name: inner }, 'good');
    else this.say('draw.done.door', { one: inner, other: roomName(second) }, 'good');
  }

  /** A second press on a door makes no second door. */
  isThere(door) {
    const [place] = door.stops;
    const roomsOf = (one) => one.stops.map((stop) => stop.room || '').sort().join();
    return this.board.scene.connections(this.board.floor).some((known) => (
      known.kind === 'door' && roomsOf(known) === roomsOf(door)
        && Math.hypot(known.stops[0].x - place.x, known.stops[0].y - place.y) < SAME_DOOR_METRES));
  }

  /** The room of an entrance: the only one at the wall, or the smaller one of a porch. */
  inner(left, right) {
    return left || right;
  }

  cancel() {
    this.shown = null;
    this.inAir = null;
    return false;
  }

  paint(painter) {
    if (this.shown) painter.dot(this.shown, 'new', 7);
    if (this.inAir) painter.dot(this.inAir, 'bad', 7);
  }
}

/** Stairs, a ramp, an escalator or a lift: a tap on each floor. The first stays selected. */
export class RiseTool extends DrawTool {
  constructor(board, name) {
    super(board, name);
    this.points = false;
    this.stops = [];
    this.record = null;
  }

  around() {
    return { rings: [], from: [] };
  }

  get isLift() {
    return this.name === 'lift';
  }

  /** Another floor is where it goes on. */
  floorChanged() {}

  tap(at) {
    const { board } = this;
    const stop = board.stopAt(at.raw.map((value) => Math.round(value * 100) / 100));
    if (!stop.room && stop.floor && board.scene.rooms(board.floor).length) {
      this.say('draw.noRoom', null, 'bad');
      return;
    }
    const again = this.stops.findIndex((one) => one.floor === stop.floor);
    // Stairs may lead from a place to another one on the same floor, such as a gallery; lifts not.
    if (again >= 0 && (this.isLift || this.name === 'escalator')) {
      this.stops[again] = stop;
    } else this.stops.push(stop);
    if (this.stops.length < 2) {
      this.say('draw.hint.otherFloor', { kind: t('kind.' + this.name) });
      return;
    }
    this.keep();
  }

  async keep() {
    const { board } = this;
    const stops = this.inOrder();
    if (this.record) {
      await board.send([{
        do: 'patch', kind: 'connections', record: this.record, value: { stops }, name: '',
      }]);
    } else {
      const way = { id: drawnID(this.name), kind: this.name, stops };
      way.accessible = { lift: 'yes', ramp: 'yes' }[this.name] || 'no';
      if (this.name === 'escalator') way.oneWay = true;
      if (this.isLift) this.record = way.id;
      else this.stops = [];
      await board.put('connections', way);
    }
    this.say(this.isLift ? 'draw.done.lift' : 'draw.done.stairs',
      { kind: t('kind.' + this.name), count: stops.length }, 'good');
  }

  /** From below to above; an escalator in the order of travel. */
  inOrder() {
    if (this.name === 'escalator') return this.stops.slice();
    const { scene } = this.board;
    const height = (stop) => {
      const floor = scene.floor(stop.floor);
      return floor ? floor.ordinal : 0;
    };
    return this.stops.slice().sort((one, other) => height(one) - height(other));
  }

  get canFinish() {
    return this.record !== null;
  }

  /** A lift has all its floors: the next tap begins another one. */
  finish() {
    this.cancel();
    this.board.hint(this.hint());
    return null;
  }

  cancel() {
    const some = this.stops.length > 0;
    this.stops = [];
    this.record = null;
    return some;
  }

  paint(painter) {
    this.stops.forEach((stop) => {
      const isHere = !stop.floor || stop.floor === this.board.floor;
      painter.dot([stop.x, stop.y], isHere ? 'new' : 'pale', 8, !isHere);
    });
  }
}
