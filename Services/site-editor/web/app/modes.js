// Other ways to be used: within another website, and as a screen that stands at a place.

import { address, linkTo, show } from './address.js';
import { el } from './elements.js';
import { icon } from './icons.js';
import { t } from './words.js';

const IDLE_MILLISECONDS = 60000;

/** Starts the mode that the address asks for. */
export function startModes(shell, site) {
  if (address().embed) startEmbedded(shell);
  if (address().kiosk) startKiosk(shell, site);
}

/** A link from the website around to the whole app. */
function startEmbedded(shell) {
  const now = address();
  const link = el('a', {
    class: 'whole', target: '_blank', rel: 'noopener',
    href: linkTo({ room: now.room, from: now.from, to: now.to, floor: now.floor }),
  }, [icon('share'), el('span', { text: t('embed.open') })]);
  shell.tools.parentNode.appendChild(link);
}

/** A minute after the last touch a kiosk shows its first panel again, around its own place. */
function startKiosk(shell) {
  let timer = 0;
  const home = () => {
    show({ floor: null }, true);
    const view = shell.app && shell.app.view;
    if (view) view.fitAll(true);
    window.scrollTo(0, 0);
  };
  const touched = () => {
    clearTimeout(timer);
    timer = setTimeout(home, IDLE_MILLISECONDS);
  };
  ['pointerdown', 'mousedown', 'touchstart', 'keydown', 'wheel'].forEach((name) => {
    document.addEventListener(name, touched, { passive: true });
  });
}
