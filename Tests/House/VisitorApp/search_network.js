// Searches a network with the page's own module, for tests of other programs: node without a browser.
//
//     node search_network.js CASES.json
//
// CASES.json has the network of `GET /v1/sites/{site}/network` and cases: two rooms, or a room and a
// kind of which the nearest is wanted, profile, outages, the time in milliseconds, and the cost that is
// expected, or null. The output is one JSON object.

'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');

const source = path.join(__dirname, '../../../Services/site-editor/web/app');
const FILES = ['offline-network.js', 'offline-hours.js'];

async function main() {
  // Node takes files for modules where a package says so.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'whereabouts-'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  FILES.forEach((name) => fs.copyFileSync(path.join(source, name), path.join(folder, name)));
  const { OfflineNetwork } = await import(path.join(folder, FILES[0]));
  fs.rmSync(folder, { recursive: true });
  const input = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
  const begun = process.hrtime.bigint();
  const network = new OfflineNetwork(input.network);
  const reading = Number(process.hrtime.bigint() - begun) / 1e6;
  const differing = [];
  // Processor time: other programs that run meanwhile do not count.
  const times = [];
  let found = 0;
  const ends = (id) => ({ rooms: [network.roomIndex.get(id)], nodes: [] });
  const places = (kind) => {
    const held = network.places['kind:' + kind];
    const nodes = (held.nodes || []).map((node) => ({ node, stopOf: kind }));
    return { rooms: held.rooms || [], nodes, stopOf: kind };
  };
  input.cases.forEach((one) => {
    const wish = {
      from: ends(one.from), to: one.isKind ? places(one.to) : ends(one.to), profile: one.profile, outages: one.outages,
      at: one.at, limits: one.limits, avoidsManual: one.avoidsManual,
    };
    const start = process.cpuUsage();
    const way = network.find(wish);
    const spent = process.cpuUsage(start);
    times.push((spent.user + spent.system) / 1000);
    const cost = way ? way.cost : null;
    if (way) found += 1;
    if (cost !== (one.cost === undefined ? null : one.cost)) {
      differing.push(Object.assign({}, one, { outages: one.outages.length, ours: cost }));
    }
  });
  times.sort((one, other) => one - other);
  console.log(JSON.stringify({
    cases: input.cases.length, found, differing: differing.length,
    shown: differing.slice(0, 40), readingMilliseconds: reading,
    medianMilliseconds: times[times.length >> 1],
    p99Milliseconds: times[Math.floor(times.length * 0.99)],
    mostMilliseconds: times[times.length - 1],
  }));
}

main();
