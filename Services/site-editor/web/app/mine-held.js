// What the session holds at the service, to see and to end: a shared position, and pairings.

import { button, el, fill } from './elements.js';
import { ofTab, setOfTab } from './phone.js';
import { say } from './announcing.js';
import { ask, query, sitePath } from './service.js';
import { toast } from './sharing.js';
import { t, timeOfDay } from './words.js';

// A session may be paired at other sites, too. Each costs two requests.
const MOST_OTHER_SITES = 10;

async function sitesOf(app) {
  const answer = await ask('/v1/sites').catch(() => ({ sites: [] }));
  const others = answer.sites.filter((one) => one.id !== app.site.id);
  return [{ id: app.site.id }].concat(others.slice(0, MOST_OTHER_SITES));
}

/** What is not there, or is another's site, is null. */
function asked(path) {
  return ask(path).catch((fault) => {
    if (fault.status === 404 || fault.status === 403) return null;
    throw fault;
  });
}

async function shareAt(site) {
  const share = await asked(sitePath(site.id, 'shared-position'));
  return share ? [Object.assign(share, { site })] : [];
}

/** Editors see all pairings of the site, so only their own are asked for. */
async function pairingsAt(site) {
  const answer = await asked(sitePath(site.id, 'pairings') + query({ mine: true }));
  if (!answer) return [];
  return answer.pairings.filter((one) => one.active).map((one) => Object.assign(one, { site }));
}

function flat(lists) {
  return [].concat(...lists);
}

/** Ends the share, also one of another tab of the session, or at another site. */
async function endShare(app) {
  await ask(sitePath(app.site.id, 'shared-position'), { method: 'DELETE' });
  document.dispatchEvent(new Event('whereabouts-share-ended'));
}

async function endPairing(one) {
  await ask(sitePath(one.site.id, 'pairings', one.id), { method: 'DELETE' }).catch((fault) => {
    if (fault.status !== 404) throw fault;
  });
  document.dispatchEvent(new Event('whereabouts-pairing-ended'));
}

/** A section with what is held, each with a button that ends it. */
export function held(app) {
  const list = el('div', { tabindex: '-1' }, el('p', { class: 'quiet', text: t('wait.site') }));
  const section = el('section', { class: 'held' }, [el('h2', { text: t('live.mine') }), list]);
  redraw(app, list);
  // Another part of the page may begin or end one meanwhile.
  watch(() => {
    if (document.body.contains(list)) redraw(app, list);
  });
  return section;
}

const CHANGED = 'whereabouts-held-changed';
let watching = null;
let drawn = 0;

/** Calls `changed()` in place of the panel before, which is gone. */
function watch(changed) {
  if (watching) document.removeEventListener(CHANGED, watching);
  watching = changed;
  document.addEventListener(CHANGED, watching);
}

/** Draws what the service says; the last drawing counts. */
function redraw(app, list) {
  drawn += 1;
  const own = drawn;
  const show = (children) => {
    if (own !== drawn) return;
    const lost = list.contains(document.activeElement);
    fill(list, children);
    // The button that was pressed is gone: the keyboard stays at the list.
    if (lost) list.focus({ preventScroll: true });
  };
  read(app).then((found) => show(rows(app, list, found)), () => show([
    el('p', { class: 'quiet', text: t('fault.offline') }), rows(app, list, ofThisTab(app), true),
  ]));
}

/** What this tab has begun: it goes on where the service can't be asked. */
function ofThisTab(app) {
  const site = { id: app.site.id };
  const now = Date.now();
  const until = (one) => new Date(one.until).toISOString();
  const lasts = (one) => Boolean(one) && one.site === app.site.id && one.until > now;
  const share = ofTab('share');
  const pairing = ofTab('pairing');
  return {
    shares: lasts(share) ? [{ site, until: until(share) }] : [],
    pairings: lasts(pairing)
      ? [{ site, id: pairing.id, scanner: pairing.device, until: until(pairing) }] : [],
  };
}

async function read(app) {
  const sites = await sitesOf(app);
  const shares = flat(await Promise.all(sites.map(shareAt)));
  const pairings = flat(await Promise.all(sites.map(pairingsAt)));
  return { shares, pairings };
}

/** A row for each; `partly` where there may be more at the service. */
function rows(app, list, { shares, pairings }, partly) {
  const none = partly ? null : el('p', { class: 'quiet', text: t('live.none') });
  const row = (one, text, word, failed, end) => el('div', { class: 'row' }, [
    el('p', { text: one.site.name ? text + ' (' + one.site.name + ')' : text }),
    button(t(word), async () => {
      try {
        await end();
        redraw(app, list);
      } catch (fault) {
        say(t(failed));
        toast(t(failed));
      }
    }, { class: 'secondary' }),
  ]);
  const until = (one) => timeOfDay(Date.parse(one.until), app.site.timeZone());
  return [
    shares.length ? shares.map((one) => row(one, t('live.on', { time: until(one) }),
      'live.stop', 'live.notStopped', () => endShare(app)))
      : none,
    pairings.map((one) => row(one, t('pair.on', { device: one.scanner, time: until(one) }),
      'pair.end', 'pair.notEnded', () => endPairing(one))),
  ];
}

async function endPairings(app) {
  const sites = await sitesOf(app);
  const done = (work) => work.then((value) => ({ value }), (fault) => ({ fault }));
  const found = await Promise.all(sites.map((site) => done(pairingsAt(site))));
  const pairings = flat(found.map((one) => one.value || []));
  const ended = await Promise.all(pairings.map((one) => done(endPairing(one))));
  const failed = found.concat(ended).find((one) => one.fault);
  if (failed) throw failed.fault;
}

/**
 * Ends all of it. The page forgets it and sends nothing more, also where the service does not
 * answer; false then.
 */
export async function endHeld(app) {
  const done = (work) => work.then(() => true, () => false);
  const ended = await Promise.all([done(endShare(app)), done(endPairings(app))]);
  document.dispatchEvent(new Event('whereabouts-share-ended'));
  document.dispatchEvent(new Event('whereabouts-all-erased'));
  setOfTab('share', null);
  setOfTab('pairing', null);
  return ended.every(Boolean);
}
