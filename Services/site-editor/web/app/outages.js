// Outages on a route that is shown: asked for every eight seconds while the page is seen.

import { ask, query } from './service.js';
import { reasonText } from './barrier-here.js';
import { t } from './words.js';

const PERIOD_MILLISECONDS = 8000;

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
      const path = '/v1/outages' + query({ site: site.id, active: 'true' });
      const answer = await ask(path).catch(() => null);
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
