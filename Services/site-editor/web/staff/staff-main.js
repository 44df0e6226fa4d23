// The staff's app begins here: words, who is signed in, what they may do, and the screen for it.

import { addMembers, address, onAddress } from '/app/address.js';
import { liveRegion } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { kept } from '/app/phone.js';
import { ask, openSession } from '/app/service.js';
import { Site } from '/app/site.js';
import { faultElement } from '/app/waiting.js';
import { chooseLanguage, loadWords, t } from '/app/words.js';
import { startAdminScreen } from './admin-screen.js';
import { Draft } from './draft.js';
import { startDraftScreen } from './draft-screen.js';
import { offerSite } from './draw-begin.js';
import { signOut } from './me-panel.js';
import { DoctorWatch } from './staff-doctor.js';
import { rightsOf, screensOf } from './staff-rights.js';
import { StaffShell } from './staff-shell.js';
import { showSites } from './staff-sites.js';
import { startSurveyScreen } from './survey-screen.js';
import { startWatchScreen } from './watch-screen.js';

/** What starts the screen of each tab. */
const SCREENS = { draft: startDraftScreen, survey: startSurveyScreen, admin: startAdminScreen };

async function start() {
  addMembers(['screen', 'kind', 'record', 'device', 'time', 'position']);
  const page = document.getElementById('page');
  const id = document.body.getAttribute('data-site');
  // A text that is no site's id has a page that says so.
  if (!id && location.pathname !== '/staff') return;
  const begun = openSession();
  begun.catch(() => null);
  await loadWords(chooseLanguage(address().lang || kept('language')), ['staff/languages/staff-']);
  document.body.appendChild(liveRegion());
  let session;
  try {
    session = await begun;
  } catch (fault) {
    fill(page, el('div', { class: 'choice' }, faultElement(fault, () => location.reload())));
    window.loading.whole();
    return;
  }
  if (!session.account) {
    location.replace('/sign-in?return='
      + encodeURIComponent(location.pathname + location.search));
    return;
  }
  if (!id) {
    window.loading.whole();
    await showSites(page, session);
    return;
  }
  const rights = rightsOf(session, id);
  const screens = screensOf(rights);
  if (!screens.length) showNoRight(page, session, id);
  else await showScreens(page, session, id, rights, screens);
}

async function showScreens(page, session, id, rights, screens) {
  const shell = new StaffShell(page, screens, session.name || t('staff.somebody'));
  onAddress((now, before) => {
    if (now.lang !== before.lang) location.reload();
    // Each screen keeps its map and its streams until the page is left: it begins anew.
    if (screenOf(now, screens) !== screenOf(before, screens)) location.reload();
    else if (now.screen !== before.screen) shell.drawTabs();
  });
  if (rights.all) {
    shell.watch = new DoctorWatch(shell.alarm);
    shell.watch.look();
  }
  nameSite(shell, id);
  if (screenOf(address(), screens) === 'watch') {
    await showWatch(shell, id, session);
    return;
  }
  const site = new Site(id, { version: 'draft' });
  shell.waiting(t('wait.draft'));
  const draft = new Draft(site, session.account, rights);
  window.loading.whole();
  try {
    await site.known;
    await draft.start();
  } catch (fault) {
    if (fault.status === 404 && rights.edits) offerSite(shell, id);
    else shell.failed(fault, () => location.reload());
    return;
  }
  await SCREENS[screenOf(address(), screens)](shell, draft, session);
}

/** The screen of an address: the first one where it names none. */
function screenOf(state, screens) {
  return screens.indexOf(state.screen) >= 0 ? state.screen : screens[0];
}

/** Where devices are: on the site as it is published. */
async function showWatch(shell, id, session) {
  const site = new Site(id);
  shell.waiting(t('wait.map'));
  window.loading.whole();
  try {
    await site.known;
  } catch (fault) {
    shell.failed(fault, () => location.reload());
    return;
  }
  await startWatchScreen(shell, site, session);
}

/** The site's name; the list of sites has it. */
async function nameSite(shell, id) {
  shell.nameSite(id);
  const answer = await ask('/v1/sites').catch(() => null);
  const own = answer && answer.sites.find((one) => one.id === id);
  if (own && own.name) shell.nameSite(own.name);
}

/** Who is signed in may do nothing here: what they can do about it. */
function showNoRight(page, session, id) {
  const here = encodeURIComponent(location.pathname + location.search);
  document.title = t('staff.title', { site: id });
  fill(page, el('div', { class: 'choice' }, [
    el('h1', { text: t('staff.noRight', { site: id }) }),
    el('p', { text: t('staff.signedIn', { name: session.name || t('staff.somebody') }) }),
    el('p', { text: t('staff.askFor') }),
    el('div', { class: 'actions' }, [
      button([icon('swap'), el('span', { text: t('staff.other') })], async () => {
        await signOut();
        location.assign('/sign-in?return=' + here);
      }, { class: 'primary' }),
      el('a', { class: 'secondary', href: '/s/' + encodeURIComponent(id) }, [
        icon('way'), el('span', { text: t('staff.visitors') }),
      ]),
      el('a', { class: 'secondary', href: '/account' }, [
        icon('person'), el('span', { text: t('staff.account') }),
      ]),
    ]),
  ]));
  document.documentElement.classList.add('ready');
  window.loading.whole();
}

start().catch(() => {
  if (window.loading.again()) return;
  const page = document.getElementById('page');
  page.appendChild(button(icon('swap'), () => location.reload(), {
    class: 'round', 'aria-label': document.title,
  }));
});
