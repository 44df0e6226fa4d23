// "Share where I am": what is seen by whom, the link, and the end of it.

import { show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { handOn, onShared, shared, sharedLink, startSharing, stop } from './live-sharing.js';
import { liveStyle } from './live-bar.js';
import { addPanels } from './panels.js';
import { present } from './position-store.js';
import { askWhere } from './positions.js';
import { handOver } from './qr-picture.js';
import { t, timeOfDay } from './words.js';

/** Shows the panel. */
function showLive(app, focus) {
  liveStyle();
  const draw = (focused) => {
    const on = shared();
    const known = present() && present().state !== 'lost';
    app.shell.set([
      app.shell.head(t('live.share'), () => show({})),
      el('p', { class: 'quiet', text: t('live.about') }),
      on ? whileOn(app, on) : before(() => draw(true)),
      known ? null : askWhere(app, () => draw(false)),
    ], focused);
  };
  app.leave = onShared(() => draw(true));
  draw(focus);
}

function before() {
  const note = el('p', { class: 'quiet', role: 'status' });
  return el('div', { class: 'stack' }, [
    button([icon('share'), el('span', { text: t('live.start') })], async (event) => {
      event.currentTarget.disabled = true;
      const pressed = event.currentTarget;
      try {
        await startSharing();
        handOn();
      } catch (fault) {
        pressed.disabled = false;
        note.textContent = t('live.failed');
      }
    }, { class: 'primary wide' }), note,
  ]);
}

function whileOn(app, on) {
  const time = timeOfDay(on.until, app.site.timeZone());
  return el('div', { class: 'stack' }, [
    el('p', { text: t('live.on', { time }) }),
    button([icon('share'), el('span', { text: t('live.link') })], handOn, {
      class: 'primary wide',
    }),
    button([icon('close'), el('span', { text: t('live.stop') })], stop, {
      class: 'secondary wide',
    }),
    handOver(sharedLink()),
  ]);
}

addPanels({ live: showLive });
