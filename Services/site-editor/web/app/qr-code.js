// A QR code (ISO/IEC 18004) of a text: bytes, error correction L, versions 1 to 10.

// By version: codewords of correction in a block, blocks, data codewords of a short block.
const BLOCKS = [
  null, [7, 1, 19], [10, 1, 34], [15, 1, 55], [20, 1, 80], [26, 1, 108], [18, 2, 68], [20, 2, 78],
  [24, 2, 97], [30, 2, 116], [18, 4, 68],
];
// Data codewords in all; only version 10 has blocks that are longer by one.
const DATA = [0, 19, 34, 55, 80, 108, 136, 156, 194, 232, 274];
const CENTRES = [
  [], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
  [6, 28, 50],
];
const MASKS = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

const POWERS = new Uint8Array(512);
const LOGS = new Uint8Array(256);
for (let i = 0, value = 1; i < 255; i += 1) {
  POWERS[i] = value;
  POWERS[i + 255] = value;
  LOGS[value] = i;
  value = value * 2 > 255 ? (value * 2) ^ 0x11d : value * 2;
}

function times(one, other) {
  return one && other ? POWERS[LOGS[one] + LOGS[other]] : 0;
}

/** The codewords of correction for data: the rest of a division of polynomials. */
function correction(data, count) {
  let generator = [1];
  for (let i = 0; i < count; i += 1) {
    const longer = generator.concat(0);
    generator.forEach((value, at) => {
      longer[at + 1] ^= times(value, POWERS[i]);
    });
    generator = longer;
  }
  const rest = data.concat(new Array(count).fill(0));
  for (let i = 0; i < data.length; i += 1) {
    const factor = rest[i];
    if (factor) generator.forEach((value, at) => { rest[i + at] ^= times(value, factor); });
  }
  return rest.slice(data.length);
}

/** The data codewords of a text, padded. */
function dataOf(bytes, version) {
  const bits = [];
  const push = (value, count) => {
    for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((one) => push(one, 8));
  push(0, Math.min(4, DATA[version] * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < DATA[version]; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/** All codewords in the order in which they stand in the code. */
function codewords(bytes, version) {
  const data = dataOf(bytes, version);
  const row = BLOCKS[version];
  const longer = DATA[version] - row[1] * row[2];
  const blocks = [];
  let at = 0;
  for (let i = 0; i < row[1]; i += 1) {
    const size = row[2] + (i >= row[1] - longer ? 1 : 0);
    blocks.push(data.slice(at, at + size));
    at += size;
  }
  const checks = blocks.map((block) => correction(block, row[0]));
  const result = [];
  [[blocks, row[2] + 1], [checks, row[0]]].forEach((pair) => {
    for (let i = 0; i < pair[1]; i += 1) {
      pair[0].forEach((block) => {
        if (i < block.length) result.push(block[i]);
      });
    }
  });
  return result;
}

/** A square with what is the same in all codes of a version: `fixed` says which modules. */
function frame(version) {
  const size = 17 + 4 * version;
  const square = [];
  for (let y = 0; y < size; y += 1) square.push(new Array(size).fill(null));
  const set = (x, y, value) => {
    if (x >= 0 && y >= 0 && x < size && y < size) square[y][x] = value ? 1 : 0;
  };
  [[3, 3], [size - 4, 3], [3, size - 4]].forEach((centre) => {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(centre[0] + dx, centre[1] + dy, ring !== 2 && ring !== 4);
      }
    }
  });
  for (let i = 8; i < size - 8; i += 1) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  CENTRES[version].forEach((x) => CENTRES[version].forEach((y) => {
    const inFinder = (x < 9 && y < 9) || (x < 9 && y > size - 10) || (x > size - 10 && y < 9);
    if (inFinder) return;
    for (let dy = -2; dy <= 2; dy += 1) {
      for (let dx = -2; dx <= 2; dx += 1) {
        set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }));
  formatBits(square, 0);
  if (version > 6) versionBits(square, version);
  return square;
}

function rest(value, generator, bits) {
  let left = value;
  for (let i = bits - 1; i >= 0; i -= 1) {
    const degree = Math.floor(Math.log2(generator));
    if ((left >> (i + degree)) & 1) left ^= generator << i;
  }
  return left;
}

/** The fifteen bits of level L and a mask, twice. */
function formatBits(square, mask) {
  const size = square.length;
  const data = (1 << 3) | mask;
  const bits = ((data << 10) | rest(data << 10, 0x537, 5)) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const bit = (bits >> i) & 1;
    if (i < 6) square[i][8] = bit;
    else if (i < 8) square[i + 1][8] = bit;
    else if (i === 8) square[8][7] = bit;
    else square[8][14 - i] = bit;
    if (i < 8) square[8][size - 1 - i] = bit;
    else square[size - 15 + i][8] = bit;
  }
  square[size - 8][8] = 1;
}

function versionBits(square, version) {
  const size = square.length;
  const bits = (version << 12) | rest(version << 12, 0x1f25, 6);
  for (let i = 0; i < 18; i += 1) {
    const bit = (bits >> i) & 1;
    square[Math.floor(i / 3)][size - 11 + (i % 3)] = bit;
    square[size - 11 + (i % 3)][Math.floor(i / 3)] = bit;
  }
}

/** Writes the codewords in columns of two, from the right, up and down in turn. */
function write(version, words, mask) {
  const square = frame(version);
  const free = square.map((row) => row.map((one) => one === null));
  const size = square.length;
  let at = 0;
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i += 1) {
      const y = upwards ? size - 1 - i : i;
      [right, right - 1].forEach((x) => {
        if (!free[y][x]) return;
        const bit = at < words.length * 8 ? (words[at >> 3] >> (7 - (at & 7))) & 1 : 0;
        at += 1;
        square[y][x] = bit ^ (MASKS[mask](x, y) === 0 ? 1 : 0);
      });
    }
    upwards = !upwards;
  }
  formatBits(square, mask);
  return square;
}

/** How hard a code is to read: runs of five, squares of two, and more of one colour. */
function penalty(square) {
  const size = square.length;
  let sum = 0;
  let dark = 0;
  for (let y = 0; y < size; y += 1) {
    let across = 0;
    let down = 0;
    for (let x = 0; x < size; x += 1) {
      dark += square[y][x];
      across = x && square[y][x] === square[y][x - 1] ? across + 1 : 1;
      down = x && square[x][y] === square[x - 1][y] ? down + 1 : 1;
      [across, down].forEach((run) => {
        if (run === 5) sum += 3;
        else if (run > 5) sum += 1;
      });
      if (x && y && square[y][x] === square[y][x - 1] && square[y][x] === square[y - 1][x]
        && square[y][x] === square[y - 1][x - 1]) sum += 3;
    }
  }
  return sum + 10 * Math.floor(Math.abs((dark / (size * size)) * 20 - 10));
}

/** Rows of ones (dark) and zeros, or null for a text that is too long; `mask` is for tests. */
export function qrCode(text, mask) {
  const bytes = Array.from(new TextEncoder().encode(text));
  let version = 1;
  while (version <= 10 && DATA[version] * 8 < 4 + (version < 10 ? 8 : 16) + bytes.length * 8) {
    version += 1;
  }
  if (version > 10) return null;
  const words = codewords(bytes, version);
  const wished = mask === undefined ? [0, 1, 2, 3, 4, 5, 6, 7] : [mask];
  const all = wished.map((one) => write(version, words, one));
  return all.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}
