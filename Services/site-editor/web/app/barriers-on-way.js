// Who comes by a barrier that somebody else has reported is asked whether it is there.

import { address } from './address.js';
import { button, el, fill } from './elements.js';
import { say, sayAfter } from './announcing.js';
import { barrierIcon, barrierName, refusedText, report } from './barrier-here.js';
import { connectionLine } from './connections.js';
import { ask, sitePath } from './service.js';
import { waitFor } from './waiting.js';
import { t } from './words.js';

/**
 * Fills `holder` with the barriers that wait on these connections, in the order of the way, and
 * says them after the way. They change no route. A kiosk asks nobody: it stands where it is, and
 * who answers there has not been on the way.
 */
export async function askOnWay(app, connections, holder) {
  if (address().kiosk || !connections.length) return;
  const waiting = await readWaiting(app.site).catch(() => []);
  const texts = await showAsked(app, waiting, connections, holder);
  if (!texts.length) return;
  // The way itself is said first. A way that is no longer shown has no barriers.
  sayAfter(texts.join(' '), () => document.body.contains(holder));
}

/** The barriers that wait for a second person, and that somebody else has reported. */
export async function readWaiting(site) {
  const answer = await ask(sitePath(site.id, 'barriers'));
  return answer.barriers.filter((one) => one.state === 'waiting' && !one.own);
}

/**
 * Fills `holder` with those of a list that are on these connections; gives their sentences.
 * `answered(barrier)` is called for one that waits no more, or not for this reader.
 */
export async function showAsked(app, list, connections, holder, answered) {
  const at = (one) => connections.indexOf(one.connection);
  const waiting = list.filter((one) => at(one) >= 0).sort((a, b) => at(a) - at(b));
  if (!waiting.length) return [];
  const places = await Promise.all(waiting.map((one) => (
    connectionLine(app.site, one.connection))));
  const texts = waiting.map((one, index) => askedText(one, places[index]));
  fill(holder, waiting.map((one, index) => (
    asked(app, one, places[index], texts[index], answered))));
  app.shell.laid();
  return texts;
}

function askedText(barrier, place) {
  const kind = barrierName(barrier.kind);
  return t('barrier.ask', { what: place ? kind + ' · ' + place : kind });
}

function asked(app, barrier, place, text, answered) {
  const label = [barrierName(barrier.kind), place].filter(Boolean).join(', ');
  const row = el('section', { class: 'news', 'aria-label': t('barriers') + ': ' + label });
  const end = (told) => {
    tell(told);
    if (answered) answered(barrier);
  };
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
      if (told) end(told);
    } catch (fault) {
      if (fault.code === 'outage-unknown') end(t('barriers.gone'));
      else tell(refusedText(fault));
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

/** The sentence after "It is fine now". One that is confirmed meanwhile stays. */
async function denied(app, barrier) {
  const path = sitePath(app.site.id, 'barriers', barrier.id, 'deny');
  const answer = await waitFor('wait.barrier', async (signal) => (
    { left: await ask(path, { method: 'POST', signal }) }));
  if (!answer) return '';
  return t(answer.left ? 'barrier.stays' : 'barrier.denied');
}
