// Compares the app's distances with those of the service's sentences.
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
