// The visitor's app begins here: words, session, site and search. The map and the panels follow.

import { address, onAddress } from './address.js';
import { liveRegion } from './announcing.js';
import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { readFollowing, startPanels } from './panels.js';
import { Site } from './site.js';
import { ask, openSession } from './service.js';
import { Shell } from './shell.js';
import { kept } from './phone.js';
import { chooseLanguage, loadWords, nameOf, t } from './words.js';
import { faultElement } from './waiting.js';
import { startModes } from './modes.js';

async function start() {
  const page = document.getElementById('page');
  openSession().catch(() => null);
  await loadWords(chooseLanguage(address().lang || kept('language')));
  const id = document.body.getAttribute('data-site');
  if (!id) {
    await chooseSite(page);
    return;
  }
  const shell = new Shell(page);
  document.body.appendChild(liveRegion());
  const site = new Site(id);
  startModes(shell, site);
  startPanels(shell, site);
  performance.mark('usable');
  readFollowing();
  onAddress((now, before) => {
    if (now.lang !== before.lang) location.reload();
  });
  try {
    await site.known;
  } catch (fault) {
    shell.failed(fault, () => location.reload());
    return;
  }
  nameSite(site);
}

/** The site's name, for the title; the list of sites has it. */
async function nameSite(site) {
  const answer = await ask('/v1/sites').catch(() => null);
  const own = answer && answer.sites.find((one) => one.id === site.id);
  site.name = nameOf(own) || site.id;
  document.title = t('title', { site: site.name });
}

async function chooseSite(page) {
  document.body.appendChild(liveRegion());
  const list = el('ul', { class: 'sites' });
  fill(page, el('div', { class: 'choice' }, [el('h1', { text: t('sites') }), list]));
  try {
    const answer = await ask('/v1/sites');
    if (answer.sites.length === 1) {
      location.replace('/s/' + encodeURIComponent(answer.sites[0].id) + location.search);
      return;
    }
    if (!answer.sites.length) fill(page, el('p', { class: 'choice', text: t('sites.none') }));
    fill(list, answer.sites.map((site) => el('li', {}, el('a', {
      href: '/s/' + encodeURIComponent(site.id), text: nameOf(site) || site.id,
    }))));
  } catch (fault) {
    fill(page, el('div', { class: 'choice' }, faultElement(fault, () => chooseSite(page))));
  }
}

start().catch(() => {
  if (window.loading.again()) return;
  const page = document.getElementById('page');
  page.appendChild(button(icon('swap'), () => location.reload(), {
    class: 'round', 'aria-label': document.title,
  }));
});
