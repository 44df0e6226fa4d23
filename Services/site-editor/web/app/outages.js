// Outages on a route that is shown, asked for every eight seconds while the page is seen, and those
// of a lift or of stairs.

import { ask, query } from './service.js';
import { isBarrier, reasonText } from './barrier-here.js';
import { connectionsOfRoom } from './connections.js';
import { t } from './words.js';

const PERIOD_MILLISECONDS = 8000;
/** The kinds of rooms that are parts of a connection. */
const PARTS = ['lift', 'elevator', 'platform-lift', 'stairs', 'staircase', 'stairwell', 'steps',
  'escalator', 'ramp'];

function activeOutages(site) {
  return ask('/v1/outages' + query({ site: site.id, active: 'true' }));
}

/**
 * What is out of order at a room that is part of a lift or of stairs: the `closed` connections,
 * whether `all` of the room's are, and the `text` that says so, empty for none.
 */
export async function outagesOfRoom(site, room) {
  const none = { closed: [], all: false, text: '' };
  if (PARTS.indexOf((room.kind || '').toLowerCase()) < 0) return none;
  const { outages } = await activeOutages(site);
  if (!outages.length) return none;
  const { connections, more } = await connectionsOfRoom(site, room.id);
  const ids = connections.map((one) => one.id);
  const here = outages.filter((one) => ids.indexOf(one.connection) >= 0);
  const closed = ids.filter((id) => here.some((one) => one.connection === id));
  const texts = here.map((one) => t('outage.now', { what: outageText(one.reason) }));
  return {
    closed, all: !more && closed.length === ids.length,
    text: texts.filter((text, index) => texts.indexOf(text) === index).join(' '),
  };
}

/** A kind of barrier says by itself what is wrong; the staff's own words may not. */
function outageText(reason) {
  if (!reason) return t('outage.here');
  const text = reasonText(reason);
  return isBarrier(reason) ? text : t('outage.hereBecause', { reason: text });
}

/**
 * Watches the outages of a site. `changed(text)` is called when one begins on a connection of the
 * route, or when any of them ends, and `reached` when the service first answers. The answer is a
 * function that stops it.
 */
export function watchOutages(site, connections, changed, reached) {
  const own = new Set(connections);
  let known = null;
  let timer = 0;
  let stopped = false;
  let waits = false;

  async function look() {
    if (!document.hidden) {
      const answer = await activeOutages(site).catch(() => null);
      if (stopped) return;
      if (answer) compare(answer.outages);
    }
    // A hidden page does not even wake: it looks when it is seen again.
    waits = document.hidden;
    if (!stopped && !waits) timer = setTimeout(look, PERIOD_MILLISECONDS);
  }

  function seen() {
    if (!waits || document.hidden) return;
    waits = false;
    look();
  }

  function compare(outages) {
    const now = new Map(outages.map((one) => [one.id, one]));
    const before = known;
    known = now;
    if (!before && reached) reached();
    if (!before) return;
    const begun = outages.find((one) => !before.has(one.id) && own.has(one.connection));
    const ended = Array.from(before.keys()).find((id) => !now.has(id));
    if (begun && begun.reason) {
      changed(t('outage.begunBecause', { reason: reasonText(begun.reason) }));
    } else if (begun) changed(t('outage.begun'));
    else if (ended) changed(t('outage.ended'));
  }

  document.addEventListener('visibilitychange', seen);
  timer = setTimeout(look, 400);
  return () => {
    stopped = true;
    document.removeEventListener('visibilitychange', seen);
    clearTimeout(timer);
  };
}
