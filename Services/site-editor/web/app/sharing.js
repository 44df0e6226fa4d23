// A place or a route as a link: by the shell, by the browser, or to copy.

import { address, linkTo } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { bridge } from './shell-bridge.js';
import { say } from './announcing.js';
import { copyText } from './copying.js';
import { readPlace } from './places.js';
import { t } from './words.js';

/** Shares a link in the best way that there is. */
export async function share(url, title) {
  const shell = bridge();
  if (shell && shell.share(url, title)) return;
  if (navigator.share) {
    try {
      await navigator.share({ url, title });
      return;
    } catch (failure) {
      if (failure && failure.name === 'AbortError') return;
    }
  }
  const done = await copyText(url);
  say(t(done ? 'share.copied' : 'copy.failed'));
  toast(t(done ? 'share.copied' : 'copy.failed'));
}

let shown = null;

/** A short text that goes by itself. */
export function toast(text) {
  if (shown && shown.parentNode) shown.parentNode.removeChild(shown);
  const here = el('div', { class: 'toast', text });
  shown = here;
  document.getElementById('page').appendChild(here);
  setTimeout(() => {
    if (here.parentNode) here.parentNode.removeChild(here);
  }, 3500);
}

/** The members of a link to a place. */
function membersOf(text) {
  const place = readPlace(text);
  if (place.kind === 'room') return { room: place.id };
  if (place.kind === 'directory') return { entry: place.id };
  if (place.kind === 'building') return { building: place.id };
  return { point: text };
}

/** A button that shares a place. */
export function shareButton(title, text) {
  return button(icon('share'), () => share(linkTo(membersOf(text)), title), {
    class: 'round share', 'aria-label': t('share'), title: t('share'),
  });
}

/** A link to the route that is shown; one's own place is not in it. */
export function routeLink() {
  const now = address();
  const members = { to: now.to, profile: now.profile };
  if (now.from !== 'here') members.from = now.from;
  return linkTo(members);
}
