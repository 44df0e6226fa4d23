// Tells ways of a network with the page's own modules, for tests of other programs: node without a
// browser.
//
//     node speak_network.js CASES.json
//
// CASES.json has the network of `GET /v1/sites/{site}/network`, the floors, for each room its outline
// and its names by language, and cases: two rooms, profile, time, the connections of the service's way,
// and for each language its sentences for doors and stairs, with the warning before them. Ways over other
// connections are left out. The output is one JSON object.

'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');

const source = path.join(__dirname, '../../../Services/site-editor/web/app');
const FILES = ['offline-network.js', 'offline-hours.js', 'offline-steps.js', 'offline-spoken.js',
  'offline-touch.js', 'offline-around.js', 'route-track.js', 'measuring.js', 'floors.js',
  'words.js', 'fetching.js'];
const LANGUAGES = ['en', 'cy', 'de'];
const THINGS = ['door', 'stairs', 'escalator', 'lift', 'platform-lift'];

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'whereabouts-'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  FILES.forEach((name) => fs.copyFileSync(path.join(source, name), path.join(folder, name)));
  global.document = { documentElement: {} };
  global.fetch = async (address) => ({
    ok: true,
    json: async () => JSON.parse(fs.readFileSync(path.join(source, address.slice(5)), 'utf8')),
  });
  const own = (name) => import(path.join(folder, name));
  const { OfflineNetwork } = await own('offline-network.js');
  const { routeOf } = await own('offline-steps.js');
  const { spokenOf } = await own('offline-spoken.js');
  const { spokenKind } = await own('offline-touch.js');
  const words = await own('words.js');
  fs.rmSync(folder, { recursive: true });
  const input = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
  const network = new OfflineNetwork(input.network);
  const site = {
    floorOf: (id) => input.floors.find((floor) => floor.id === id) || null,
    buildingOf: () => null, storeyedBuildings: () => [],
  };
  const rooms = Array.from(network.roomIndex);
  const result = { ways: 0, others: 0, sentences: 0, warnings: 0, differing: [] };

  function ends(language, way, from, to) {
    const room = network.rooms[network.roomIndex.get(to)];
    const single = (id) => network.roomIndex.has(id)
      && network.rooms[network.roomIndex.get(id)].ends.length === 1;
    return {
      names: new Map(input.rooms.map((one) => [one.id, one.names[language]])),
      outlines: new Map(input.rooms.map((one) => [one.id, one.outline])),
      kinds: new Map(rooms.map((one) => [one[0], spokenKind(network, one[1])])),
      records: new Map(rooms.map((one) => [one[0], network.rooms[one[1]]])),
      isSingle: single, room: room.id, to: 'there', from: '', isNear: way.endsNear,
    };
  }

  /** What differs from the service's sentences. */
  function compare(one, language, route, steps) {
    one.steps[language].forEach((expected) => {
      const at = steps.findIndex((step, index) => (
        index > 0 && index < steps.length - 1
        && route.legs[step.leg].connection === expected.connection));
      if (at < 0) return;
      result.sentences += 1;
      const before = steps[at - 1];
      const faults = [];
      if (steps[at].text !== expected.text) faults.push(steps[at].text);
      if (expected.warning) {
        result.warnings += 1;
        if (before.text.indexOf(expected.warning) < 0) faults.push(before.text);
        if (before.announcements.some((near) => near.text.indexOf(expected.warning) < 0)) {
          faults.push(before.announcements[0].text);
        }
        const heard = before.announcedText || before.text;
        if (before.announcements.length > 0 && heard.indexOf(expected.warning) >= 0) {
          faults.push(heard);
        }
      }
      if (faults.length) {
        result.differing.push({
          from: one.from, to: one.to, language, ours: faults.join(' | '),
          text: expected.text, warning: expected.warning || '',
        });
      }
    });
  }

  for (const language of LANGUAGES) {
    await words.loadWords(language);
    input.cases.forEach((one) => {
      const place = (id) => ({ rooms: [network.roomIndex.get(id)], nodes: [] });
      const wish = {
        from: place(one.from), to: place(one.to), profile: one.profile, outages: [], at: one.at,
      };
      const way = network.find(wish);
      if (!way || !way.steps.length) return;
      const route = routeOf(network, way, wish, { site, to: 'there' });
      const taken = route.legs.filter((leg) => THINGS.indexOf(leg.kind) >= 0)
        .map((leg) => leg.connection);
      if (taken.join() !== one.connections.join() || new Set(taken).size < taken.length) {
        result.others += 1;
        return;
      }
      result.ways += 1;
      compare(one, language, route, spokenOf(site, route, ends(language, way, one.from, one.to)));
    });
  }
  const count = result.differing.length;
  console.log(JSON.stringify(Object.assign(result, {
    differing: count, shown: result.differing.slice(0, 20),
  })));
}

main();
