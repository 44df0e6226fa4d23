// A worker that reads a map and prepares its geometry once: the page gets flat arrays to draw.
//
// Coordinates are metres of Web Mercator from the map's own origin, y downwards, as 32-bit floats.
// A chunk has all lines of one square, by the class of drawing; the page makes one path of each.

'use strict';

const EQUATOR = 40075016.686;
const CHUNK_FEATURES = 240;

self.onmessage = async (event) => {
  const job = event.data;
  try {
    const answer = await firstAnswer(job.urls);
    if (!answer.ok) {
      self.postMessage({ job: job.job, status: answer.status });
      return;
    }
    const map = await answer.json();
    const prepared = map.extent ? preparePart(map, job) : prepareWhole(map, job);
    self.postMessage({ job: job.job, status: 200, map: prepared }, buffersOf(prepared));
  } catch (failure) {
    self.postMessage({ job: job.job, status: 0 });
  }
};

/** The answer of the first address that can be reached and is known, else the last failure. */
async function firstAnswer(urls) {
  const last = urls.length - 1;
  for (let i = 0; i < last; i += 1) {
    const answer = await ask(urls[i]).catch(() => null);
    if (answer && answer.status !== 404 && answer.status < 500) return answer;
  }
  return ask(urls[last]);
}

function ask(url) {
  return fetch(url, {
    credentials: 'same-origin',
    headers: { accept: /\/map(\?|$)/.test(url) ? 'application/geo+json' : 'application/json' },
  });
}

function buffersOf(map) {
  const buffers = [map.rings.buffer, map.ringEnds.buffer];
  map.chunks.forEach((chunk) => chunk.parts.forEach((part) => {
    buffers.push(part.points.buffer, part.ends.buffer);
  }));
  return buffers;
}

function worldX(longitude) {
  return ((longitude + 180) / 360) * EQUATOR;
}

function worldY(latitude) {
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * EQUATOR;
}

/** The lines of a geometry, each a list of positions. */
function linesOf(geometry) {
  const coordinates = geometry.coordinates;
  if (geometry.type === 'Point') return [[coordinates]];
  if (geometry.type === 'LineString') return [coordinates];
  if (geometry.type === 'Polygon') return coordinates;
  if (geometry.type === 'MultiPolygon') return [].concat(...coordinates);
  return [];
}

/** The class of drawing of a feature. */
function classOf(properties, type) {
  const layer = properties.layer;
  if (layer !== 'area') return type === 'Point' ? null : layer;
  if (properties.restricted) return 'area-restricted';
  return 'area-' + groupOf(properties.kind);
}

const GROUPS = {
  corridor: /^(corridor|hall|lobby|foyer|walkway|area|platform|footway|pedestrian|nonpublic)/,
  stairs: /^(stairs|steps|escalator|ramp)/,
  lift: /^(lift|elevator|platform-lift)/,
  toilet: /^(toilet|restroom|wc|shower|bath)/,
  food: /^(cafe|coffee|food|restaurant|fast_food|bar|pub|kitchen|canteen|ice_cream)/,
  study: /^(class|audit|lecture|seminar|laborator|lab|librar|reading|study|museum|gallery)/,
  work: /^(office|administ|department|service|reception|security|information|bank|dentist|doctor)/,
  shop: /^(shop|conven|souven|super|cloth|optic|book|retail|shoe|florist|hair|locks|wardrobe)/,
};

function groupOf(kind) {
  const word = String(kind || '').toLowerCase();
  const found = Object.keys(GROUPS).find((group) => GROUPS[group].test(word));
  return found || 'room';
}

/** A map of GeoJSON. */
function prepareWhole(map, job) {
  const skipped = new Set(job.skip || []);
  const features = map.features.filter((one) => !skipped.has(one.properties.layer));
  const origin = originOf(features);
  const all = features.map((feature) => {
    const properties = feature.properties;
    return {
      properties, type: feature.geometry.type,
      lines: linesOf(feature.geometry).map((line) => flatten(line, origin)),
      label: properties.label
        ? [worldX(properties.label[0]) - origin[0], worldY(properties.label[1]) - origin[1]] : null,
    };
  });
  return assemble(all, origin, map.attribution);
}

/** A part in units of a square: lists of coordinates are flat, and have differences. */
function preparePart(part, job) {
  const side = EQUATOR / Math.pow(2, part.zoom);
  const corner = [part.x * side, part.y * side];
  const origin = job.origin || corner.map(Math.floor);
  const unit = side / part.extent;
  const flat = (numbers, closed) => {
    const line = new Float32Array(numbers.length + (closed ? 2 : 0));
    let x = 0;
    let y = 0;
    for (let i = 0; i < numbers.length; i += 2) {
      x += numbers[i];
      y += numbers[i + 1];
      line[i] = corner[0] - origin[0] + x * unit;
      line[i + 1] = corner[1] - origin[1] + y * unit;
    }
    if (closed) {
      line[numbers.length] = line[0];
      line[numbers.length + 1] = line[1];
    }
    return line;
  };
  const all = part.features.map((one) => ({
    properties: Object.assign({ kind: one.layer }, one),
    type: one.rings ? 'Polygon' : one.line ? 'LineString' : 'Point',
    lines: one.rings ? one.rings.map((ring) => flat(ring, true)) : [flat(one.line || one.point)],
    label: one.label ? Array.from(flat(one.label)) : null,
  }));
  Object.keys(part.lines).forEach((layer) => part.lines[layer].forEach((line) => {
    all.push({ properties: { layer }, type: 'LineString', lines: [flat(line)], label: null });
  }));
  const west = corner[0] - origin[0];
  const north = corner[1] - origin[1];
  return assemble(all, origin, '', [west, north, west + side, north + side]);
}

/** `square` is that of a part whose neighbours repeat what reaches beyond it. */
function assemble(features, origin, attribution, square) {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  const records = [];
  const rings = [];
  const ringEnds = [];
  const drawn = [];
  features.forEach((feature) => {
    const lines = feature.lines;
    if (feature.type === 'Polygon') lines.forEach(wind);
    const box = boxOf(lines);
    grow(bounds, box);
    const style = classOf(feature.properties, feature.type);
    if (style) {
      const key = square && feature.type === 'Polygon' && reachesBeyond(box, square)
        ? feature.properties.layer + '/' + feature.properties.id : '';
      drawn.push({ style, lines, box, key });
    }
    const record = recordOf(feature, box);
    if (!record) return;
    if (feature.type === 'Polygon') {
      record.firstRing = ringEnds.length;
      lines.forEach((line) => {
        for (let i = 0; i < line.length; i += 1) rings.push(line[i]);
        ringEnds.push(rings.length);
      });
      record.lastRing = ringEnds.length;
      record.area = areaOf(lines[0]);
    }
    records.push(record);
  });
  return {
    attribution: attribution || '', origin, bounds, records,
    rings: new Float32Array(rings), ringEnds: new Uint32Array(ringEnds),
    chunks: chunksOf(drawn.filter((one) => !one.key), bounds).concat(
      drawn.filter((one) => one.key).map((one) => (
        Object.assign(chunkOf([one]), { key: one.key })))),
  };
}

function reachesBeyond(box, square) {
  return box[0] < square[0] || box[1] < square[1] || box[2] > square[2] || box[3] > square[3];
}

function originOf(features) {
  if (!features.length) return [0, 0];
  let x = Infinity;
  let y = Infinity;
  features.forEach((feature) => linesOf(feature.geometry).forEach((line) => {
    for (let i = 0; i < line.length; i += 1) {
      x = Math.min(x, worldX(line[i][0]));
      y = Math.min(y, worldY(line[i][1]));
    }
  }));
  return [Math.floor(x), Math.floor(y)];
}

function flatten(line, origin) {
  const result = new Float32Array(line.length * 2);
  for (let i = 0; i < line.length; i += 1) {
    result[2 * i] = worldX(line[i][0]) - origin[0];
    result[2 * i + 1] = worldY(line[i][1]) - origin[1];
  }
  return result;
}

/** Turns an outline one way and holes the other, so that overlapping outlines are both filled. */
function wind(line, index) {
  if (signedArea(line) > 0 === (index === 0)) return;
  for (let i = 0, j = line.length - 2; i < j; i += 2, j -= 2) {
    const x = line[i];
    const y = line[i + 1];
    line[i] = line[j];
    line[i + 1] = line[j + 1];
    line[j] = x;
    line[j + 1] = y;
  }
}

function boxOf(lines) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  lines.forEach((line) => {
    for (let i = 0; i < line.length; i += 2) {
      if (line[i] < box[0]) box[0] = line[i];
      if (line[i + 1] < box[1]) box[1] = line[i + 1];
      if (line[i] > box[2]) box[2] = line[i];
      if (line[i + 1] > box[3]) box[3] = line[i + 1];
    }
  });
  return box;
}

function grow(bounds, box) {
  bounds[0] = Math.min(bounds[0], box[0]);
  bounds[1] = Math.min(bounds[1], box[1]);
  bounds[2] = Math.max(bounds[2], box[2]);
  bounds[3] = Math.max(bounds[3], box[3]);
}

function areaOf(line) {
  return Math.abs(signedArea(line));
}

function signedArea(line) {
  let sum = 0;
  for (let i = 0; i < line.length; i += 2) {
    const j = (i + 2) % line.length;
    sum += line[i] * line[j + 1] - line[j] * line[i + 1];
  }
  return sum / 2;
}

/** What can be tapped, found or named: areas, buildings, doors to outside, ways between floors. */
function recordOf(feature, box) {
  const properties = feature.properties;
  const named = { entrance: 1, place: 1, lift: 1, stairs: 1, escalator: 1, 'platform-lift': 1 };
  if (feature.type !== 'Polygon' && !(properties.layer in named)) return null;
  if (properties.layer === 'ground' || properties.layer === 'floor') return null;
  const label = feature.label || middleOf(feature.lines[0]);
  const name = properties.name === properties.id ? '' : properties.name || '';
  const record = {
    layer: properties.layer, id: properties.id, kind: properties.kind, name, label, box, area: 0,
    group: properties.layer === 'area' ? groupOf(properties.kind) : properties.layer,
  };
  if (properties.restricted) record.restricted = true;
  if (properties.accessible && properties.accessible !== 'unknown') {
    record.accessible = properties.accessible;
  }
  if (properties.levels) record.levels = properties.levels;
  return record;
}

function middleOf(line) {
  const half = Math.floor(line.length / 4) * 2;
  if (line.length === 4) return [(line[0] + line[2]) / 2, (line[1] + line[3]) / 2];
  return [line[half], line[half + 1]];
}

function chunksOf(drawn, bounds) {
  const side = Math.max(1, Math.min(24, Math.round(Math.sqrt(drawn.length / CHUNK_FEATURES))));
  const width = Math.max(1, bounds[2] - bounds[0]) / side;
  const height = Math.max(1, bounds[3] - bounds[1]) / side;
  const cells = new Map();
  drawn.forEach((one) => {
    const x = Math.floor(((one.box[0] + one.box[2]) / 2 - bounds[0]) / width);
    const y = Math.floor(((one.box[1] + one.box[3]) / 2 - bounds[1]) / height);
    const key = Math.min(side - 1, x) + side * Math.min(side - 1, y);
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(one);
  });
  return Array.from(cells.values()).map(chunkOf);
}

function chunkOf(members) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  const styles = new Map();
  members.forEach((one) => {
    grow(box, one.box);
    if (!styles.has(one.style)) styles.set(one.style, []);
    styles.get(one.style).push(one);
  });
  const parts = Array.from(styles.keys()).map((style) => partOf(style, styles.get(style)));
  return { box, parts };
}

function partOf(style, members) {
  const lines = [].concat(...members.map((one) => one.lines));
  const points = new Float32Array(lines.reduce((sum, line) => sum + line.length, 0));
  const ends = new Uint32Array(lines.length);
  let at = 0;
  lines.forEach((line, index) => {
    points.set(line, at);
    at += line.length;
    ends[index] = at;
  });
  return { style, points, ends };
}
