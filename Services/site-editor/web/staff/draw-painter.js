// Paints the drawing over the map: lines in metres, marks and handles in pixels.

const TURN = 2 * Math.PI;
const LIGHT = {
  wall: '#1456c2', new: '#0b6b3a', bad: '#b3261e', guide: '#8a4b00', door: '#0b6b3a',
  way: '#525f6e', handle: '#ffffff', text: '#17202b', halo: '#ffffff', pale: '#7c8896',
};
const DARK = {
  wall: '#82b1ff', new: '#6fd39c', bad: '#ff9d94', guide: '#ffc069', door: '#6fd39c',
  way: '#a9b5c2', handle: '#0d1726', text: '#e8edf3', halo: '#12171d', pale: '#8592a1',
};
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

export class DrawPainter {
  /** `toPixels` gives the pixels of the container for a point in metres. */
  constructor(context, size, toPixels) {
    this.context = context;
    this.size = size;
    this.toPixels = toPixels;
    this.colours = dark.matches ? DARK : LIGHT;
  }

  colour(name) {
    return this.colours[name] || name;
  }

  path(points, isClosed) {
    const { context } = this;
    context.beginPath();
    points.forEach((point, i) => {
      const at = this.toPixels(point);
      if (i) context.lineTo(at[0], at[1]);
      else context.moveTo(at[0], at[1]);
    });
    if (isClosed) context.closePath();
  }

  line(points, colour, width, dashes) {
    if (points.length < 2) return;
    const { context } = this;
    context.strokeStyle = this.colour(colour);
    context.lineWidth = width || 2;
    context.setLineDash(dashes || []);
    this.path(points, false);
    context.stroke();
  }

  ring(points, colour, width, fill, dashes) {
    const { context } = this;
    this.path(points, true);
    if (fill) {
      context.globalAlpha = fill;
      context.fillStyle = this.colour(colour);
      context.fill();
      context.globalAlpha = 1;
    }
    context.strokeStyle = this.colour(colour);
    context.lineWidth = width || 2;
    context.setLineDash(dashes || []);
    context.stroke();
  }

  dot(point, colour, radius, isHollow) {
    const { context } = this;
    const at = this.toPixels(point);
    context.setLineDash([]);
    context.beginPath();
    context.arc(at[0], at[1], radius, 0, TURN);
    context.fillStyle = this.colour(isHollow ? 'handle' : colour);
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = this.colour(isHollow ? colour : 'handle');
    context.stroke();
  }

  /** A square handle: a corner that can be moved. */
  handle(point, colour, isChosen) {
    const { context } = this;
    const at = this.toPixels(point);
    const half = isChosen ? 7 : 5;
    context.setLineDash([]);
    context.fillStyle = this.colour(isChosen ? colour : 'handle');
    context.strokeStyle = this.colour(colour);
    context.lineWidth = 2;
    context.fillRect(at[0] - half, at[1] - half, 2 * half, 2 * half);
    context.strokeRect(at[0] - half, at[1] - half, 2 * half, 2 * half);
  }

  text(point, words, colour, size) {
    const { context } = this;
    const at = this.toPixels(point);
    context.font = '600 ' + (size || 13) + 'px ' + FONT;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.setLineDash([]);
    context.lineJoin = 'round';
    context.lineWidth = 4;
    context.strokeStyle = this.colour('halo');
    context.strokeText(words, at[0], at[1]);
    context.fillStyle = this.colour(colour || 'text');
    context.fillText(words, at[0], at[1]);
  }

  /** The place of the keyboard: a cross in the middle of the view. */
  cross(at) {
    const { context } = this;
    context.setLineDash([]);
    [[6, 'halo'], [2, 'wall']].forEach(([width, colour]) => {
      context.lineWidth = width;
      context.strokeStyle = this.colour(colour);
      context.beginPath();
      context.moveTo(at[0] - 14, at[1]);
      context.lineTo(at[0] + 14, at[1]);
      context.moveTo(at[0], at[1] - 14);
      context.lineTo(at[0], at[1] + 14);
      context.stroke();
    });
  }

  /** Whether any part of a box in metres can be seen. */
  isSeen(box) {
    const corners = [[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]]
      .map(this.toPixels);
    const xs = corners.map((one) => one[0]);
    const ys = corners.map((one) => one[1]);
    return Math.max(...xs) > 0 && Math.min(...xs) < this.size.x
      && Math.max(...ys) > 0 && Math.min(...ys) < this.size.y;
  }
}
