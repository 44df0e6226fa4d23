// Who comes by a barrier that somebody else has reported is asked whether it is there.

import { button, el, fill } from './elements.js';
import { say } from './announcing.js';
import { ask, sitePath } from './service.js';
import { barrierIcon, barrierName, refusedText, report, suits } from './barrier-here.js';
import { t } from './words.js';

const LEGS_AHEAD = 2;

/** The place of a barrier at a step: a connection that it leads through, or its point. */
export function placeOfStep(route, step, kind) {
  const ahead = route.legs.slice(step.leg, step.leg + LEGS_AHEAD + 1);
  const found = suits(kind, 'walk') ? ahead.slice(0, 1) : ahead;
  const leg = found.find((one) => one.connection && suits(kind, one.kind));
  if (leg) return { connection: leg.connection };
  const point = { latitude: step.latitude, longitude: step.longitude };
  return step.floor ? Object.assign(point, { floor: step.floor }) : point;
}

/** Fills `holder` with the barriers that wait on these connections. They change no route. */
export async function askOnWay(app, connections, holder) {
  if (!connections.length) return;
  const answer = await ask(sitePath(app.site.id, 'barriers')).catch(() => null);
  if (!answer) return;
  const waiting = answer.barriers.filter((one) => (
    one.state === 'waiting' && !one.own && connections.indexOf(one.connection) >= 0));
  if (!waiting.length) return;
  fill(holder, waiting.map((barrier) => asked(app, barrier)));
  app.shell.laid();
}

function asked(app, barrier) {
  const text = t('barrier.ask', { kind: barrierName(barrier.kind) });
  const row = el('section', { class: 'news', 'aria-label': t('barriers') }, [
    barrierIcon(barrier.kind),
    el('div', {}, [
      el('p', { text }),
      button(t('barrier.too'), async () => {
        let told;
        try {
          const place = { connection: barrier.connection };
          const answer = await report(app, barrier.kind, place);
          if (!answer) return;
          told = t('barrier.state.' + answer.state);
        } catch (fault) {
          told = refusedText(fault);
        }
        const done = el('p', { text: told, tabindex: '-1' });
        fill(row, [barrierIcon(barrier.kind), done]);
        done.focus({ preventScroll: true });
        say(told);
      }, { class: 'secondary' }),
    ]),
  ]);
  return row;
}
