// Spoken steps of a way that the page found itself: in the words of the service, but without walls
// to follow, since the kept network has none.

import { inwardDegrees } from './offline-around.js';
import { metresBetween, straightened, turnAt } from './offline-steps.js';
import { bearing, placeOf } from './measuring.js';
import { clockHour, compassPoint } from './route-track.js';
import { distance, number, t, tn } from './words.js';

const LEAST_METRES = 0.8;
const TURN_DEGREES = 30;
const OPENING_METRES = 2;
const NEAR_METRES = [8, 2];
const CLIMBS = ['stairs', 'escalator', 'lift', 'platform-lift'];
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

/**
 * The spoken steps of a route. `ends` has the name of the target and of its beginning, `names`
 * those of rooms by their ids, `outlines` their outlines, and `isSingle(room)` whether a room has
 * one opening.
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
    this.heading = null;
    this.behind = null;
  }

  make() {
    let at = 0;
    while (at < this.legs.length) {
      const leg = this.legs[at];
      const flat = leg.startFloor === leg.endFloor;
      if (CLIMBS.indexOf(leg.kind) >= 0 && !flat) at = this.climb(at);
      else if (leg.kind === 'door' || !flat) at = this.pass(at);
      else if (WALKS.indexOf(leg.kind) >= 0) at = this.walk(at);
      else at += 1;
    }
    this.arrive();
  }

  note(leg, point, floor, members) {
    this.steps.push(Object.assign(placeOf(point), {
      leg, floor, distanceMetres: 0, announcements: [],
    }, this.heading === null ? {} : { headingDegrees: this.heading }, members));
    this.behind = null;
  }

  name(room) {
    return this.ends.names.get(room) || '';
  }

  /** The kind of the thing to which a walk leads that ends before a leg. */
  thing(at) {
    const leg = this.legs[at];
    if (!leg) return 'place';
    if (leg.kind === 'door') return this.isOpening(leg) ? 'opening' : 'door';
    if (leg.kind === 'platform-lift') return 'lift';
    return CLIMBS.indexOf(leg.kind) >= 0 ? leg.kind : 'opening';
  }

  /** Whether nothing tells that a door has a leaf: as the service, by its width. */
  isOpening(leg) {
    const passage = leg.passage || {};
    return !passage.manual && passage.widthMetres >= OPENING_METRES;
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
    const floor = this.legs[first].startFloor;
    const room = this.legs[first].room;
    const thing = this.thing(at);
    const isLift = [first - 1, at].some((one) => this.legs[one] && this.thing(one) === 'lift');
    const metres = this.legs.slice(first, at).reduce((sum, leg) => sum + leg.distanceMetres, 0);
    if (first === 0 && at < this.legs.length && this.ends.isSingle(room)
      && (thing === 'door' || thing === 'opening')) {
      this.note(first, points[0], floor, {
        text: t(thing === 'door' ? 'spoken.findDoor' : 'spoken.findOpening'),
      });
    } else if (metres >= LEAST_METRES && !isLift) this.stretches(first, points, floor, thing);
    return at;
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
      });
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
    const before = 'spoken.behind.' + this.behind.kind;
    return place ? t(before, { place, step }) : t(before, { step });
  }

  /** Through a door or an opening, or out of a lift. */
  pass(at) {
    const leg = this.legs[at];
    const point = leg.paths[0].wgs84[0];
    const next = this.legs[at + 1];
    const room = (next && next.room) || (at + 1 >= this.legs.length ? this.ends.room : null);
    const before = this.legs[at - 1] && this.legs[at - 1].room;
    const place = room ? this.name(room) : '';
    const isLift = [1, 2].some((one) => this.legs[at - one]
      && /lift$/.test(this.legs[at - one].kind));
    const isDoor = leg.kind === 'door' && !this.isOpening(leg);
    let text = t('spoken.out');
    if (isLift && place) text = t('spoken.leaveLift', { place });
    else if (place) text = t(isDoor ? 'spoken.door' : 'spoken.opening', { place });
    this.note(at, point, leg.startFloor, { text });
    const outline = room && this.ends.outlines.get(room);
    const inward = outline ? inwardDegrees(outline, placeOf(point)) : null;
    if (inward !== null) this.heading = inward;
    const came = before ? this.name(before) : '';
    if (came) this.behind = { kind: isDoor ? 'door' : 'opening', place: came };
    return at + 1;
  }

  /** Stairs, escalators and lifts; flights with a room between them are steps of their own. */
  climb(at) {
    const leg = this.legs[at];
    const after = this.site.floorOf(leg.endFloor);
    const before = this.site.floorOf(leg.startFloor);
    const floors = after && before ? Math.abs(after.ordinal - before.ordinal) : 0;
    const kind = leg.kind === 'platform-lift' ? 'lift' : leg.kind;
    const key = 'spoken.' + kind + (leg.rises ? '.up' : '.down');
    this.note(at, leg.paths[0].wgs84[0], leg.startFloor, {
      text: t(key, { floors: tn('spoken.floors', floors), level: after ? after.level : '' }),
    });
    // The floors' parts of the line meet at one point.
    const line = [].concat(...leg.paths.map((path) => path.wgs84)).filter((one, index, all) => (
      index === 0 || metresBetween(all[index - 1], one) > 0.05));
    const [from, to] = line.slice(-2).map(placeOf);
    this.heading = kind !== 'lift' && to ? bearing(from, to) : null;
    this.behind = { kind: kind === 'lift' ? 'lift' : 'stairs', place: '' };
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
