// Compares distances with those of the service, and tests how texts are filled in.
//
// `node words_test.mjs FOLDER TABLE`: the folder has the app's modules, the table is
// Tests/Domain/Golden/distances.txt. Ends with 1 at the first fault.

import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(process.argv[2] + '/');
globalThis.document = { documentElement: {} };
globalThis.fetch = async (path) => ({
  ok: true, json: async () => JSON.parse(readFileSync(new URL('.' + path.slice(4), folder))),
});
const words = await import(new URL('words.js', folder));

for (const language of ['en', 'cy', 'de']) {
  await words.loadWords(language);
  const rows = readFileSync(process.argv[3], 'utf8').trim().split('\n');
  assert(rows.length > 30);
  for (const row of rows) {
    const [metres, ...rest] = row.split(' ');
    // A sentence leaves out what is too short; a number alone is never nothing.
    const told = rest.join(' ') === '-' ? '1 m' : rest.join(' ');
    const expected = language === 'de' ? told.replace('.', ',') : told;
    assert.strictEqual(words.distance(Number(metres)), expected, language + ' ' + row);
  }
}

// A name or a unit with a full stop ends its sentence, once.
for (const language of ['en', 'cy', 'de']) {
  await words.loadWords(language);
  const texts = ['spoken.here', 'looked.room', 'offline.step.lift', 'pair.slowed', 'live.on'];
  for (const key of texts) {
    const values = { place: 'St. X.', room: 'X.', radius: 'X.', floor: 'X.', time: 'X.' };
    assert(!/\.\./.test(words.t(key, values)), words.t(key, values));
  }
  assert.strictEqual(words.kindName('restroom.male.wheelchair'), words.t('kind.restroom.male'));
  assert.strictEqual(words.kindName('books;gift'), words.t('kind.books'));
  assert.strictEqual(words.kindName('own_kind'), 'Own kind');
  // The day comes before the month, and neither is a number of a machine's date.
  const day = words.dayOf(Date.UTC(2026, 10, 30, 12), 'UTC');
  assert(/30\.? \p{L}+/u.test(day), day);
}

// A time to wait is never too short, and never nothing.
await words.loadWords('en');
[
  [0, '1 second'], [0.2, '1 second'], [1.5, '2 seconds'], [99, '99 seconds'], [100, '2 min'],
  [121, '3 min'], [130, '3 min'], [149, '3 min'], [3541, '1 h 0 min'], [3629, '1 h 1 min'],
].forEach(([seconds, told]) => assert.strictEqual(words.waitTime(seconds), told));
