// What the draft has that the published site lacks, and the other way round; and where it is.

import { ask, query, sitePath } from '/app/service.js';
import { KINDS, floorsOf, kindOfWord, recordName } from './record-kinds.js';

// As many records are asked for one by one; of more, all of their kind are read.
const MOST_SINGLE = 40;

/** Added, changed and removed records: each with its kind in addresses, id and members. */
export async function readComparison(draft) {
  const path = sitePath(draft.site.id, 'versions', 'published', 'compare', 'draft');
  const answer = await ask(path);
  const items = (list, state) => list.map((one) => ({
    state, kind: kindOfWord(one.kind), word: one.kind, id: one.id, fields: one.fields || [],
  }));
  return {
    isSame: answer.identical, site: answer.site || [],
    items: items(answer.added, 'added').concat(items(answer.changed, 'changed'),
      items(answer.removed, 'removed')),
  };
}

/** Gives each item its record: of the draft, or the published one of what is removed. */
export async function readRecords(draft, items) {
  const kinds = new Set(items.map((one) => one.kind).filter(Boolean));
  await Promise.all(Array.from(kinds).map(async (kind) => {
    const present = items.filter((one) => one.kind === kind && one.state !== 'removed');
    const unread = present.filter((one) => !draft.stored(kind, one.id));
    if (unread.length > MOST_SINGLE) await draft.read(kind);
    else await Promise.all(unread.map((one) => draft.readOne(kind, one.id)));
    present.forEach((one) => { one.record = draft.stored(kind, one.id); });
    const gone = items.filter((one) => one.kind === kind && one.state === 'removed');
    const published = await readPublished(draft, kind, gone);
    gone.forEach((one) => { one.record = published.get(one.id) || null; });
  }));
  items.forEach((one) => {
    one.name = one.record ? recordName(one.kind, one.record) : one.id;
    one.floors = floorsOf(one.record);
  });
}

async function readPublished(draft, kind, items) {
  const path = (id) => sitePath(draft.site.id, kind, id);
  const found = new Map();
  await Promise.all(items.slice(0, MOST_SINGLE).map(async (one) => {
    const record = await ask(path(one.id)).catch(() => null);
    if (record) found.set(one.id, record);
  }));
  return found;
}

/** The items on a floor with their places in degrees, for the map. */
export async function readPlaces(draft, items, floor) {
  const here = items.filter((one) => one.kind && one.floors.indexOf(floor) >= 0);
  const sides = [['removed', undefined], ['', 'draft']];
  const placed = [];
  const kinds = Array.from(new Set(here.map((one) => one.kind)));
  await Promise.all([].concat(...kinds.map((kind) => sides.map(async ([state, version]) => {
    const own = here.filter((one) => (
      one.kind === kind && (one.state === 'removed') === Boolean(state)));
    if (!own.length) return;
    const members = query({ version, floor, coordinates: 'wgs84', limit: 10000 });
    const answer = await ask(sitePath(draft.site.id, kind) + members).catch(() => null);
    const records = new Map((answer ? answer[KINDS[kind].list] : []).map((one) => [one.id, one]));
    own.forEach((one) => {
      const record = records.get(one.id);
      if (record) placed.push(Object.assign({ place: record }, one));
    });
  }))));
  return placed;
}
