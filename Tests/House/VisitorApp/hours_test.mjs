// Opening hours as rows: what the picker shows of a text, what it writes, and what it refuses.
//
// `node hours_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import path from 'path';

const folder = process.argv[2];
global.window = { matchMedia: () => ({ matches: false }) };
global.Node = class {};
const { faultsOf, minutesOf, pickable, textOf } = await import(path.join(folder, 'hours-text.js'));
const { periodsByDay, readHours } = await import(path.join(folder, 'opening-hours.js'));

// What is read and written again means the same.
const same = [
  'Mo-Fr 09:00-17:00', 'Mo-Fr 08:00-12:00,13:00-18:00; Sa 10:00-14:00; Su off',
  'Mo-Su 00:00-24:00', 'Fr,Sa 22:00-02:00', 'We off', 'Mo,We,Fr 07:30-19:45',
  'Mo-Fr 08:00-18:00; We 10:00-16:00; Su off', 'Su 10:00-24:00',
];
same.forEach((text) => {
  const shown = pickable(text);
  assert.strictEqual(shown.mode, 'days', text);
  assert.deepStrictEqual(faultsOf(shown.rows), [], text);
  const written = textOf(shown.rows);
  assert.deepStrictEqual(periodsByDay(readHours(written)), periodsByDay(readHours(text)),
    text + ' became ' + written);
  assert.strictEqual(textOf(pickable(written).rows), written);
});
assert.strictEqual(textOf(pickable('Mo-Fr 09:00-17:00').rows), 'Mo-Fr 09:00-17:00; Sa,Su off');

// Each row of all that the picker can make is read as it was picked.
let seed = 7;
const next = (limit) => {
  seed = (seed * 48271) % 2147483647;
  return seed % limit;
};
const clock = (minutes) => [Math.floor(minutes / 60) % 24, minutes % 60]
  .map((one) => String(one).padStart(2, '0')).join(':');
for (let turn = 0; turn < 500; turn += 1) {
  const owner = [0, 1, 2, 3, 4, 5, 6].map(() => next(4));
  const rows = [0, 1, 2].map((index) => {
    const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => owner[day] === index);
    const from = 1 + next(700);
    const gap = 5 + next(200);
    const spans = [{ from: clock(from), until: clock(from + gap) }];
    if (next(2)) spans.push({ from: clock(from + gap), until: clock(1000 + next(700)) });
    return { days, spans, closed: next(5) === 0 };
  }).filter((row) => row.days.length);
  if (!rows.length) continue;
  const faults = faultsOf(rows);
  if (faults.length) {
    assert(faults.every((one) => one.key === 'hours.fault.overlap'), JSON.stringify(rows));
    continue;
  }
  const read = periodsByDay(readHours(textOf(rows)));
  rows.forEach((row) => row.days.forEach((day) => {
    const wanted = row.closed ? [] : row.spans.map((span) => [minutesOf(span.from),
      minutesOf(span.until) || 1440]);
    assert.deepStrictEqual(read[day], wanted, textOf(rows));
  }));
  owner.forEach((index, day) => {
    if (index === 3) assert.deepStrictEqual(read[day], [], textOf(rows));
  });
}

// What the picker would lose stays a text.
['Mo-Fr 09:00-17:00; PH off', 'Jun-Aug Mo-Su 08:00-20:00', 'sunrise-sunset', 'Mo-Fr 09:00+',
  'Mo-Fr 09:00-17:00 "by appointment"'].forEach((text) => (
  assert.strictEqual(pickable(text).mode, 'text', text)));
assert.strictEqual(pickable('').mode, 'none');
assert.strictEqual(pickable(undefined).mode, 'none');
assert.strictEqual(pickable('24/7').mode, 'always');

// What can't be meant is named.
const keys = (rows) => faultsOf(rows).map((one) => one.key.replace('hours.fault.', ''));
const row = (days, ...spans) => ({
  days, closed: false, spans: spans.map(([from, until]) => ({ from, until })),
});
assert.deepStrictEqual(keys([]), ['none']);
assert.deepStrictEqual(keys([row([], ['09:00', '17:00'])]), ['days']);
assert.deepStrictEqual(keys([row([0])]), ['span']);
assert.deepStrictEqual(keys([row([0], ['', '17:00'])]), ['time']);
assert.deepStrictEqual(keys([row([0], ['09:00', '09:00'])]), ['empty']);
assert.deepStrictEqual(keys([row([0], ['00:00', '00:00'])]), []);
assert.deepStrictEqual(keys([row([0], ['09:00', '12:00'], ['11:00', '13:00'])]), ['overlap']);
assert.deepStrictEqual(keys([row([0], ['22:00', '02:00'], ['01:00', '03:00'])]), []);
assert.deepStrictEqual(keys([row([0, 1], ['09:00', '12:00']), row([1], ['09:00', '12:00'])]),
  ['twice']);
assert.deepStrictEqual(keys([{ days: [6], spans: [], closed: true }]), []);
assert.strictEqual(minutesOf('24:01'), null);
assert.strictEqual(minutesOf('9:5'), null);
