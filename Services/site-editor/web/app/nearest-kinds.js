// The kinds of which the app finds the nearest place: those that the site has for this reader.

import { hasWord, kindName, t } from './words.js';

const MEMBER = 'data-kinds';
let asked = null;

/** The kinds that the site has; the server writes them into the page, the most wanted first. */
function knownKinds() {
  const kinds = document.body.getAttribute(MEMBER);
  return kinds ? kinds.split(' ') : [];
}

/** The kinds of which the nearest place is offered before anybody asks. */
export function offeredKinds() {
  return knownKinds().filter((kind) => hasWord('nearest.' + kind));
}

/** The nearest place of a kind, as a result of a search. */
export function nearestPlace(kind) {
  const own = 'nearest.' + kind;
  const name = hasWord(own) ? t(own) : t('place.nearest', { kind: kindName(kind) });
  return {
    kind: 'kind', id: kind, name, line: t('nearest'), icon: kind === 'entrance' ? 'door' : kind,
  };
}

/** The kind for which a word stands in the reader's language or in maps; null for other words. */
export function kindOfWord(text) {
  const word = text.trim().toLowerCase();
  const named = hasWord('kind.' + word) ? kindName(word) : word;
  const found = knownKinds().find((kind) => (
    kind === word || kindName(kind).toLowerCase() === named.toLowerCase()));
  return found || null;
}

/**
 * Results of a search. A kind's word finds the nearest of the kind, too: first, or last where some
 * place has the word in its name.
 */
export function withNearest(text, results) {
  const kind = kindOfWord(text);
  if (!kind) return results;
  const nearest = [nearestPlace(kind)];
  const isNamed = results.some((one) => one.match === 'exact' && one.name);
  return isNamed ? results.concat(nearest) : nearest.concat(results);
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
