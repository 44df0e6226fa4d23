// What the administration reckons: rates of scanners, groups of findings, ids, degrees and secrets.
//
// `node admin_test.mjs FOLDER`: the folder has the app's modules. Ends with 1 at the first fault.

import assert from 'assert';
import crypto from 'crypto';
import path from 'path';

if (!globalThis.crypto) globalThis.crypto = crypto.webcrypto;
const {
  byResult, degrees, idOf, isSilent, letterPath, newSecret, rateOf, readable,
} = await import(path.join(process.argv[2], 'admin-figures.js'));

// The rate of a scanner is that between two of its own reports.
const at = (minute, scans) => ({ at: '2026-11-30T10:0' + minute + ':00Z', scans });
assert.strictEqual(rateOf(at(0, 100), at(2, 130)), 15);
assert.strictEqual(rateOf(at(2, 100), at(2, 100)), null, 'the same report');
assert.strictEqual(rateOf(at(0, 100), at(1, 4)), null, 'it was started again');
assert.strictEqual(rateOf(null, at(1, 4)), null);
assert.strictEqual(rateOf({ at: '2026-11-30T10:00:00Z' }, at(1, 4)), null);

const now = Date.parse('2026-11-30T10:06:00Z');
assert.ok(isSilent(at(0, 1), now));
assert.ok(!isSilent(at(1, 1), now), 'five minutes are not yet silence');
assert.ok(isSilent(undefined, now) && isSilent({}, now));

// What is wrong stands first, and no finding is lost.
const checks = ['ok', 'wrong', "can't tell", 'ok', 'warning'].map((result, number) => ({
  result, check: 'check ' + number,
}));
assert.deepStrictEqual(byResult(checks).map((one) => [one.result, one.checks.length]),
  [['wrong', 1], ['warning', 1], ["can't tell", 1], ['ok', 2]]);
assert.deepStrictEqual(byResult([]), []);

// What is inside a letter: JSON on lines, anything else as it is, and never more than a screen takes.
assert.strictEqual(readable('{"a":[1]}').text, '{\n  "a": [\n    1\n  ]\n}');
assert.deepStrictEqual(readable('{"a":'), { text: '{"a":', isCut: false });
assert.ok(readable('x'.repeat(20001)).isCut && readable('x'.repeat(20001)).text.length === 20000);
assert.ok(!readable('x'.repeat(20000)).isCut);

// Degrees as people write them.
assert.strictEqual(degrees(' 51.5123 ', 90), 51.5123);
assert.strictEqual(degrees('51,5', 90), 51.5);
assert.strictEqual(degrees('\u22120,1166', 180), -0.1166);
assert.strictEqual(degrees(0, 90), 0);
['', ' ', '91', 'north', '51.5 N', 'Infinity', '1.2.3'].forEach((text) => {
  assert.strictEqual(degrees(text, 90), null, text);
});

// Ids that the service takes, of names in any language.
assert.strictEqual(idOf('City Museum'), 'city-museum');
assert.strictEqual(idOf('  Amgueddfa’r  D\u0175r! '), 'amgueddfa-r-dwr');
assert.strictEqual(idOf('Universit\u00e4t  M\u00fcnchen'), 'universitat-munchen');
assert.strictEqual(idOf('\u535a\u7269\u9928'), '', 'the reader has to write one');
assert.match(idOf('a'.repeat(63) + ' b'.repeat(9)), /^[a-z-]{1,64}$/);
assert.ok(!idOf('a'.repeat(63) + ' b').endsWith('-'));

// A link's secret is long enough, of letters that addresses take, and never the same.
const secrets = new Set(Array.from({ length: 200 }, newSecret));
assert.strictEqual(secrets.size, 200);
secrets.forEach((one) => assert.match(one, /^[A-Za-z0-9_-]{24}$/));

assert.strictEqual(letterPath('whereabouts.scans/3/1207'),
  '/v1/dead-letters/whereabouts.scans/3/1207');
assert.strictEqual(letterPath('a?b/1/2'), '/v1/dead-letters/a%3Fb/1/2');
