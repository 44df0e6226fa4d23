// Searches a network that the service handed out: the cheapest way for a profile around outages.
//
// It uses nothing of a browser, so tests run it alone. Costs are in milliseconds and equal those of
// the service before it pulls a line straight.

import { clockOf, isActive, isOpen } from './offline-hours.js';

const CLOSED = -1;
const MOST_DELAYS = 8;
const LIMITS = {
  neededWidthMetres: (passage, limit) => passage.widthMetres < limit,
  slopeLimit: (passage, limit) => passage.slope > limit,
  kerbLimitMetres: (passage, limit) => passage.kerbMetres > limit,
};

function sums(differences) {
  let sum = 0;
  return Int32Array.from(differences, (one) => {
    sum += one;
    return sum;
  });
}

export class OfflineNetwork {
  constructor(answer) {
    this.floors = answer.floors;
    this.timeZone = answer.timeZone;
    this.rooms = answer.rooms;
    this.places = answer.places;
    this.passages = answer.passages;
    this.profiles = answer.profiles;
    this.nodeFloors = answer.nodes.floors;
    this.latitudes = sums(answer.nodes.latitudes);
    this.longitudes = sums(answer.nodes.longitudes);
    this.roomIndex = new Map(this.rooms.map((room, index) => [room.id, index]));
    this.readArcs(answer.arcs);
    this.costsOf = new Map();
    this.clockAhead = clockOf(this.timeZone);
    this.distances = new Float64Array(this.nodeFloors.length);
    this.arrivals = new Int32Array(this.nodeFloors.length);
  }

  readArcs(arcs) {
    this.bothWays = arcs.bothWays;
    this.tails = sums(arcs.tails);
    this.heads = Int32Array.from(arcs.heads, (one, index) => this.tails[index] + one);
    this.centimetres = arcs.centimetres;
    this.bends = new Map(arcs.bends.map((one) => [one[0], one]));
    this.arcPassages = new Int32Array(this.tails.length);
    this.isEntrance = new Uint8Array(this.tails.length);
    let next = 0;
    for (let i = 0; i < arcs.passages.length; i += 3) {
      this.arcPassages.fill(arcs.passages[i], next, next + arcs.passages[i + 2]);
      this.isEntrance.fill(arcs.passages[i + 1], next, next + arcs.passages[i + 2]);
      next += arcs.passages[i + 2];
    }
    this.joinNodes();
  }

  /** For each node the steps that lead away: 2 x arc, and one more for the way back. */
  joinNodes() {
    const firsts = new Int32Array(this.nodeFloors.length + 1);
    const each = (take) => this.tails.forEach((tail, arc) => {
      take(tail, 2 * arc);
      if (arc < this.bothWays) take(this.heads[arc], 2 * arc + 1);
    });
    each((node) => { firsts[node + 1] += 1; });
    for (let i = 1; i < firsts.length; i += 1) firsts[i] += firsts[i - 1];
    const places = firsts.slice();
    this.steps = new Int32Array(firsts[firsts.length - 1]);
    each((node, step) => {
      this.steps[places[node]] = step;
      places[node] += 1;
    });
    this.firsts = firsts;
  }

  /** Whether ways lead to a node and away: not one at which routes only begin or end. */
  isOnWay(node) {
    for (let i = this.firsts[node]; i < this.firsts[node + 1]; i += 1) {
      if (this.steps[i] >> 1 < this.bothWays) return true;
    }
    return false;
  }

  headOf(step) {
    return step % 2 ? this.tails[step >> 1] : this.heads[step >> 1];
  }

  /** The cost of each arc for a profile; -1 where it is closed. */
  costs(name) {
    if (!this.costsOf.has(name)) {
      const own = this.profiles[name];
      const costs = own.like ? this.costs(own.like).slice() : Int32Array.from(own.costs);
      if (own.like) {
        for (let i = 0; i < own.costs.length; i += 2) costs[own.costs[i]] = own.costs[i + 1];
      }
      this.costsOf.set(name, costs);
    }
    return this.costsOf.get(name);
  }

  /**
   * The cheapest way, or null. `wish` has `from` and `to` (rooms and nodes by their numbers; nodes
   * may have metres to walk to them), profile, limits, `avoidsManual`, outages and `at`. `stopOf`
   * of `from` and `to` is the kind that was asked for, such as lift.
   */
  find(wish) {
    const closed = this.closedPassages(wish, new Set());
    const isHere = (room) => this.isRoomEntered(room, wish.to.stopOf, wish.profile, closed);
    const same = wish.from.rooms.find((room) => wish.to.rooms.indexOf(room) >= 0 && isHere(room));
    if (same !== undefined) return { cost: 0, seconds: 0, steps: [], room: same };
    const tries = [['starts', 'ends'], ['starts', 'endsNear'], ['startsNear', 'ends'],
      ['startsNear', 'endsNear']];
    for (let i = 0; i < tries.length; i += 1) {
      const found = this.findBetween(wish, tries[i][0], tries[i][1]);
      // Near a room: the map shows no way out of it, or into it.
      if (found) return Object.assign(found, { startsNear: i > 1, endsNear: i % 2 === 1 });
    }
    return null;
  }

  findBetween(wish, starts, ends) {
    const opened = new Set();
    const open = (place, name) => place.rooms.forEach((room) => {
      if (this.rooms[room][name] !== undefined) opened.add(this.rooms[room][name]);
    });
    open(wish.from, 'startPassage');
    open(wish.to, 'endPassage');
    let closed = this.closedPassages(wish, opened);
    const from = this.linksOf(wish, wish.from, starts, closed, opened);
    let to = this.linksOf(wish, wish.to, ends, closed, opened);
    if (!from.size || !to.size) return null;
    if (starts !== 'starts' || ends !== 'ends') closed = this.closedPassages(wish, opened);
    for (let delay = 0; delay < MOST_DELAYS; delay += 1) {
      const found = this.search(this.costs(wish.profile), closed, from, to);
      if (!found) return null;
      found.before = from.get(found.start) / 1000;
      found.after = to.get(found.end) / 1000;
      this.measure(found, wish.profile);
      const closing = this.closingOn(found, wish, opened, closed);
      if (!closing.length) return found;
      closing.forEach((passage) => { closed[passage] = 1; });
      if (wish.to.stopOf || (wish.to.nodes || []).some((one) => one.stopOf)) {
        to = this.linksOf(wish, wish.to, ends, closed, opened);
      }
    }
    return null;
  }

  /** The nodes of a place with the milliseconds to walk to them. */
  linksOf(wish, place, name, closed, opened) {
    const speed = this.profiles[wish.profile].walkingSpeed;
    const nodes = new Map();
    (place.nodes || []).forEach((one) => {
      if (!this.isEntered(one, wish.profile, closed)) return;
      const cost = Math.round(((one.metres || 0) / speed) * 1000);
      if (!nodes.has(one.node) || nodes.get(one.node) > cost) nodes.set(one.node, cost);
    });
    place.rooms.forEach((index) => {
      if (!this.isRoomEntered(index, place.stopOf, wish.profile, closed)) return;
      const all = this.rooms[index][name] || [];
      if (!/Near$/.test(name)) all.forEach((node) => nodes.set(node, 0));
      else {
        const node = all.find((one) => this.isUsable(one, wish.profile, closed));
        if (node === undefined) return;
        nodes.set(node, 0);
        // A way to a room without doors may lead into the room beside it.
        this.arcsAt(node).map((arc) => this.arcPassages[arc])
          .filter((passage) => this.passages[passage].kind === 'room')
          .forEach((passage) => opened.add(passage));
      }
    });
    return nodes;
  }

  /** Whether a profile may go on by the lift or the like at a node; `stopOf` is its kind. */
  isEntered(one, profile, closed) {
    const arcs = one.stopOf ? this.arcsInto(one.node, one.stopOf) : [];
    const costs = this.costs(profile);
    return !arcs.length || arcs.some((arc) => (
      costs[arc] !== CLOSED && !(this.isEntrance[arc] && closed[this.arcPassages[arc]])));
  }

  /** Whether a profile may go on by a lift in a room, if lifts are asked for: `stopOf`. */
  isRoomEntered(index, stopOf, profile, closed) {
    const stops = (stopOf && this.rooms[index].stops) || [];
    return !stops.length || stops.some((node) => (
      this.arcsInto(node, stopOf).length && this.isEntered({ node, stopOf }, profile, closed)));
  }

  /** The arcs by which one enters connections of a kind at a node. */
  arcsInto(node, kind) {
    const steps = Array.from(this.steps.subarray(this.firsts[node], this.firsts[node + 1]));
    const kinds = kind === 'lift' ? ['lift', 'platformlift'] : [kind];
    return steps.map((step) => step >> 1).filter((arc) => (
      kinds.indexOf(this.passages[this.arcPassages[arc]].kind.replace(/-/g, '')) >= 0));
  }

  /** Whether a profile can use an arc at a node near a room. */
  isUsable(node, profile, closed) {
    const costs = this.costs(profile);
    return this.arcsAt(node).some((arc) => (
      costs[arc] !== CLOSED && !(this.isEntrance[arc] && closed[this.arcPassages[arc]])));
  }

  /** The arcs of one way at a node. */
  arcsAt(node) {
    if (!this.arcsOf) {
      this.arcsOf = new Map();
      const add = (end, arc) => {
        if (!this.arcsOf.has(end)) this.arcsOf.set(end, []);
        this.arcsOf.get(end).push(arc);
      };
      for (let arc = this.bothWays; arc < this.tails.length; arc += 1) {
        add(this.tails[arc], arc);
        add(this.heads[arc], arc);
      }
    }
    return this.arcsOf.get(node) || [];
  }

  closedPassages(wish, opened) {
    const closed = new Uint8Array(this.passages.length);
    const limits = Object.assign({}, this.profiles[wish.profile].limits, wish.limits || {});
    const names = Object.keys(LIMITS).filter((name) => typeof limits[name] === 'number');
    const out = new Set((wish.outages || []).filter((one) => isActive(one, wish.at))
      .map((one) => one.connection));
    this.passages.forEach((passage, index) => {
      const isRoom = passage.kind === 'room';
      if (isRoom && opened.has(index)) return;
      const shut = (isRoom && passage.restricted) || (wish.avoidsManual && passage.manual)
        || (!isRoom && out.has(passage.id))
        || names.some((one) => LIMITS[one](passage, limits[one]))
        || !this.isOpen(passage, wish.at);
      if (shut) closed[index] = 1;
    });
    return closed;
  }

  isOpen(passage, at) {
    return !passage.hours || isOpen(passage.hours, at + this.clockAhead(at));
  }

  /** Dijkstra's algorithm from all starts to the first end that is reached. */
  search(costs, closed, starts, ends) {
    const distances = this.distances.fill(Infinity);
    const arrivals = this.arrivals.fill(-1);
    const heap = new Heap();
    starts.forEach((cost, node) => {
      distances[node] = cost;
      heap.push(cost, node);
    });
    let best = null;
    while (heap.size) {
      const node = heap.pop();
      const distance = heap.least;
      if (best && distance >= best.cost) break;
      if (distance > distances[node]) continue;
      if (ends.has(node)) {
        const cost = distance + ends.get(node);
        if (!best || cost < best.cost) best = { cost, end: node };
      }
      for (let i = this.firsts[node]; i < this.firsts[node + 1]; i += 1) {
        const step = this.steps[i];
        const arc = step >> 1;
        const cost = costs[arc];
        if (cost === CLOSED) continue;
        if (this.isEntrance[arc] && closed[this.arcPassages[arc]]) continue;
        const head = this.headOf(step);
        if (distance + cost < distances[head]) {
          distances[head] = distance + cost;
          arrivals[head] = step;
          heap.push(distance + cost, head);
        }
      }
    }
    return best && this.traced(best);
  }

  traced(best) {
    const steps = [];
    let node = best.end;
    while (this.arrivals[node] >= 0) {
      const step = this.arrivals[node];
      steps.push(step);
      node = step % 2 ? this.heads[step >> 1] : this.tails[step >> 1];
    }
    return { cost: best.cost, start: node, end: best.end, steps: steps.reverse() };
  }

  /** Adds the seconds of each step and of all: a price is no time. */
  measure(found, profile) {
    const costs = this.costs(profile);
    const prices = this.pricesOf(profile);
    found.times = found.steps.map((step) => {
      const arc = step >> 1;
      return (costs[arc] - (prices.get(arc) || 0)) / 1000;
    });
    found.seconds = found.times.reduce((sum, one) => sum + one, found.before + found.after);
  }

  pricesOf(profile) {
    const own = this.profiles[profile];
    if (!own.priceOf) {
      own.priceOf = new Map();
      for (let i = 0; i < own.prices.length; i += 2) {
        own.priceOf.set(own.prices[i], own.prices[i + 1]);
      }
    }
    return own.priceOf;
  }

  /** The passages that are closed when the reader reaches them. */
  closingOn(found, wish, opened, closed) {
    const closing = [];
    let seconds = found.before;
    const note = (number) => {
      const passage = this.passages[number];
      const at = wish.at + seconds * 1000;
      const isRoom = passage.kind === 'room';
      const out = !isRoom && (wish.outages || []).some((one) => (
        one.connection === passage.id && Date.parse(one.from) > wish.at && isActive(one, at)));
      const shut = !(isRoom && opened.has(number)) && !this.isOpen(passage, at);
      if ((out || shut) && closing.indexOf(number) < 0) closing.push(number);
    };
    found.steps.forEach((step, index) => {
      note(this.arcPassages[step >> 1]);
      seconds += found.times[index];
    });
    // The lift or the like that the way leads to.
    const last = (wish.to.nodes || []).find((one) => one.node === found.end && one.stopOf);
    const into = (node, kind) => this.arcsInto(node, kind).map((arc) => this.arcPassages[arc])
      .filter((number) => !closed[number]);
    if (last) into(last.node, last.stopOf).forEach(note);
    this.stopsAtEnd(found, wish).forEach((stops) => {
      // Lifts of a room: it remains one while any of them goes.
      const before = closing.length;
      const all = new Set([].concat(...stops.map((node) => into(node, wish.to.stopOf))));
      all.forEach(note);
      const open = Array.from(all).filter((number) => closing.indexOf(number) < 0);
      if (open.length) closing.length = before;
    });
    return closing;
  }

  /** The lifts in the room that a way to the nearest one leads to. */
  stopsAtEnd(found, wish) {
    if (!wish.to.stopOf) return [];
    return wish.to.rooms.map((index) => this.rooms[index])
      .filter((room) => room.stops && (room.ends || []).indexOf(found.end) >= 0)
      .map((room) => room.stops);
  }
}

/** Nodes by their distances, the least first. `least` is the distance of the one taken last. */
class Heap {
  constructor() {
    this.keys = [];
    this.nodes = [];
    this.size = 0;
    this.least = 0;
  }

  push(key, node) {
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.keys[above] <= key) break;
      this.keys[at] = this.keys[above];
      this.nodes[at] = this.nodes[above];
      at = above;
    }
    this.keys[at] = key;
    this.nodes[at] = node;
  }

  pop() {
    const top = this.nodes[0];
    this.least = this.keys[0];
    this.size -= 1;
    const key = this.keys[this.size];
    const node = this.nodes[this.size];
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.size) break;
      if (below + 1 < this.size && this.keys[below + 1] < this.keys[below]) below += 1;
      if (this.keys[below] >= key) break;
      this.keys[at] = this.keys[below];
      this.nodes[at] = this.nodes[below];
      at = below;
    }
    this.keys[at] = key;
    this.nodes[at] = node;
    return top;
  }
}
