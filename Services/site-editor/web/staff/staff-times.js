// When something was, and who did it.

import { ago, dayOf, t, timeOfDay } from '/app/words.js';

const DAY_MILLISECONDS = 86400000;

/** An instant in words: how long ago it was within a day, else day and time. */
export function when(text) {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return '';
  const age = Date.now() - instant;
  return age < DAY_MILLISECONDS ? ago(age) : dayOf(instant) + ', ' + timeOfDay(instant);
}

// The service's word for somebody whom it has no name of, in English.
const NAMELESS = 'somebody';

/** The name of who did it; accounts that were erased have none. */
export function who(by, isOwn) {
  if (isOwn) return t('staff.you');
  return by && by.name && by.name !== NAMELESS ? by.name : t('staff.somebody');
}
