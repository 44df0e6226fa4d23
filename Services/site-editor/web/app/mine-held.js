// What the session holds at the service, to see and to end: a shared position, and pairings.

import { button, el, fill } from './elements.js';
import { setOfTab } from './phone.js';
import { say } from './announcing.js';
import { ask, query, sitePath } from './service.js';
import { t, timeOfDay } from './words.js';

async function read(app) {
  const site = app.site.id;
  const none = (fault) => {
    if (fault.status === 404) return null;
    throw fault;
  };
  const share = await ask(sitePath(site, 'shared-position')).catch(none);
  const answer = await ask(sitePath(site, 'pairings') + query({ mine: true }));
  return { share, pairings: answer.pairings.filter((one) => one.active) };
}

/** Ends the share, also one of another tab of the session. */
async function endShare(app) {
  await ask(sitePath(app.site.id, 'shared-position'), { method: 'DELETE' });
  document.dispatchEvent(new Event('whereabouts-share-ended'));
}

async function endPairing(app, id) {
  await ask(sitePath(app.site.id, 'pairings', id), { method: 'DELETE' }).catch((fault) => {
    if (fault.status !== 404) throw fault;
  });
  document.dispatchEvent(new Event('whereabouts-pairing-ended'));
}

/** A section with what is held, each with a button that ends it. */
export function held(app) {
  const list = el('div', {}, el('p', { class: 'quiet', text: t('wait.site') }));
  const section = el('section', { class: 'held' }, [el('h2', { text: t('live.mine') }), list]);
  draw(app, list).catch(() => fill(list, el('p', { class: 'quiet', text: t('fault.offline') })));
  return section;
}

async function draw(app, list) {
  const found = await read(app);
  const zone = app.site.timeZone();
  const row = (text, word, failed, end) => el('div', { class: 'row' }, [
    el('p', { text }),
    button(t(word), async () => {
      try {
        await end();
        await draw(app, list);
      } catch (fault) {
        say(t(failed));
      }
    }, { class: 'secondary' }),
  ]);
  const until = (one) => timeOfDay(Date.parse(one.until), zone);
  fill(list, [
    found.share ? row(t('live.on', { time: until(found.share) }), 'live.stop', 'live.notStopped',
      () => endShare(app)) : el('p', { class: 'quiet', text: t('live.none') }),
    found.pairings.map((one) => row(t('pair.on', { device: one.scanner, time: until(one) }),
      'pair.end', 'pair.notEnded', () => endPairing(app, one.id))),
  ]);
}

/** Ends all of it; what the service does not answer to is kept in no tab, either. */
export async function endHeld(app) {
  try {
    const found = await read(app);
    if (found.share) await endShare(app);
    await Promise.all(found.pairings.map((one) => endPairing(app, one.id)));
  } catch (fault) {
    say(t('live.notStopped'));
  }
  setOfTab('share', null);
  setOfTab('pairing', null);
}
