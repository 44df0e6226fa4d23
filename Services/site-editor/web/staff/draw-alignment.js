// Where a plan's pixels are in metres: fits by least squares, and the pair that is wrong.
//
// A map has six numbers: x = m[0] column + m[1] row + m[2], y = m[3] column + m[4] row + m[5].

/** The ratio of width to length, squared, below which points count as on one line. */
const FLATNESS = 1e-6;
/** Points that a hand presses are wrong by less than this share of their extent. */
const HAND_SHARE = 0.01;
const HAND_METRES = 0.25;

/** The point that a pixel shows. */
export function pointOfPixel(map, column, row) {
  return [map[0] * column + map[1] * row + map[2], map[3] * column + map[4] * row + map[5]];
}

/** The column and row that show a point. */
export function pixelOfPoint(map, point) {
  const determinant = map[0] * map[4] - map[1] * map[3];
  const x = point[0] - map[2];
  const y = point[1] - map[5];
  return [(map[4] * x - map[1] * y) / determinant, (map[0] * y - map[3] * x) / determinant];
}

function means(pairs) {
  const mean = (name) => pairs.reduce((sum, pair) => sum + pair[name], 0) / pairs.length;
  return { column: mean('column'), row: mean('row'), x: mean('x'), y: mean('y') };
}

function around(pairs, middle) {
  return pairs.map((pair) => ({
    column: pair.column - middle.column, row: pair.row - middle.row,
    x: pair.x - middle.x, y: pair.y - middle.y,
  }));
}

function mapAt(m0, m1, m3, m4, middle) {
  return [
    m0, m1, middle.x - m0 * middle.column - m1 * middle.row,
    m3, m4, middle.y - m3 * middle.column - m4 * middle.row,
  ];
}

/** A turn, a scale and a shift that fit the pairs best; null where they say nothing. */
export function similarity(pairs) {
  const middle = means(pairs);
  let [across, along, square, far] = [0, 0, 0, 0];
  around(pairs, middle).forEach((pair) => {
    const v = -pair.row;
    along += pair.x * pair.column + pair.y * v;
    across += pair.y * pair.column - pair.x * v;
    square += pair.column * pair.column + v * v;
    far += pair.x * pair.x + pair.y * pair.y;
  });
  if (!square || !far) return null;
  const a = along / square;
  const b = across / square;
  if (!a && !b) return null;
  return mapAt(a, b, b, -a, middle);
}

/** Whether places lie on one line: pixels, or points where `names` are x and y. */
export function areOnOneLine(pairs, names) {
  const middle = means(pairs);
  const [first, second] = names;
  let [one, both, other] = [0, 0, 0];
  around(pairs, middle).forEach((pair) => {
    one += pair[first] * pair[first];
    both += pair[first] * pair[second];
    other += pair[second] * pair[second];
  });
  return one * other - both * both <= FLATNESS * (one + other) * (one + other);
}

/** The affine map that fits three pairs or more best, as the service makes it; null if flat. */
export function affine(pairs) {
  if (areOnOneLine(pairs, ['column', 'row']) || areOnOneLine(pairs, ['x', 'y'])) return null;
  const middle = means(pairs);
  let [columns, mixed, rows] = [0, 0, 0];
  const sums = { xc: 0, xr: 0, yc: 0, yr: 0 };
  around(pairs, middle).forEach((pair) => {
    columns += pair.column * pair.column;
    mixed += pair.column * pair.row;
    rows += pair.row * pair.row;
    sums.xc += pair.x * pair.column;
    sums.xr += pair.x * pair.row;
    sums.yc += pair.y * pair.column;
    sums.yr += pair.y * pair.row;
  });
  const determinant = columns * rows - mixed * mixed;
  return mapAt(
    (sums.xc * rows - sums.xr * mixed) / determinant,
    (sums.xr * columns - sums.xc * mixed) / determinant,
    (sums.yc * rows - sums.yr * mixed) / determinant,
    (sums.yr * columns - sums.yc * mixed) / determinant, middle);
}

/** How far each pair is from its place by a map, in metres. */
export function residuals(map, pairs) {
  return pairs.map((pair) => {
    const at = pointOfPixel(map, pair.column, pair.row);
    return Math.hypot(at[0] - pair.x, at[1] - pair.y);
  });
}

function rootMean(values) {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

/**
 * Judges pairs. `fault` is few or line where they fix no place; else `map` is the service's, and
 * `metres` how far each pair is off if the plan is neither stretched nor skewed. `isLoose` says
 * that they contradict each other, `wrong` is the index of the pair whose removal helps most.
 * Three pairs contradict each other without saying which is wrong.
 */
export function judged(pairs) {
  if (pairs.length < 2) return { fault: 'few' };
  const plain = similarity(pairs);
  if (!plain) return { fault: 'line' };
  if (pairs.length === 2) return { map: plain, metres: [0, 0], mean: 0, isLoose: false, wrong: -1 };
  const map = affine(pairs);
  if (!map) return { fault: 'line' };
  const metres = residuals(plain, pairs);
  const mean = rootMean(metres);
  const middle = means(pairs);
  const extent = Math.max(...pairs.map((pair) => (
    2 * Math.hypot(pair.x - middle.x, pair.y - middle.y))));
  const isLoose = mean > Math.max(HAND_METRES, HAND_SHARE * extent);
  return { map, metres, mean, isLoose, wrong: isLoose ? wrongPair(pairs, mean) : -1 };
}

/** The pair without which the others fit; -1 where none stands out. */
function wrongPair(pairs, mean) {
  if (pairs.length < 4) return -1;
  const left = pairs.map((pair, i) => {
    const others = pairs.filter((one, at) => at !== i);
    const map = similarity(others);
    return map ? rootMean(residuals(map, others)) : Infinity;
  });
  const best = left.indexOf(Math.min(...left));
  const next = Math.min(...left.filter((value, i) => i !== best));
  return left[best] < mean / 2 && left[best] < next / 1.5 ? best : -1;
}

/** A plan of a scale: its middle, the size of a pixel, and its upper edge's direction. */
export function placedByScale(first, second, metres, size, centre, bearingDegrees) {
  const pixels = Math.hypot(second[0] - first[0], second[1] - first[1]);
  if (!(pixels > 0) || !(metres > 0)) return null;
  return {
    x: centre[0], y: centre[1], metresPerPixel: metres / pixels, bearingDegrees, size,
  };
}

/** The map of a plan's record, whatever form its alignment has; null where it has none. */
export function mapOfPlan(plan, siteBearingDegrees) {
  const { alignment, widthPixels, heightPixels } = plan;
  if (alignment.pairs) return mapOfPairs(alignment.pairs);
  if (alignment.corners) {
    const [w, h] = [widthPixels, heightPixels];
    const pixels = alignment.corners.length === 2 ? [[0, 0], [w, h]]
      : [[0, 0], [w, 0], [w, h], [0, h]];
    return mapOfPairs(alignment.corners.map((corner, i) => ({
      column: pixels[i][0], row: pixels[i][1], x: corner[0], y: corner[1],
    })));
  }
  const turn = ((alignment.bearingDegrees - siteBearingDegrees) * Math.PI) / 180;
  const size = alignment.metresPerPixel;
  const [sine, cosine] = [Math.sin(turn) * size, Math.cos(turn) * size];
  return mapAt(cosine, -sine, -sine, -cosine, {
    column: widthPixels / 2, row: heightPixels / 2, x: alignment.x, y: alignment.y,
  });
}

function mapOfPairs(pairs) {
  return pairs.length === 2 ? similarity(pairs) : pairs.length > 2 ? affine(pairs) : null;
}

/** The same map for a picture that is turned by quarter turns to the right when it is shown. */
export function turnedPixel(column, row, size, quarters) {
  const [w, h] = size;
  return [[column, row], [h - row, column], [w - column, h - row], [row, w - column]][quarters % 4];
}

/** The pixel of the file for one of the picture as it is shown. */
export function unturnedPixel(column, row, size, quarters) {
  const [w, h] = size;
  return [[column, row], [row, h - column], [w - column, h - row], [w - row, column]][quarters % 4];
}
