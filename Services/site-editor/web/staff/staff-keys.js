// The keys of the staff's app. Each has Ctrl, or Cmd: none is pressed while somebody types.

import { el } from '/app/elements.js';
import { t } from '/app/words.js';

const KEYS = [
  { name: 'save', key: 's' }, { name: 'find', key: 'k' }, { name: 'undo', key: 'z' },
  { name: 'redo', key: 'z', shift: true }, { name: 'close', key: 'Escape' },
];

function isTyping(target) {
  return Boolean(target && target.closest && target.closest('input, textarea, select'));
}

/** Calls `actions[name]` for each key; an action gives false if it has nothing to do. */
export function startKeys(actions) {
  document.addEventListener('keydown', (event) => {
    const pressed = event.key.toLowerCase();
    const found = KEYS.find((one) => one.key.toLowerCase() === pressed
      && (one.key === 'Escape' || ((event.ctrlKey || event.metaKey) && !event.altKey))
      && Boolean(one.shift) === event.shiftKey);
    if (!found) return;
    const edits = found.name === 'undo' || found.name === 'redo' || found.name === 'close';
    // In a field these are the field's own.
    if (edits && isTyping(event.target)) return;
    if (actions[found.name]() !== false) event.preventDefault();
  });
}

/** The keys with their sentences, as terms of a list. */
export function keyRows() {
  return [].concat(...KEYS.map((one) => {
    const plain = one.key === 'Escape' ? t('keys.escape') : one.key.toUpperCase();
    const parts = one.key === 'Escape' ? [plain]
      : [t('keys.control'), one.shift ? t('keys.shift') : '', plain].filter(Boolean);
    return [
      el('dt', {}, el('kbd', { text: parts.join(' + ') })),
      el('dd', { text: t('keys.' + one.name) }),
    ];
  }));
}
