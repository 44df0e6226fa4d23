// The free computers of a room, as of when.

import { el } from './elements.js';
import { icon } from './icons.js';
import { ask, sitePath } from './service.js';
import { ago, t, tn } from './words.js';

/** The line of a card, or null where computers are not counted. */
export async function computers(site, room) {
  const answer = await ask(sitePath(site.id, 'rooms', room.id, 'availability'));
  const text = computersText(answer.computers || answer);
  return text ? el('p', { class: 'facts line' }, [icon('computer'), el('span', { text })]) : null;
}

/** The sentence for a state of computers, or an empty one. */
export function computersText(state) {
  if (!state || !state.state || state.state === 'not-counted') return '';
  if (state.state === 'unknown') return t('computers.unknown');
  const values = { total: state.total };
  const text = state.state === 'none-free' ? t('computers.none')
    : tn('computers.free', state.available || 0, values);
  if (!state.asOf) return text;
  return t('computers.asOf', { text, age: ago(Date.now() - Date.parse(state.asOf)) });
}
