// What can be reported where: the kinds of barrier, and the connections that lie ahead on a way.

/** The kinds of barrier, and the kinds of connection that each can be on; null for all. */
const KINDS = {
  'lift-out-of-order': ['lift', 'platform-lift'],
  'door-locked': ['door'],
  'way-blocked': null,
  'steps-unusable': ['stairs', 'escalator', 'ramp'],
  'other-barrier': null,
};

/** All kinds of barrier, for where nobody knows what is there. */
export const allKinds = Object.keys(KINDS);

/** Whether a barrier of the kind can be on a connection of this kind. */
export function suits(kind, connection) {
  return !KINDS[kind] || KINDS[kind].indexOf(connection) >= 0;
}

/** The kinds that can be on one of these connections. Any way may be blocked. */
export function kindsAt(connections) {
  return allKinds.filter((kind) => (
    !KINDS[kind] || connections.some((one) => suits(kind, one.kind))));
}

/**
 * The connections that the way leads through at a step and at the next one, in their order. Where
 * there is none, as in a large hall, it is the first one after it. The step is one of `list`: the
 * written steps, or those to hear.
 */
export function connectionsAhead(route, step, list) {
  const steps = list || route.instructions;
  const at = steps.indexOf(step);
  const legOf = (index) => (steps[index] ? steps[index].leg : route.legs.length);
  const end = at < 0 ? step.leg + 1 : Math.max(legOf(at + 1) + 1, legOf(at + 2));
  const seen = new Set();
  const isNew = (leg) => {
    if (!leg.connection || seen.has(leg.connection)) return false;
    seen.add(leg.connection);
    return true;
  };
  const found = route.legs.map((leg, index) => ({ leg, index }))
    .filter((one) => one.index >= step.leg && isNew(one.leg));
  const near = found.filter((one) => one.index < end);
  return (near.length ? near : found.slice(0, 1))
    .map((one) => ({ id: one.leg.connection, kind: one.leg.kind }));
}
