// The way from one place to another: question, answer, steps, other ways, and what changes on it.

import { address, go, show } from './address.js';
import { barrierButton, groundOfWay } from './barrier-here.js';
import { connectionsAhead } from './barrier-ways.js';
import { askOnWay } from './barriers-on-way.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { lightRoom } from './card-panel.js';
import { routeEnds } from './route-ends.js';
import { RouteLine } from './route-line.js';
import { handOver } from './qr-picture.js';
import { faultOfEnds, lookAtBarriers, refusal } from './route-refusal.js';
import { routeSteps } from './route-steps.js';
import { sideView } from './route-side-view.js';
import { isAway, routeWithoutService } from './offline.js';
import { watchOutages } from './outages.js';
import { findPlace, placeName, placeQuestion, placeRecord, readPlace } from './places.js';
import { profileChoice, profileQuestion, unknownProfile } from './profiles.js';
import { onPosition, presentPlace } from './position-store.js';
import { askWhere } from './positions.js';
import { routeLink, share } from './sharing.js';
import { prefersEar, sensesButtons } from './senses.js';
import { say } from './announcing.js';
import { ask } from './service.js';
import { searches, waitFor } from './waiting.js';
import { currentLanguage, distance, duration, t, timeOfDay } from './words.js';

const RETRY_MILLISECONDS = 10000;

/** Shows the route of the address, or asks for its ends. */
export async function showRoute(app, focus) {
  if (prefersEar() && readPlace(address().to)) {
    go({ panel: 'ear' }, true);
    return;
  }
  const panel = new RoutePanel(app);
  app.leave = () => panel.end();
  await panel.draw(focus);
}

class RoutePanel {
  constructor(app) {
    this.app = app;
    this.chosen = 0;
    this.ended = false;
    this.newSearch = searches(() => this.ended);
    this.line = null;
    this.body = el('div', { class: 'route' });
  }

  end() {
    this.ended = true;
    if (this.control) this.control.abort();
    clearTimeout(this.retry);
    if (this.line) this.line.remove();
    if (this.app.view) this.app.view.pin(null);
    if (this.stopWatching) this.stopWatching();
    if (this.stopFollowing) this.stopFollowing();
  }

  async draw(focus) {
    const now = address();
    this.app.box.setText('');
    if (this.app.view) this.app.view.light('');
    const ends = routeEnds(this.app, now);
    const head = this.app.shell.head(t('route'), () => this.close());
    head.classList.add('compact');
    const unknown = el('p', { class: 'fault', role: 'alert', text: unknownProfile() });
    unknown.hidden = !unknown.textContent;
    this.app.shell.set([
      head, ends.element, profileChoice(() => {
        unknown.hidden = true;
        // The best way of another profile comes first.
        this.chosen = 0;
        this.search();
      }), unknown, this.body,
    ], focus);
    await ends.named;
    if (!this.ended) await this.search();
  }

  close() {
    const now = address();
    const target = readPlace(now.to);
    if (target && target.kind === 'room') show({ room: target.id });
    else show({});
  }

  /** Asks for the route; without both ends it says what is missing. `why` is what changed. */
  async search(why) {
    // Whoever asks again meanwhile is answered by that: a fault of before must not take its place.
    const isOver = this.newSearch();
    const now = address();
    if (!readPlace(now.from) || !readPlace(now.to)) {
      const key = readPlace(now.from) ? 'route.needTo' : 'route.needFrom';
      this.fill(el('p', { class: 'quiet pad', text: t(key) }));
      this.lightTarget(readPlace(now.to));
      return;
    }
    let ends;
    try {
      ends = await Promise.all([false, true].map((isSought) => (
        findPlace(this.app.site, isSought ? now.to : now.from, isSought))));
    } catch (fault) {
      const told = await this.fault(fault);
      if (!isOver()) this.fill(told);
      return;
    }
    if (isOver()) return;
    const from = ends[0];
    const to = ends[1];
    const site = this.app.site;
    const start = from.kind === 'here' ? presentPlace(site) : placeQuestion(from, site.floors);
    if (!start) {
      this.fill(askWhere(this.app, () => this.search()));
      this.lightTarget(to);
      return;
    }
    const body = Object.assign({
      site: site.id, from: start, to: [placeQuestion(to, site.floors)],
      language: currentLanguage(), alternatives: 2,
    }, profileQuestion());
    try {
      const answer = await waitFor('wait.route', (signal) => ask('/v1/routes', {
        method: 'POST', body, signal,
      }));
      if (isOver()) return;
      this.keptTold = '';
      if (!answer) this.fill(el('p', { class: 'quiet pad', text: t('cancelled') }));
      else this.show(answer, why);
    } catch (fault) {
      const answer = isAway(fault) && await routeWithoutService(this.app, body).catch(() => null);
      const told = answer ? null : await this.fault(fault);
      if (isOver()) return;
      if (answer) this.showKept(answer);
      else this.fill(told);
    }
  }

  /** Shows what the page found itself, until the service answers again. */
  showKept(answer) {
    const told = JSON.stringify([answer.note, answer.found && answer.routes[0].distanceMetres]);
    const before = this.keptTold;
    this.keptTold = told;
    if (told !== before) this.drawKept(answer);
    // The outages may answer before the routes do: then it asks again, but not at once.
    const pause = before ? RETRY_MILLISECONDS : 0;
    if (this.stopWatching) this.stopWatching();
    this.stopWatching = watchOutages(this.app.site, [], () => null, () => {
      this.retry = setTimeout(() => this.search(), pause);
    });
  }

  drawKept(answer) {
    if (answer.found) this.show(answer, answer.note);
    else {
      if (this.line) this.line.remove();
      this.fill(this.news(answer.note));
      say(answer.note);
    }
  }

  /** Shows the room to which a way is wanted, while its beginning is not known. */
  async lightTarget(place) {
    if (!place || place.kind !== 'room') return;
    const room = await placeRecord(this.app.site, place).catch(() => null);
    if (room && !this.ended) lightRoom(this.app, room);
  }

  fault(fault) {
    const now = address();
    return faultOfEnds(this.app.site, fault, [now.from, now.to], () => this.search());
  }

  /** Replaces what is below the question. A focus that was there goes to what took its place. */
  fill(children) {
    const active = document.activeElement;
    // A choice in a list of results leaves the focus nowhere.
    const asked = active === document.body && this.body.querySelector('.ask') !== null;
    const lost = asked || this.body.contains(active);
    const chosen = lost && active.closest('.others') !== null;
    while (this.body.firstChild) this.body.removeChild(this.body.firstChild);
    [].concat(children).filter(Boolean).forEach((child) => this.body.appendChild(child));
    const pressed = '.others [aria-pressed="true"]';
    if (lost) this.focus(chosen ? this.body.querySelector(pressed) : null);
    this.app.shell.laid();
  }

  focus(element) {
    const heading = this.app.shell.content.querySelector('h1');
    const target = element || heading;
    if (!target) return;
    if (target === heading) heading.setAttribute('tabindex', '-1');
    target.focus({ preventScroll: true });
  }

  show(answer, why) {
    if (this.line) this.line.remove();
    if (!answer.found) {
      this.line = null;
      this.fill([why ? this.news(why) : null, refusal(this.app, answer.reason)]);
      lookAtBarriers(this.app.view, answer.reason);
      say(t('route.none'));
      this.watch([]);
      return;
    }
    this.routes = distinct(answer.routes);
    this.chosen = Math.min(this.chosen, this.routes.length - 1);
    this.choose(this.chosen, why);
  }

  choose(index, why) {
    this.chosen = index;
    if (this.app.view) this.app.view.light('');
    const route = this.routes[index];
    if (this.line) this.line.remove();
    if (this.stopFollowing) this.stopFollowing();
    if (!route.legs.length) {
      this.stay(route, why);
      return;
    }
    this.steps = routeSteps(this.app, route, (step, chosen) => this.stepTo(step, chosen));
    const asked = el('div');
    this.fill([
      why ? this.news(why) : null, this.summary(route), asked,
      // The camera view asks the service for the rooms around.
      sensesButtons(Boolean(this.keptTold)), this.others(),
      address().kiosk ? handOver(routeLink()) : null, ...this.steps.elements,
      this.keptTold ? null : barrierButton(this.app, () => (
        groundOfWay(this.app.site, connectionsAhead(route, this.steps.present())))),
      sideView(this.app, route), this.footer(),
    ]);
    this.drawWhenReady(route);
    this.saySummary(route, why);
    const connections = route.legs.map((leg) => leg.connection).filter(Boolean);
    this.watch(connections);
    if (!this.keptTold) askOnWay(this.app, connections, asked);
    this.stopFollowing = onPosition((position) => this.steps.follow(position));
  }

  /** Who is there already has no steps, no other ways, and nothing to go on to. */
  stay(route, why) {
    this.fill([why ? this.news(why) : null, this.summary(route)]);
    this.drawWhenReady(route);
    this.saySummary(route, why);
    this.watch([]);
  }

  saySummary(route, why) {
    const shut = route.shutEnd && route.shutEnd.text;
    say([why, this.summaryText(route), shut].filter(Boolean).join(' '));
  }

  drawWhenReady(route) {
    const view = this.app.view;
    if (view && view.ready) this.drawLine(route);
    else if (view) view.whenReady = () => this.ended || this.drawLine(route);
  }

  drawLine(route) {
    this.app.view.litOrRouted = true;
    this.line = new RouteLine(this.app.view, route);
    const first = route.instructions[0];
    if (first && first.floor) go({ floor: first.floor }, true);
    this.line.fit();
  }

  stepTo(step, chosen) {
    if (step.floor) go({ floor: step.floor }, true);
    if (this.line) this.line.lightStep(step, chosen);
  }

  news(text) {
    // The live region says it, together with the way.
    return el('p', { class: 'news' }, [icon('warning'), el('span', { text })]);
  }

  summaryText(route) {
    if (!route.legs.length) return t('route.there');
    return t('route.summary', {
      time: duration(route.seconds), distance: distance(route.distanceMetres),
      arrival: timeOfDay(route.arriveAt),
    });
  }

  summary(route) {
    const notes = [];
    if (route.shutEnd) notes.push(route.shutEnd.text);
    if (route.narrowestMetres && profileQuestion().profile === 'wheelchair') {
      notes.push(t('route.narrowest', { width: Math.round(route.narrowestMetres * 100) }));
    }
    if (route.unknownFacts.length && profileQuestion().profile !== 'walking') {
      notes.push(t('route.unchecked'));
    }
    return el('div', { class: 'summary' }, [
      !route.legs.length ? el('p', { text: t('route.there') }) : el('p', { class: 'big' }, [
        el('strong', { text: duration(route.seconds) }),
        el('span', { text: distance(route.distanceMetres) }),
        el('span', { class: 'quiet', text: t('route.arrival', {
          time: timeOfDay(route.arriveAt),
        }) }),
      ]),
      notes.map((text) => el('p', { class: 'quiet', text })),
    ]);
  }

  /** The other ways, each with its time. */
  others() {
    if (this.routes.length < 2) return null;
    const names = this.routes.map(wayName);
    // Two ways by the same stairs are told apart by their lengths.
    const isAlone = (name) => names.indexOf(name) === names.lastIndexOf(name);
    const told = (route, name) => (
      isAlone(name) ? name : name + ', ' + distance(route.distanceMetres));
    return el('div', { class: 'others', role: 'group', 'aria-label': t('route.others') },
      this.routes.map((route, index) => button([
        el('strong', { text: duration(route.seconds) }),
        el('span', { text: told(route, names[index]) }),
      ], () => this.choose(index), { 'aria-pressed': String(index === this.chosen) })));
  }

  footer() {
    return el('div', { class: 'actions' }, [
      button([icon('share'), el('span', { text: t('share') })], async () => {
        const to = readPlace(address().to);
        share(routeLink(), await placeName(this.app.site, to));
      }, { class: 'secondary' }),
      button([icon('print'), el('span', { text: t('print') })], () => window.print(), {
        class: 'secondary',
      }),
    ]);
  }

  watch(connections) {
    if (this.stopWatching) this.stopWatching();
    this.stopWatching = watchOutages(this.app.site, connections, (text) => this.search(text));
  }
}

/** The ways without those that a reader could not tell from one before. */
function distinct(routes) {
  const told = routes.map((route) => (
    [duration(route.seconds), wayName(route), distance(route.distanceMetres)].join()));
  return routes.filter((route, index) => told.indexOf(told[index]) === index);
}

/** What tells a way from the others: lifts, stairs, or a walk alone. */
function wayName(route) {
  const kinds = route.legs.map((leg) => leg.kind);
  if (kinds.indexOf('lift') >= 0) return t('route.by.lift');
  if (kinds.indexOf('stairs') >= 0) return t('route.by.stairs');
  if (kinds.indexOf('escalator') >= 0) return t('route.by.escalator');
  return distance(route.distanceMetres);
}

