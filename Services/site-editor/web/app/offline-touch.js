// What hand and foot find on a way of a kept map, in the words of the service (`TouchWords`).

import { t, tn } from './words.js';

const OPENING_METRES = 2;
const SIDES = { left: 'right', right: 'left', first: 'last', last: 'first' };
const KINDS = ['corridor', 'stairs', 'lift', 'escalator', 'ramp', 'toilet', 'lobby', 'platform'];

/** The kind by which a room without a name is called. */
export function spokenKind(network, index) {
  return KINDS.find((kind) => {
    const place = network.places['kind:' + kind];
    return place && place.rooms && place.rooms.indexOf(index) >= 0;
  }) || 'room';
}

/** Whether a leg leads from the first stop of its connection towards the last. */
export function isForward(leg) {
  const stops = (leg.passage && leg.passage.stops) || [];
  const from = stops.indexOf(leg.startNode);
  const to = stops.indexOf(leg.endNode);
  if (from >= 0 && to >= 0) return from < to;
  return from >= 0 ? from < stops.length - 1 : to !== 0;
}

/** A side as the walker has it. */
function sided(leg, side) {
  return isForward(leg) ? side : SIDES[side] || side;
}

/** Whether nothing tells that a door has a leaf: as the service, by its width. */
export function isOpening(passage) {
  return !passage.manual && !passage.automatic && !passage.doorKind && !passage.opens
    && !passage.glass && passage.widthMetres >= OPENING_METRES;
}

function leafName(passage) {
  const kind = passage.doorKind && passage.doorKind !== 'hinged' ? passage.doorKind : '';
  const words = [passage.glass ? 'glass' : '', kind].filter(Boolean);
  return t('spoken.leaf.' + (words.join('-') || 'plain'));
}

/** A door with its adjectives. */
export function doorName(passage) {
  const door = leafName(passage);
  return passage.automatic ? t('spoken.automatic', { door }) : door;
}

/** The side to which a door opens, as a sentence; empty where nobody has stated it. */
export function swingText(leg) {
  const passage = leg.passage || {};
  const hinged = !passage.doorKind || passage.doorKind === 'hinged';
  return passage.opens && hinged ? t('spoken.opens.' + sided(leg, passage.opens)) : '';
}

/** The warning of a door of glass or one that revolves; else empty. */
export function doorWarning(passage) {
  const isDangerous = passage.glass || passage.doorKind === 'revolving';
  return isDangerous ? t('spoken.warning.door', { door: leafName(passage) }) : '';
}

/** Whether stairs lead up; undefined where the map does not show it. */
export function leadsUp(leg, floors) {
  if (floors) return floors > 0;
  const leads = leg.passage && leg.passage.leads;
  return leads ? (leads === 'up') === isForward(leg) : undefined;
}

/** The warning of stairs or an escalator that lead down, or perhaps down. */
export function climbWarning(kind, isUp) {
  if (isUp) return '';
  return t('spoken.warning.' + kind + (isUp === undefined ? '.unknown' : '.down'));
}

export function stepsText(passage) {
  return passage.steps === undefined ? '' : tn('spoken.steps', passage.steps);
}

export function handrailText(leg) {
  const handrail = leg.passage && leg.passage.handrail;
  return handrail ? t('spoken.handrail.' + sided(leg, handrail)) : '';
}

/** The ground of a room or a passage. */
export function groundOf(record) {
  return {
    ground: (record && record.ground) || '', tactile: Boolean(record && record.tactilePaving),
  };
}

/** What begins underfoot: empty if that is the ground before. */
export function groundText(before, after) {
  const parts = [];
  if (after.ground && after.ground !== before.ground) {
    parts.push(t('spoken.ground.' + after.ground));
  }
  if (after.tactile && !before.tactile) parts.push(t('spoken.tactile'));
  return parts.length ? t('spoken.underfoot', { ground: parts.join(', ') }) : '';
}
