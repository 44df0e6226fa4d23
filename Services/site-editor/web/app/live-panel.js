// "Share where I am": what is seen by whom, the link, and the end of it.

import { show } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { handOn, onShared, shared, sharedLink, startSharing } from './live-sharing.js';
import { liveStyle } from './live-bar.js';
import { addPanels } from './panels.js';
import { present } from './position-store.js';
import { askWhere } from './positions.js';
import { handOver } from './qr-picture.js';
import { t } from './words.js';

/** Shows the panel. */
function showLive(app, focus) {
  liveStyle();
  const draw = (focused) => {
    const known = present() && present().state !== 'lost';
    app.shell.set([
      app.shell.head(t('live.share'), () => show({})),
      el('p', { class: 'quiet', text: t('live.about') }),
      shared() ? whileOn() : before(),
      known ? null : askWhere(app, () => open && draw(false)),
    ], focused);
  };
  let open = true;
  const stop = onShared(() => draw(true));
  app.leave = () => {
    open = false;
    stop();
  };
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
      } catch (fault) {
        pressed.disabled = false;
        note.textContent = t('live.failed');
      }
    }, { class: 'primary wide' }), note,
  ]);
}

function whileOn() {
  const link = sharedLink();
  return el('div', { class: 'stack' }, [
    button([icon('share'), el('span', { text: t('live.link') })], handOn, {
      class: 'primary wide',
    }),
    el('input', {
      class: 'live-link', type: 'text', readonly: true, value: link,
      'aria-label': t('live.address'), on: { focus: (event) => event.currentTarget.select() },
    }),
    handOver(link, t('live.code'), t('live.code.about')),
  ]);
}

addPanels({ live: showLive });
