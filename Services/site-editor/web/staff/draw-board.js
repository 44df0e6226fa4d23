// The board on which is drawn: the tool in hand, what a pointer or the keyboard says to it, and
// what is painted over the map.

import { say } from '/app/announcing.js';
import { faultText } from '/app/waiting.js';
import { t } from '/app/words.js';
import { areAcross, boxOf, middleOf, sharedPieces } from './draw-geometry.js';
import { DrawLayer } from './draw-layer.js';
import { roomName } from './draw-names.js';
import { DrawPainter } from './draw-painter.js';
import { PickTool } from './draw-pick.js';
import { DrawPointer } from './draw-pointer.js';
import { snapped, welded } from './draw-snapping.js';
import { drawnID } from './draw-scene.js';
import { newID } from './edit-store.js';

// A finger is coarser than a mouse; both are in pixels.
const SNAP_PIXELS = 12;
const TOUCH_PIXELS = 20;
const MOST_LABELS = 150;
const LABEL_ZOOM = 18;

export class DrawBoard {
  constructor(app, scene) {
    this.app = app;
    this.scene = scene;
    this.draft = app.draft;
    this.view = app.map.view;
    this.leaflet = this.view.leaflet;
    this.isSnapping = true;
    this.tool = null;
    this.tools = {};
    this.at = null;
    // Set while something lies over the map: closes it, and says whether it was there.
    this.closing = null;
    this.faults = [];
    this.listeners = [];
    this.layer = new DrawLayer((context, size) => this.paint(context, size));
    this.pointer = new DrawPointer(this);
  }

  start() {
    this.layer.addTo(this.leaflet);
    this.pointer.start();
    this.shownFloor = this.floor;
    this.stopFloor = this.view.on('floor', () => this.floorChanged());
  }

  stop() {
    if (this.tool) this.tool.leave();
    this.tool = null;
    this.pointer.stop();
    this.layer.remove();
    this.stopFloor();
  }

  /** Calls `listener(what)`: tool, told, chosen or floor. */
  on(listener) {
    this.listeners.push(listener);
  }

  emit(what, value) {
    this.listeners.forEach((listener) => listener(what, value));
  }

  get floor() {
    return this.view.floorID;
  }

  floorChanged() {
    // After an edit the same floor is shown anew: what is begun goes on.
    if (this.shownFloor === this.floor) return;
    this.shownFloor = this.floor;
    this.faults = [];
    this.at = null;
    if (this.tool) this.tool.floorChanged();
    this.emit('floor');
    this.redraw();
  }

  redraw() {
    this.layer.schedule();
  }

  /** Takes a tool in hand; what another had begun is dropped. */
  take(name) {
    if (this.tool) this.tool.leave();
    this.tool = this.tools[name];
    this.faults = [];
    this.at = null;
    this.emit('tool');
    this.tell(t(this.tool.hint()), '', true);
    this.redraw();
  }

  /** Takes a tool that is none of the row, with its own sentence. */
  takeTool(tool, text) {
    if (this.tool) this.tool.leave();
    this.tool = tool;
    this.at = null;
    this.emit('tool');
    this.tell(text);
    this.app.shell.map.focus({ preventScroll: true });
    this.redraw();
  }

  /** The next tap gives a place: latitude and longitude. */
  pickPlace(text, took) {
    this.takeTool(new PickTool(this, (at) => {
      const place = this.placeOf(at.point);
      this.take('change');
      took(place);
    }), text);
  }

  /** Says something beside the tools: a hint, a fault or what was done. */
  tell(text, kind, isQuiet) {
    this.told = { text, kind: kind || '' };
    if (!isQuiet) say(text, true);
    this.emit('told');
  }

  hint(key) {
    this.tell(t(key));
  }

  // MARK: Places

  /** Metres to a pixel of the view. */
  get scale() {
    const size = this.leaflet.getSize();
    const at = (x) => {
      const place = this.leaflet.containerPointToLatLng([x, size.y / 2]);
      return this.scene.frame.point(place.lat, place.lng);
    };
    const [one, other] = [at(size.x / 2), at(size.x / 2 + 100)];
    return Math.hypot(one[0] - other[0], one[1] - other[1]) / 100;
  }

  radius(isTouch) {
    return (isTouch ? TOUCH_PIXELS : SNAP_PIXELS) * this.scale;
  }

  /** The point in metres of a place on the map. */
  metres(place) {
    return this.scene.frame.point(place.lat, place.lng);
  }

  placeOf(point) {
    return this.scene.frame.degrees(point);
  }

  /** What is meant at a place: the point, where it is snapped to, and the raw point. */
  meant(place, options) {
    const raw = this.metres(place);
    const wish = options || {};
    const radius = this.radius(wish.isTouch);
    const around = Object.assign({ rings: [], from: [] }, this.tool ? this.tool.around() : {});
    const angle = this.scene.angle(this.floor);
    const near = around.rings.filter((ring) => {
      const box = boxOf(ring);
      const margin = radius * 60;
      return raw[0] > box[0] - margin && raw[0] < box[2] + margin
        && raw[1] > box[1] - margin && raw[1] < box[3] + margin;
    });
    const found = this.isSnapping && !wish.isFree
      ? snapped(raw, { rings: near, from: around.from, angle, radius })
      : { point: raw.map((value) => Math.round(value * 1000) / 1000), kind: 'free', guides: [] };
    return Object.assign(found, { raw, radius, isTouch: wish.isTouch === true });
  }

  /** The stop of a way at a point: in its room, on the floor, or outdoors. */
  stopAt(point) {
    const { scene, floor } = this;
    const [x, y] = point;
    const isOutside = scene.connections(floor).some((one) => one.stops.some((stop) => (
      !stop.floor && Math.hypot(stop.x - x, stop.y - y) < 0.05)));
    const room = isOutside ? null : scene.roomAt(floor, point);
    if (room) return { floor, room: room.id, x, y };
    const storey = scene.floor(floor);
    return isOutside || !storey || storey.ordinal === 0 ? { x, y } : { floor, x, y };
  }

  /** Drops what was begun, else takes the plain tool; false where there is nothing to leave. */
  escape() {
    if (this.closing && this.closing()) return true;
    if (this.tool.cancel()) {
      this.faults = [];
      this.tell(t(this.tool.hint()), '', true);
      return true;
    }
    if (this.tool.name === 'change') return false;
    this.take('change');
    return true;
  }

  // MARK: Edits

  /** Reads what may hang on rooms; null and a word where that can't be read. */
  async hanging() {
    try {
      await this.scene.readHanging();
      return this.scene.lists();
    } catch (fault) {
      this.tell(faultText(fault), 'bad');
      return null;
    }
  }

  /** Sends edits that are one step. Gives what they were. */
  async send(edits) {
    const group = edits.length > 1 ? newID() : undefined;
    for (let i = 0; i < edits.length; i += 1) {
      await this.draft.edit(group ? Object.assign({ group }, edits[i]) : edits[i]);
    }
    this.scene.forget();
    this.redraw();
    return edits;
  }

  put(kind, value) {
    return this.send([{ do: 'put', kind, record: value.id, value, name: value.name || '' }]);
  }

  /** Draws a room, says what it lies across, and asks for its name. */
  async addRoom(outline, kind) {
    const known = this.scene.rooms(this.floor);
    const room = {
      id: drawnID('room'), floor: this.floor, name: '', kind: kind || this.nextKind || 'room',
      outline: welded(outline, known.map((one) => one.outline)),
    };
    await this.put('rooms', room);
    if (!this.lookAcross(room, known)) this.tell(t(this.tool.hint()), '', true);
    this.emit('drawn', room);
  }

  /** Marks where a room lies across others, and names them. */
  lookAcross(room, others) {
    const across = others.filter((one) => one.id !== room.id
      && areAcross(one.outline, room.outline));
    this.faults = [].concat(...across.map((one) => sharedPieces(one.outline, room.outline)));
    if (!across.length) return false;
    const names = across.slice(0, 3).map(roomName).join(', ');
    this.tell(t('draw.across', { names }), 'bad');
    return true;
  }

  // MARK: Painting

  paint(context, size) {
    const { leaflet, scene } = this;
    if (!scene.stored) return;
    const painter = new DrawPainter(context, size, this.projection(size));
    this.paintRooms(painter);
    this.paintWays(painter);
    this.faults.forEach((ring) => painter.ring(ring, 'bad', 1, 0.45));
    if (this.tool) this.tool.paint(painter);
    if (this.at && this.tool && this.tool.points) {
      this.at.guides.forEach((guide) => painter.line(guide, 'guide', 1.5, [5, 4]));
      painter.dot(this.at.point, this.at.kind === 'free' ? 'wall' : 'guide', 5,
        this.at.kind !== 'corner');
    }
    if (this.pointer.byKeys) {
      const middle = leaflet.latLngToContainerPoint(this.view.middle());
      painter.cross([middle.x, middle.y]);
    }
  }

  /** From metres to pixels: exact in the middle of the view, and to a pixel at its edges. */
  projection(size) {
    const { leaflet } = this;
    const centre = this.metres(leaflet.containerPointToLatLng([size.x / 2, size.y / 2]));
    const step = Math.max(1, 200 * this.scale);
    const pixel = (x, y) => leaflet.latLngToContainerPoint(
      this.placeOf([centre[0] + x, centre[1] + y]));
    const [at, right, up] = [pixel(0, 0), pixel(step, 0), pixel(0, step)];
    return (point) => {
      const x = (point[0] - centre[0]) / step;
      const y = (point[1] - centre[1]) / step;
      return [at.x + x * (right.x - at.x) + y * (up.x - at.x),
        at.y + x * (right.y - at.y) + y * (up.y - at.y)];
    };
  }

  paintRooms(painter) {
    const rooms = this.scene.rooms(this.floor).filter((one) => (
      painter.isSeen(boxOf(one.outline))));
    rooms.forEach((one) => painter.ring(one.outline, 'wall', 1.5));
    if (this.reference) {
      this.reference.forEach((ring) => painter.ring(ring, 'pale', 1.5, 0, [4, 4]));
    }
    // The map has the names of what has arrived.
    const waiting = new Set(this.draft.queue.waiting().map((one) => one.record));
    const isPlain = this.leaflet.getZoom() < LABEL_ZOOM;
    rooms.slice(0, MOST_LABELS).forEach((one) => {
      if (!one.name || isPlain || !waiting.has(one.id)) return;
      painter.text(middleOf(one.outline), one.name);
    });
  }

  paintWays(painter) {
    this.scene.connections(this.floor).forEach((one) => {
      const here = one.stops.filter((stop) => stop.floor === this.floor || !stop.floor);
      const points = here.map((stop) => [stop.x, stop.y]);
      if (one.kind !== 'door' && here.length === 2 && one.stops.length === 2) {
        painter.line([points[0]].concat(one.line || [], [points[1]]), 'way', 2, [6, 4]);
      }
      points.forEach((point) => painter.dot(point, one.kind === 'door' ? 'door' : 'way', 4));
    });
  }
}
