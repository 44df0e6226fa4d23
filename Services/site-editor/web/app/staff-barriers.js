// What visitors have reported, for the staff: confirm it, or dismiss it.

import { go, show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { addPanels } from './panels.js';
import { say } from './announcing.js';
import { ask, sitePath } from './service.js';
import { isStaff } from './staff.js';
import { barrierIcon, barrierName } from './barrier-here.js';
import { connectionOf } from './connections.js';
import { faultText, waitFor } from './waiting.js';
import { ago, t, timeOfDay } from './words.js';

/** As many rows ask for their connections at once. */
const AT_ONCE = 4;

/** Shows the list to the staff, and to others whose it is; `told` is what has just changed. */
async function showBarriers(app, focus, told) {
  if (!await isStaff(app.site)) {
    const text = t('barriers.staffOnly');
    app.shell.set([
      app.shell.head(t('barriers'), () => show({})), el('p', { class: 'quiet', text }),
    ], focus);
    say(text);
    return;
  }
  if (!told) app.shell.waiting(t('wait.barriers'));
  let answer;
  try {
    answer = await waitFor('wait.barriers', (signal) => (
      ask(sitePath(app.site.id, 'barriers'), { signal })));
  } catch (fault) {
    app.shell.failed(fault, () => showBarriers(app, focus));
    return;
  }
  if (!answer) {
    show({});
    return;
  }
  const rows = await inTurn(answer.barriers, (one) => row(app, one));
  app.shell.set([
    app.shell.head(t('barriers'), () => show({ panel: 'settings' })),
    told ? el('p', { class: 'quiet', text: told }) : null,
    rows.length ? null : el('p', { class: 'quiet pad', text: t('barriers.none') }),
    el('ul', { class: 'rows' }, rows),
  ], focus);
  if (told) say(told);
}

/** What `make` gives for each, in their order; a few are made at once. */
async function inTurn(all, make) {
  const made = [];
  let next = 0;
  const work = async () => {
    while (next < all.length) {
      const index = next;
      next += 1;
      made[index] = await make(all[index]);
    }
  };
  await Promise.all(all.slice(0, AT_ONCE).map(work));
  return made;
}

async function row(app, barrier) {
  const { stop, floor, name: known } = await connectionOf(app.site, barrier.connection);
  const name = known || barrier.connection;
  const age = ago(Date.now() - Date.parse(barrier.reportedAt));
  const state = t('barriers.' + barrier.state, { time: timeOfDay(barrier.until) });
  const kind = barrierName(barrier.kind);
  return el('li', { class: 'barrier-row' }, [
    button([barrierIcon(barrier.kind), el('span', {}, [
      el('strong', { text: kind + ': ' + name }),
      el('small', { text: [floor, age, state].filter(Boolean).join(' · ') }),
      barrier.fromOneAddress ? el('small', { text: t('barriers.oneAddress') }) : null,
    ])], () => look(app, stop), { class: 'line' }),
    el('div', { class: 'row' }, [
      barrier.state === 'confirmed' ? null : decide(app, barrier, 'confirm', kind, name),
      barrier.state === 'dismissed' ? null : decide(app, barrier, 'dismiss', kind, name),
    ]),
  ]);
}

function look(app, stop) {
  if (!stop || !app.view) return;
  if (stop.floor) go({ floor: stop.floor }, true);
  app.view.centre([stop.latitude, stop.longitude], 19.5);
  app.view.pin([stop.latitude, stop.longitude]);
  app.leave = () => app.view.pin(null);
}

/** A button of a row; its label for screen readers says of which. */
function decide(app, barrier, what, kind, name) {
  const path = sitePath(app.site.id, 'barriers', barrier.id);
  return button([
    icon(what === 'confirm' ? 'barrier' : 'close'), el('span', { text: t('barriers.' + what) }),
  ], async () => {
    let told = t('barriers.done.' + what);
    try {
      if (what === 'confirm') await ask(path + '/confirm', { method: 'POST' });
      else await ask(path, { method: 'DELETE' });
    } catch (fault) {
      told = fault.code === 'outage-unknown' ? t('barriers.gone') : faultText(fault);
    }
    showBarriers(app, true, told);
  }, {
    class: what === 'confirm' ? 'primary' : 'secondary',
    'aria-label': t('barriers.' + what) + ': ' + kind + ', ' + name,
  });
}

addPanels({ barriers: (app, focus) => showBarriers(app, focus) });
