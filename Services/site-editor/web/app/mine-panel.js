// "My data": what the phone keeps, to see, to take along and to erase; and what the service keeps.

import { address, show } from './address.js';
import { button, el } from './elements.js';
import { allKept, allowKeeping, erase, kept, keptSince, mayKeep, ofTab } from './phone.js';
import { forgetPositions, positionsKept } from './position-store.js';
import { endHeld, held } from './mine-held.js';
import { say } from './announcing.js';
import { currentLanguage, dayOf, hasWord, number, t, timeOfDay } from './words.js';
import { addPanels } from './panels.js';

// Each thing that the service may keep, with the keys of since when and until when; without them,
// it is never kept.
const AT_THE_SERVICE = [
  ['session', 'mine.session.since', 'mine.session.until'],
  ['search'],
  ['scan'],
  ['tap', 'mine.tap.since', 'mine.tap.until'],
  ['barrier', 'mine.barrier.since', 'mine.barrier.until'],
  ['share', 'mine.began', 'mine.share.until'],
  ['pair', 'mine.began', 'mine.pair.until'],
];

/** Shows what is kept. */
export function showMine(app, focus) {
  const names = Object.keys(allKept());
  const allowed = el('input', { type: 'checkbox', id: 'keep', on: {
    change: () => {
      allowKeeping(allowed.checked);
      showMine(app, false);
      document.getElementById('keep').focus();
    },
  } });
  allowed.checked = mayKeep();
  const positions = positionsKept();
  app.shell.set([
    app.shell.head(t('mine'), () => show({})),
    el('section', {}, [
      el('h2', { text: t('mine.phone') }),
      el('label', { class: 'check' }, [allowed, el('span', { text: t('mine.allow') })]),
      names.length || positions.length ? null
        : el('p', { class: 'quiet', text: t('mine.nothing') }),
      names.map((name) => item(hasWord('kept.' + name) ? t('kept.' + name) : name, [
        ['mine.what', valueText(app, name)],
        ['mine.since', sinceText(keptSince(name))],
        ['mine.why', hasWord('mine.why.' + name) ? t('mine.why.' + name) : ''],
        ['mine.until', t('mine.untilErased')],
      ])),
      positions.length ? item(t('mine.scan'), [
        ['mine.since', sinceText(Math.min.apply(null, positions.map((one) => one.at)))],
        ['mine.why', t('mine.why.position')],
        ['mine.until', t('mine.untilClosed')],
      ]) : null,
      el('div', { class: 'row' }, [
        button(t('mine.take'), () => take(app), { class: 'secondary' }),
        button(t('mine.erase'), async () => {
          const ended = await endHeld(app);
          await erase();
          forgetPositions();
          say(t(ended ? 'mine.erased' : 'mine.erasedHere'));
          showMine(app, false);
        }, { class: 'secondary' }),
      ]),
    ]),
    held(app),
    el('section', {}, [
      el('h2', { text: t('mine.service') }),
      AT_THE_SERVICE.map(([name, since, until]) => item(t('mine.' + name), [
        ['mine.what', since ? '' : t('mine.never')],
        ['mine.since', since && t(since)],
        ['mine.why', t('mine.service.' + name)],
        ['mine.until', until && t(until)],
      ])),
    ]),
  ], focus);
}

/** One thing that is kept, with its facts; empty ones are left out. */
function item(title, facts) {
  return el('div', { class: 'kept-item' }, [
    el('h3', { text: title }),
    el('dl', { class: 'kept' }, facts.filter((fact) => fact[1]).map((fact) => [
      el('dt', { text: t(fact[0]) }), el('dd', { text: fact[1] }),
    ])),
  ]);
}

function sinceText(time) {
  return time ? dayOf(time) + ', ' + timeOfDay(time) : t('mine.notNoted');
}

/** A kept value in words. */
function valueText(app, name) {
  const value = kept(name);
  if (name === 'keep') return t('mine.yes');
  if (!value) return '';
  if (name === 'language') return t('language.' + value);
  if (name === 'profile') return profileText(value);
  if (name === 'senses') return sensesText(value);
  if (name === 'names') return t('names.' + value);
  if (name === 'buildings') {
    return Object.keys(value).map((id) => mapText(app, id, value[id])).join('; ');
  }
  return '';
}

function profileText(own) {
  const limits = ['neededWidthMetres', 'slopeLimit', 'kerbLimitMetres']
    .filter((one) => typeof own[one] === 'number')
    .map((one) => t('profile.' + one) + ': ' + number(own[one] * 100, 1));
  const doors = own.automatic ? [t('profile.automatic')] : [];
  return [t('profile.' + (own.profile || 'walking'))].concat(limits, doors).join('; ');
}

function sensesText(own) {
  const on = ['voice', 'vibrate', 'keys', 'always'].filter((one) => own[one] === true);
  const turns = own.turns ? [t('ear.turns') + ' ' + t('ear.turns.' + own.turns)] : [];
  return on.map((one) => t('ear.' + one)).concat(turns).join('; ');
}

/** A kept map by the name of its site. Maps that an earlier version kept have none. */
function mapText(app, id, held) {
  const name = held.name || (id === app.site.id && app.site.name) || t('mine.map.other');
  const size = typeof held.bytes === 'number' ? number(held.bytes / 1e6, 1) : '';
  const text = size ? t('mine.map', { name, size }) : name;
  return held.at ? text + ', ' + dayOf(held.at) : text;
}

/** A file with all that the phone keeps. */
function take(app) {
  const all = {
    site: app.site.id, language: currentLanguage(), at: address().at || null, kept: allKept(),
    positions: positionsKept(), tab: { share: ofTab('share'), pairing: ofTab('pairing') },
  };
  const blob = new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' });
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: 'whereabouts.json' });
  document.body.appendChild(link);
  link.click();
  document.body.removeChild(link);
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}

addPanels({ mine: showMine });
