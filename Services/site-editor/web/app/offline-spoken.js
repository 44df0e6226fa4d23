// Spoken steps of a way that the page found itself: in the words of the service, but without walls
// to follow, since the kept network has none.

import { inwardDegrees } from './offline-around.js';
import { metresBetween, straightened, turnAt } from './offline-steps.js';
import {
  climbWarning, doorName, doorWarning, groundOf, groundText, handrailText, isOpening, leadsUp,
  stepsText, swingText,
} from './offline-touch.js';
import { bearing, placeOf } from './measuring.js';
import { clockHour, compassPoint } from './route-track.js';
import { distance, nameOf, number, t, tn } from './words.js';

const LEAST_METRES = 0.8;
const TURN_DEGREES = 30;
const NEAR_METRES = [8, 2];
const STAIRS = ['stairs', 'escalator'];
const LIFTS = ['lift', 'platform-lift'];
const WALKS = ['approach', 'room', 'walk', 'ramp'];

/** Metres in full words, rounded as the service's sentences are (`SpokenDistance`). */
function metresText(metres) {
  if (metres >= 995) return distance(metres);
  const unit = metres < 19.5 ? 1 : metres < 97.5 ? 5 : 10;
  return tn('spoken.metres', Math.max(1, Math.round(metres / unit) * unit));
}

function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function joined(texts) {
  return texts.filter(Boolean).join(' ');
}

/** The level on a floor's sign, with the floor's name if that adds something to it. */
function levelText(floor) {
  const name = nameOf(floor);
  const level = floor.level;
  const words = name.toLowerCase().split(/[^0-9a-z\u00c0-\u024f]+/);
  const adds = name && words.indexOf(String(level).toLowerCase()) < 0;
  return adds ? t('spoken.levelNamed', { level, name }) : t('spoken.level', { level });
}

/**
 * The spoken steps of a route. `ends` has the name of the target and of its beginning. It has for
 * rooms by their ids: `names`, empty for those without; `kinds`; `outlines`; and `records` with
 * their ground. `isSingle(room)` tells whether a room has one opening.
 */
export function spokenOf(site, route, ends) {
  const maker = new SpokenMaker(site, route, ends);
  maker.make();
  return maker.steps;
}

class SpokenMaker {
  constructor(site, route, ends) {
    this.site = site;
    this.legs = route.legs;
    this.ends = ends;
    this.steps = [];
    // For each step what is said after its text, and of what the step before warns.
    this.facts = [];
    this.heading = null;
    this.behind = null;
    this.ground = this.groundIn(this.legs.length ? this.legs[0].room : null);
  }

  make() {
    let at = 0;
    while (at < this.legs.length) {
      const leg = this.legs[at];
      const flat = leg.startFloor === leg.endFloor;
      if (STAIRS.indexOf(leg.kind) >= 0) at = this.climb(at);
      else if (LIFTS.indexOf(leg.kind) >= 0) at = flat ? at + 1 : this.ride(at);
      else if (leg.kind === 'door' || !flat) at = this.pass(at);
      else if (WALKS.indexOf(leg.kind) >= 0) at = this.walk(at);
      else at += 1;
    }
    this.arrive();
    this.warn();
    this.steps.forEach((step, index) => this.finish(step, this.facts[index]));
  }

  note(leg, point, floor, members, facts) {
    this.steps.push(Object.assign(placeOf(point), {
      leg, floor, distanceMetres: 0, announcements: [],
    }, this.heading === null ? {} : { headingDegrees: this.heading }, members));
    this.facts.push(Object.assign({ danger: '', handrail: '', ground: '' }, facts));
    this.behind = null;
  }

  /** Has each step that leads to a danger warn of it, as the service does. */
  warn() {
    this.facts.forEach((own, index) => {
      const before = this.facts[index - 1];
      if (!own.danger || !before || (own.climbs && before.climbs)) return;
      if (!own.climbs && !before.leads) return;
      before.warning = own.danger;
    });
  }

  finish(step, facts) {
    const after = joined([facts.handrail, facts.ground]);
    const own = step.text;
    step.text = joined([own, facts.warning, after]);
    if (!facts.warning || !step.announcements.length) return;
    step.announcedText = joined([own, after]);
    step.announcements.forEach((one) => {
      one.text += ' ' + facts.warning;
    });
  }

  /** The room that a leg goes into, in the words after a door. */
  into(room, before) {
    const place = this.ends.names.get(room);
    if (place) return t('spoken.into.named', { place });
    const kind = this.ends.kinds.get(room) || 'room';
    const alike = before && before !== room && !this.ends.names.get(before)
      && this.ends.kinds.get(before) === kind;
    return alike ? t('spoken.next.' + kind) : t('spoken.into.' + kind);
  }

  groundIn(room) {
    return groundOf(this.ends.records.get(room));
  }

  /** Has the last step name the ground that begins. */
  stepOnto(ground, facts) {
    facts.ground = groundText(this.ground, ground);
    this.ground = ground;
  }

  /** The kind of the thing to which a walk leads that ends before a leg. */
  thing(at) {
    const leg = this.legs[at];
    if (!leg) return 'place';
    if (leg.kind === 'door') return isOpening(leg.passage) ? 'opening' : 'door';
    if (LIFTS.indexOf(leg.kind) >= 0) return 'lift';
    return STAIRS.indexOf(leg.kind) >= 0 ? leg.kind : 'opening';
  }

  /** All legs of a walk until the next door, stairs or lift. */
  walk(first) {
    let at = first;
    let points = [];
    while (at < this.legs.length && WALKS.indexOf(this.legs[at].kind) >= 0
      && this.legs[at].startFloor === this.legs[at].endFloor) {
      points = points.concat(...this.legs[at].paths.map((path) => path.wgs84));
      at += 1;
    }
    const legs = this.legs.slice(first, at);
    const floor = this.legs[first].startFloor;
    const room = this.legs[first].room;
    const thing = this.thing(at);
    const isLift = [first - 1, at].some((one) => this.legs[one] && this.thing(one) === 'lift');
    // A room is walked through straight, as far as that is told at all.
    const metres = legs.every((leg) => leg.room)
      ? metresBetween(points[0], points[points.length - 1])
      : legs.reduce((sum, leg) => sum + leg.distanceMetres, 0);
    if (first === 0 && at < this.legs.length && this.ends.isSingle(room)
      && (thing === 'door' || thing === 'opening')) {
      this.note(first, points[0], floor, {
        text: t(thing === 'door' ? 'spoken.findDoor' : 'spoken.findOpening'),
      }, { leads: true });
    } else if (metres >= LEAST_METRES && !isLift) {
      const begun = this.facts.length;
      this.stretches(first, points, floor, thing);
      this.confirm(legs, this.facts[begun]);
    }
    return at;
  }

  /** Only what holds all along a path confirms it. */
  confirm(legs, facts) {
    const paths = legs.filter((leg) => (
      !leg.room && (leg.kind === 'walk' || leg.kind === 'ramp')));
    // Within a room its own ground holds, and behind it the path begins later than the step.
    if (!paths.length || !facts || legs[0].room) return;
    const grounds = paths.map((leg) => groundOf(leg.passage));
    const isOne = grounds.every((one) => (
      one.ground === grounds[0].ground && one.tactile === grounds[0].tactile));
    this.stepOnto(isOne ? grounds[0] : groundOf(null), facts);
    const handrails = paths.map(handrailText);
    const missing = paths[0].passage.handrail === 'none';
    if (!missing && handrails.every((one) => one === handrails[0])) {
      facts.handrail = handrails[0];
    }
  }

  /** A step for each straight stretch of a walk. */
  stretches(leg, points, floor, thing) {
    const line = straightened(points);
    const corners = line.filter((one, index) => (
      index === 0 || index === line.length - 1
      || Math.abs(turnAt(line[index - 1], one, line[index + 1])) >= TURN_DEGREES));
    for (let i = 1; i < corners.length; i += 1) {
      const from = corners[i - 1];
      const direction = bearing(placeOf(from), placeOf(corners[i]));
      const metres = metresBetween(from, corners[i]);
      const what = i < corners.length - 1 ? 'turn' : thing;
      this.note(leg, from, floor, {
        text: this.walkText(direction, metres, what), distanceMetres: metres,
        announcements: NEAR_METRES.filter((one) => metres > one + 1).map((one) => ({
          metresBefore: one, text: t('spoken.near.' + what, { metres: number(one) }),
        })),
      }, { leads: true });
      this.heading = direction;
    }
  }

  walkText(direction, metres, what) {
    const thing = t('spoken.thing.' + what);
    const far = metresText(metres);
    if (this.heading === null) {
      return t('spoken.face', {
        point: t('spoken.point.' + compassPoint(direction)), distance: far, thing,
      });
    }
    const hour = clockHour(this.heading, direction);
    const key = hour === 12 ? 'spoken.ahead' : hour === 6 ? 'spoken.round' : 'spoken.turn';
    const step = hour === 12 || hour === 6 ? t(key, { distance: far, thing })
      : t(key, { hour, distance: far, thing });
    if (!this.behind) return capitalised(step);
    const place = this.behind.place;
    if (place) return t('spoken.behind.' + this.behind.kind, { place, step });
    return t('spoken.behind.' + (this.behind.plain || this.behind.kind), { step });
  }

  /** Through a door or an opening, or out of a lift. */
  pass(at) {
    const leg = this.legs[at];
    const point = leg.paths[0].wgs84[0];
    const next = this.legs[at + 1];
    const room = (next && next.room) || (at + 1 >= this.legs.length ? this.ends.room : null);
    const before = this.legs[at - 1] && this.legs[at - 1].room;
    const isLift = [1, 2].some((one) => this.legs[at - one]
      && LIFTS.indexOf(this.legs[at - one].kind) >= 0);
    const isDoor = leg.kind === 'door' && !isOpening(leg.passage);
    const into = room ? this.into(room, before) : '';
    const facts = {};
    let text;
    if (isLift) text = into ? t('spoken.leaveLift', { into }) : t('spoken.leave');
    else if (isDoor) {
      const door = doorName(leg.passage);
      text = into ? t('spoken.door', { door, into }) : t('spoken.out', { door });
      text = joined([text, swingText(leg)]);
      facts.danger = doorWarning(leg.passage);
    } else text = into ? t('spoken.opening', { into }) : t('spoken.through');
    if (leg.kind === 'ramp') facts.handrail = handrailText(leg);
    this.stepOnto(this.groundIn(room), facts);
    this.note(at, point, leg.startFloor, { text }, facts);
    const outline = room && this.ends.outlines.get(room);
    const inward = outline ? inwardDegrees(outline, placeOf(point)) : null;
    if (inward !== null) this.heading = inward;
    const kind = isDoor ? 'door' : 'opening';
    if (before) {
      this.behind = { kind, place: this.ends.names.get(before) || '', plain: kind + '.plain' };
    }
    return at + 1;
  }

  /** Floors up from the beginning of a leg to its end; 0 on one floor, and from or to outdoors. */
  floors(leg) {
    const after = this.site.floorOf(leg.endFloor);
    const before = this.site.floorOf(leg.startFloor);
    return after && before ? after.ordinal - before.ordinal : 0;
  }

  /** The number of floors and the level at the end of a way up or down. */
  endOf(leg, floors) {
    if (!floors) return {};
    return {
      floors: tn('spoken.floors', Math.abs(floors)),
      level: levelText(this.site.floorOf(leg.endFloor)),
    };
  }

  /** Stairs and escalators; flights with a room between them are steps of their own. */
  climb(at) {
    const leg = this.legs[at];
    const next = this.legs[at + 1];
    const floors = this.floors(leg);
    const isUp = leadsUp(leg, floors);
    const isNext = this.behind && this.behind.kind === 'stairs';
    const stairs = t('spoken.noun.' + (isNext ? 'next-' : '') + leg.kind);
    const danger = climbWarning(leg.kind, isUp);
    const way = isUp === undefined ? 'plain' : (floors ? '' : 'here.') + (isUp ? 'up' : 'down');
    const text = joined([
      danger, t('spoken.climb.' + way, Object.assign({ stairs }, this.endOf(leg, floors))),
      stepsText(leg.passage),
    ]);
    this.note(at, leg.paths[0].wgs84[0], leg.startFloor, { text }, {
      danger, climbs: true, handrail: handrailText(leg),
    });
    this.ground = this.groundIn(next && next.room);
    // The floors' parts of the line meet at one point.
    const line = [].concat(...leg.paths.map((path) => path.wgs84)).filter((one, index, all) => (
      index === 0 || metresBetween(all[index - 1], one) > 0.05));
    const [from, to] = line.slice(-2).map(placeOf);
    this.heading = to ? bearing(from, to) : null;
    this.behind = { kind: 'stairs', place: '' };
    return at + 1;
  }

  ride(at) {
    const leg = this.legs[at];
    const floors = this.floors(leg);
    const lift = t('spoken.noun.' + leg.kind);
    const way = floors ? (floors > 0 ? 'up' : 'down') : 'plain';
    const text = t('spoken.lift.' + way, Object.assign({ lift }, this.endOf(leg, floors)));
    this.note(at, leg.paths[0].wgs84[0], leg.startFloor, { text }, { climbs: true });
    this.heading = null;
    this.behind = { kind: 'lift', place: '' };
    return at + 1;
  }

  arrive() {
    const last = this.legs[this.legs.length - 1];
    const path = last && last.paths[last.paths.length - 1];
    const point = path ? path.wgs84[path.wgs84.length - 1] : this.ends.point;
    const floor = last ? last.endFloor : this.ends.floor;
    this.note(Math.max(0, this.legs.length - 1), point, floor, {
      text: t(this.ends.isNear ? 'offline.step.near' : 'spoken.arrive', { place: this.ends.to }),
    });
    const first = this.steps[0];
    if (this.ends.from && this.steps.length > 1) {
      first.text = t('spoken.here', { place: this.ends.from }) + ' ' + first.text;
    }
  }
}
