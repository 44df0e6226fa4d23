// Who comes by a barrier that somebody else has reported is asked whether it is there.

import { address } from './address.js';
import { button, el, fill } from './elements.js';
import { say, sayAfter } from './announcing.js';
import { barrierIcon, barrierName, refusedText, report } from './barrier-here.js';
import { connectionLine } from './connections.js';
import { senses } from './senses.js';
import { ask, sitePath } from './service.js';
import { speakAfter } from './speaking.js';
import { waitFor } from './waiting.js';
import { t } from './words.js';

/** The same below the directions by ear, said by their voice. */
export function askByEar(app, route, body) {
  const ways = route.legs.map((leg) => leg.connection).filter(Boolean);
  askOnWay(app, ways, body.appendChild(el('div')), (text, holds) => (
    speakAfter(text, senses().voice, holds)));
}

/**
 * Fills `holder` with the barriers that wait on these connections, in the order of the way, and
 * says them by `tell(text, holds)` after the way. They change no route. A kiosk asks nobody: it
 * stands where it is, and who answers there has not been on the way.
 */
export async function askOnWay(app, connections, holder, tell) {
  if (address().kiosk || !connections.length) return;
  const answer = await ask(sitePath(app.site.id, 'barriers')).catch(() => null);
  if (!answer) return;
  const at = (one) => connections.indexOf(one.connection);
  const waiting = answer.barriers.filter((one) => (
    one.state === 'waiting' && !one.own && at(one) >= 0)).sort((a, b) => at(a) - at(b));
  if (!waiting.length) return;
  const places = await Promise.all(waiting.map((one) => (
    connectionLine(app.site, one.connection))));
  const texts = waiting.map((one, index) => askedText(one, places[index]));
  fill(holder, waiting.map((one, index) => asked(app, one, places[index], texts[index])));
  app.shell.laid();
  // The way itself is said first. A way that is no longer shown has no barriers.
  (tell || sayAfter)(texts.join(' '), () => document.body.contains(holder));
}

function askedText(barrier, place) {
  const kind = barrierName(barrier.kind);
  return t('barrier.ask', { what: place ? kind + ' · ' + place : kind });
}

function asked(app, barrier, place, text) {
  const label = [barrierName(barrier.kind), place].filter(Boolean).join(', ');
  const row = el('section', { class: 'news', 'aria-label': t('barriers') + ': ' + label });
  const tell = (told) => {
    const done = el('p', { text: told, tabindex: '-1' });
    fill(row, [barrierIcon(barrier.kind), done]);
    app.shell.laid();
    done.focus({ preventScroll: true });
    say(told);
  };
  const answer = (key, work) => button(t(key), async () => {
    try {
      const told = await work();
      if (told) tell(told);
    } catch (fault) {
      tell(fault.code === 'outage-unknown' ? t('barriers.gone') : refusedText(fault));
    }
  }, { class: 'secondary', 'aria-label': t(key) + ': ' + label });
  fill(row, [
    barrierIcon(barrier.kind),
    el('div', {}, [
      el('p', { text }),
      el('div', { class: 'row' }, [
        answer('barrier.too', () => confirmed(app, barrier)),
        answer('barrier.free', () => denied(app, barrier)),
      ]),
    ]),
  ]);
  return row;
}

/** The sentence after "I see it, too"; empty if it was cancelled. */
async function confirmed(app, barrier) {
  const answer = await report(app, barrier.kind, { connection: barrier.connection });
  return answer ? t('barrier.state.' + answer.state) : '';
}

/** The sentence after "It is gone". One that is confirmed meanwhile stays. */
async function denied(app, barrier) {
  const path = sitePath(app.site.id, 'barriers', barrier.id, 'deny');
  const answer = await waitFor('wait.barrier', async (signal) => (
    { left: await ask(path, { method: 'POST', signal }) }));
  if (!answer) return '';
  return t(answer.left ? 'barrier.stays' : 'barrier.denied');
}
