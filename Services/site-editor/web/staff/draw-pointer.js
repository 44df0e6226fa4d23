// Pointers, fingers and keys over the map, as a tool understands them: taps, drags and where it is.
//
// By the keyboard the place is the middle of the view, where a cross is: arrows move the map, Enter
// taps. A second finger drops what the first had begun, since two of them zoom.

const MOVED_PIXELS = 5;
const TOUCH_PIXELS = 10;
const FINE_PIXELS = 8;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class DrawPointer {
  constructor(board) {
    this.board = board;
    this.container = board.app.shell.map;
    this.byKeys = false;
    this.isFree = false;
    /** While the space bar is held, a drag moves the map whatever the tool holds. */
    this.isSpace = false;
    this.press = null;
    // Before the map's own listeners: these must not pan with what a tool holds.
    this.heard = [
      ['pointerdown', (event) => this.down(event)], ['pointermove', (event) => this.move(event)],
      ['pointerup', (event) => this.up(event)], ['pointercancel', () => this.drop()],
      ['keydown', (event) => this.keyDown(event)], ['keyup', (event) => this.keyUp(event)],
    ];
  }

  start() {
    const { leaflet } = this.board;
    this.heard.forEach(([name, run]) => document.addEventListener(name, run, true));
    leaflet.doubleClickZoom.disable();
    leaflet.boxZoom.disable();
    this.moved = () => this.mapMoved();
    leaflet.on('move', this.moved);
    // The map's own taps open records; the keyboard's are taken in `keyDown`.
    this.board.app.map.taker = () => null;
    this.container.classList.add('drawing');
  }

  stop() {
    const { leaflet } = this.board;
    this.heard.forEach(([name, run]) => document.removeEventListener(name, run, true));
    leaflet.off('move', this.moved);
    leaflet.doubleClickZoom.enable();
    leaflet.boxZoom.enable();
    leaflet.dragging.enable();
    this.board.app.map.taker = null;
    this.container.classList.remove('drawing');
  }

  isOnMap(event) {
    return this.container.contains(event.target);
  }

  meant(event) {
    const { board } = this;
    return board.meant(board.leaflet.mouseEventToLatLng(event), {
      isTouch: event.pointerType === 'touch', isFree: event.shiftKey || this.isFree,
    });
  }

  down(event) {
    const { board } = this;
    if (!this.isOnMap(event) || !board.tool) return;
    if (!event.isPrimary) {
      this.drop();
      return;
    }
    if (event.button) return;
    this.byKeys = false;
    const at = this.meant(event);
    const holds = !this.isSpace && board.tool.holds(at);
    this.press = {
      id: event.pointerId, x: event.clientX, y: event.clientY, at, holds, hasMoved: false,
    };
    if (holds) {
      board.leaflet.dragging.disable();
      // A former pan is over: the map would take the next tap for its end.
      const dragged = board.leaflet.dragging._draggable;
      if (dragged) dragged._moved = false;
    }
  }

  move(event) {
    const { board, press } = this;
    if (!board.tool || (!press && !this.isOnMap(event))) return;
    if (press && press.id === event.pointerId && !press.hasMoved) {
      const least = event.pointerType === 'touch' ? TOUCH_PIXELS : MOVED_PIXELS;
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < least) return;
      press.hasMoved = true;
      if (press.holds) board.tool.begin(press.at);
    }
    if (press && !press.holds) return;
    this.byKeys = false;
    this.isFree = event.shiftKey;
    this.last = event;
    if (this.frame) return;
    // A mouse may move more often than is painted.
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.show();
    });
  }

  show() {
    const { board, press, last } = this;
    if (!board.tool || !last) return;
    board.at = this.meant(last);
    if (press && press.holds && press.hasMoved) board.tool.drag(board.at);
    else board.tool.move(board.at);
    board.redraw();
  }

  up(event) {
    const { board, press } = this;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    board.leaflet.dragging.enable();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (!board.tool) return;
    const at = this.meant(event);
    // A finger that is lifted points nowhere.
    board.at = null;
    if (press.holds && press.hasMoved) board.tool.end(at);
    else if (!press.hasMoved) board.tool.tap(at);
    board.redraw();
  }

  drop() {
    if (!this.press) return;
    const { holds, hasMoved } = this.press;
    this.press = null;
    this.board.leaflet.dragging.enable();
    if (holds && hasMoved) this.board.tool.cancel();
    this.board.redraw();
  }

  // MARK: Keys

  middle() {
    return this.board.meant(this.board.view.middle(), { isFree: this.isFree });
  }

  mapMoved() {
    const { board } = this;
    if (!this.byKeys || !board.tool) return;
    board.at = this.middle();
    board.tool.move(board.at);
    board.redraw();
  }

  keyDown(event) {
    const { board } = this;
    const isTyping = event.target.closest && event.target.closest('input, textarea, select');
    if (event.key === 'Shift') this.isFree = true;
    if (isTyping || event.ctrlKey || event.metaKey || !board.tool) return;
    const isHere = event.target === this.container;
    const isOnButton = event.target.closest && event.target.closest('button, a, summary');
    if (event.key === ' ' && !isOnButton) {
      this.isSpace = true;
    } else if (event.key === 'Escape') {
      if (!board.escape()) return;
    } else if (event.key === 'Backspace' || event.key === 'Delete') {
      if (!board.tool.takeBack()) return;
    } else if (isHere && event.key === 'Enter') {
      this.byKeys = true;
      board.at = this.middle();
      board.tool.tap(board.at);
    } else if (isHere && event.key in ARROWS) {
      this.byKeys = true;
      board.redraw();
      if (!event.altKey) return;
      board.leaflet.panBy(ARROWS[event.key].map((one) => one * FINE_PIXELS), { animate: false });
    } else return;
    event.preventDefault();
    event.stopPropagation();
    board.redraw();
  }

  keyUp(event) {
    if (event.key === 'Shift') this.isFree = false;
    if (event.key === ' ') this.isSpace = false;
  }
}
