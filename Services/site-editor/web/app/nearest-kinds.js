// The kinds of which the app offers the nearest place: those that the site has for this reader.

const MEMBER = 'data-kinds';
let asked = null;

/** The kinds, the most wanted first; the server writes them into the page. */
export function offeredKinds() {
  const kinds = document.body.getAttribute(MEMBER);
  return kinds ? kinds.split(' ') : [];
}

/**
 * Reads the kinds where the page lacks them: the server knows a reader who came by a site's link
 * only once the session has begun. True if there are some that were not known before.
 */
export function learnKinds(site) {
  if (document.body.hasAttribute(MEMBER)) return Promise.resolve(false);
  if (!asked) asked = read(site).catch(() => false);
  return asked;
}

async function read(site) {
  await site.known;
  const answer = await fetch('/s/' + encodeURIComponent(site.id));
  const found = /<body[^>]* data-kinds="([a-z ]*)"/.exec(answer.ok ? await answer.text() : '');
  if (!found) return false;
  document.body.setAttribute(MEMBER, found[1]);
  return found[1] !== '';
}
