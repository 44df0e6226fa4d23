// The steps of a heat map: few colours, each for about as many rooms.

/**
 * The ends of five steps for these values: each step has about as many rooms. Without values there
 * are none.
 */
export function stepsOf(values) {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  if (!sorted.length) return [];
  const ends = [0.2, 0.4, 0.6, 0.8, 1].map((share) => (
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]));
  return ends.filter((end, at) => at === 0 || end > ends[at - 1]);
}

/** The number of the step of a value, -1 for none. */
export function stepOfValue(steps, value) {
  if (!(value > 0)) return -1;
  const at = steps.findIndex((end) => value <= end);
  return at < 0 ? steps.length - 1 : at;
}
