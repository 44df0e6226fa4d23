// The magnetic field along a line: the file of a logger app on the telephone, joined by time with
// the moments at which the walker passed the points of the line.
//
// Names of columns as phyphox, Sensor Logger, AndroSensor and the like write them.

const FEWEST = 20;
const MOST_ROWS = 200000;
// What the service takes.
const MOST_SAMPLES = 6000;
const LONGEST_GAP_MILLISECONDS = 1000;
const LEAST_PER_SECOND = 10;
const AXES = ['x', 'y', 'z'];

/** What is wrong with a file, as the key of a sentence. */
export class FieldFault extends Error {
  constructor(key) {
    super(key);
    this.key = key;
  }
}

function separatorOf(line) {
  const counts = [';', '\t', ','].map((one) => [one, line.split(one).length - 1]);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

function cells(line, separator) {
  return line.split(separator).map((one) => one.trim().replace(/^"|"$/g, '').trim());
}

/** The columns of the field: `MAGNETIC FIELD X (μT)`, `mag_x`, `Bx`, or `x` alone. */
function fieldColumns(names) {
  const forms = [
    (axis) => new RegExp('^magnetic[ _]?field[ _]' + axis + '\\b'),
    (axis) => new RegExp('^mag(net\\w*)?[ _.]?' + axis + '(?![a-z])'),
    (axis) => new RegExp('^b\\d?[ _]?' + axis + '(?![a-z])'),
    (axis) => new RegExp('^' + axis + '( ?\\(.*\\))?$'),
  ];
  for (let i = 0; i < forms.length; i += 1) {
    const found = AXES.map((axis) => names.findIndex((name) => forms[i](axis).test(name)));
    if (found.every((index) => index >= 0)) return found;
  }
  return null;
}

/** What one unit of a column is in microtesla. */
function scaleOf(name) {
  if (/(^|[^a-z])nt([^a-z]|$)/.test(name)) return 0.001;
  return /gauss/.test(name) ? 100 : 1;
}

/** Milliseconds since 1970 of a number, by its size; null for one that counts from a start. */
function sinceEpoch(value) {
  if (value > 1e17) return value / 1e6;
  if (value > 1e14) return value / 1e3;
  if (value > 1e11) return value;
  return value > 1e9 ? value * 1e3 : null;
}

function perUnit(name) {
  if (/(^|[^a-z])(ms|milli\w*)([^a-z]|$)/.test(name)) return 1;
  if (/(^|[^a-z])(ns|nano\w*)([^a-z]|$)/.test(name)) return 1e-6;
  return 1000;
}

/** The column of time, and how it becomes milliseconds. */
function timeColumn(names, row, numberOf) {
  const columns = names.map((name, index) => ({ name, index }))
    .filter((one) => /time|elapsed|stamp|^t$|^t[ _(]/.test(one.name));
  const absolute = columns.find((one) => sinceEpoch(numberOf(row[one.index])) !== null);
  if (absolute) {
    return { read: (own) => sinceEpoch(numberOf(own[absolute.index])), isRelative: false };
  }
  const relative = columns.find((one) => !Number.isNaN(numberOf(row[one.index])));
  if (!relative) return null;
  const factor = perUnit(relative.name);
  return { read: (own) => numberOf(own[relative.index]) * factor, isRelative: true };
}

/**
 * The samples of a logger's file: `[milliseconds, x, y, z]` in microtesla, in the order of time.
 * `isRelative` where the times count from the start of the logger.
 */
export function readLog(text) {
  const lines = String(text).replace(/^\ufeff/, '').split(/\r?\n/).slice(0, MOST_ROWS);
  for (let start = 0; start < Math.min(lines.length, 50); start += 1) {
    const separator = separatorOf(lines[start]);
    const names = cells(lines[start].toLowerCase(), separator);
    const columns = names.length > 3 ? fieldColumns(names) : null;
    if (columns) return samplesOf(lines.slice(start + 1), names, columns, separator);
  }
  throw new FieldFault('survey.field.noColumns');
}

function samplesOf(lines, names, columns, separator) {
  // Where a comma parts no columns, it is the decimal sign.
  const numberOf = (one) => (one === undefined || one === '' ? NaN
    : Number(separator === ',' ? one : one.replace(',', '.')));
  const rows = lines.filter((line) => line.trim()).map((line) => cells(line, separator));
  const time = rows.length ? timeColumn(names, rows[0], numberOf) : null;
  if (!time) throw new FieldFault(rows.length ? 'survey.field.noTime' : 'survey.field.few');
  const scales = columns.map((index) => scaleOf(names[index]));
  const samples = rows.map((row) => [time.read(row)].concat(columns.map((index, axis) => (
    numberOf(row[index]) * scales[axis])))).filter((sample) => (
    sample.every((one) => one !== null && Number.isFinite(one))));
  samples.sort((one, other) => one[0] - other[0]);
  if (samples.length < FEWEST) throw new FieldFault('survey.field.few');
  return { samples, isRelative: time.isRelative };
}

/**
 * The samples of a walk, and when it passed each point, by one clock in whole milliseconds.
 * `passedAt` are milliseconds since 1970; `loggerAt` is when the logger began, for a log that
 * counts from there.
 */
export function joinWalk(log, passedAt, loggerAt) {
  if (log.isRelative && !loggerAt) throw new FieldFault('survey.field.needStart');
  const shift = log.isRelative ? loggerAt - log.samples[0][0] : 0;
  const all = log.samples.map((sample) => [sample[0] + shift].concat(sample.slice(1)));
  const begin = passedAt[0];
  const end = passedAt[passedAt.length - 1];
  // One sample beyond each end, so that the ends lie between samples.
  const first = Math.max(0, all.findIndex((sample) => sample[0] > begin) - 1);
  const after = all.findIndex((sample) => sample[0] >= end);
  const inside = all.slice(first, after < 0 ? all.length : after + 1);
  const covers = inside.length > 1 && inside[0][0] <= begin + LONGEST_GAP_MILLISECONDS
    && inside[inside.length - 1][0] >= end - LONGEST_GAP_MILLISECONDS;
  if (!covers) throw new FieldFault('survey.field.otherTime');
  const origin = Math.min(begin, inside[0][0]);
  const step = Math.max(1, Math.ceil(inside.length / (MOST_SAMPLES - 1)));
  const rounded = (value) => Math.round(value * 1000) / 1000;
  const samples = [];
  inside.filter((sample, index) => index % step === 0 || index === inside.length - 1)
    .forEach((sample) => {
      const at = Math.round(sample[0] - origin);
      // Two samples of one millisecond would be one too many.
      if (samples.length && at <= samples[samples.length - 1][0]) return;
      samples.push([at].concat(sample.slice(1).map(rounded)));
    });
  const gap = samples.slice(1).some((sample, index) => (
    sample[0] - samples[index][0] > LONGEST_GAP_MILLISECONDS));
  if (gap) throw new FieldFault('survey.field.gap');
  const last = samples[samples.length - 1][0];
  if ((samples.length * 1000) / Math.max(1, last - samples[0][0]) < LEAST_PER_SECOND) {
    throw new FieldFault('survey.field.slow');
  }
  return {
    samples,
    passedAt: passedAt.map((time) => (
      Math.max(samples[0][0], Math.min(last, Math.round(time - origin))))),
  };
}
