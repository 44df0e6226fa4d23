// The camera view: an arrow towards the next turn over the camera's picture, and the rooms around.
//
// This module comes only when it is asked for. Without a camera it shows a compass, and without a
// sure compass, text and the plan.

import { address, go } from './address.js';
import { cardName, directionText, roomsAround } from './around.js';
import { say } from './announcing.js';
import { CameraPicture } from './camera-picture.js';
import { askForMotion, Compass } from './compass.js';
import { computers } from './computers.js';
import { button, el, fill } from './elements.js';
import { MOST_ERROR } from './heading.js';
import { icon } from './icons.js';
import { addPanels } from './panels.js';
import { findPlace, placeName, placeQuestion, readPlace } from './places.js';
import { onPosition, present, presentPlace } from './position-store.js';
import { askWhere, positionText } from './positions.js';
import { standAt } from './position-sources.js';
import { profileQuestion } from './profiles.js';
import { RouteLine } from './route-line.js';
import { faultOfEnds } from './route-refusal.js';
import { metresBetween } from './measuring.js';
import { locate, nextTurn, stepStarts, trackOf } from './route-track.js';
import { ask } from './service.js';
import { timetable } from './timetable.js';
import { searches, waitFor } from './waiting.js';
import { currentLanguage, distance, kindName, t } from './words.js';

const SILENT_MILLISECONDS = 2500;
const MOVED_METRES = 4;
const OFF_METRES = 12;
const OFF_TIMES = 3;
const REROUTE_MILLISECONDS = 20000;
const AROUND = { most: 8, within: 20 };

/** Shows the camera view for the ends of the address; it needs no end. */
export async function showCamera(app, focus) {
  const view = new CameraView(app);
  app.leave = () => view.end();
  view.ask(focus);
}

class CameraView {
  constructor(app) {
    this.app = app;
    this.newSearch = searches(() => this.ended);
    this.picture = new CameraPicture();
    this.stops = [];
    this.opened = new Map();
    // Whether the reader has opened or shut a room's card.
    this.shownRooms = new Map();
    this.told = el('div', { class: 'camera-told' });
    // It stays the same button, so that a focus on it stays.
    this.tools = button([icon('compass'), el('span', { text: t('camera.correct') })],
      () => this.correct(), { class: 'link', hidden: true });
    this.cards = el('div', { class: 'camera-cards' });
  }

  end() {
    this.ended = true;
    this.stops.forEach((stop) => stop());
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    if (this.compass) this.compass.stop();
    if (this.line) this.line.remove();
    if (this.app.view) this.app.view.pick(null);
    this.picture.end();
    document.documentElement.classList.remove('looking');
    this.app.shell.laid();
  }

  head() {
    return this.app.shell.head(t('camera'), () => go({ panel: null }));
  }

  /** Asks kindly, before the browser does. */
  ask(focus) {
    this.app.box.setText('');
    const safe = window.isSecureContext;
    this.app.shell.set([
      this.head(),
      // The camera is not offered where it can't work.
      safe ? el('p', { text: t('camera.ask') }) : el('p', { class: 'news' }, [
        icon('warning'), el('span', { text: t('camera.unsafe') }),
      ]),
      safe ? el('p', { class: 'quiet', text: t('camera.kept') }) : null,
      el('div', { class: 'stack' }, [
        safe ? button([icon('camera'), el('span', { text: t('camera.start') })],
          () => this.start(true), { class: 'primary wide' }) : null,
        safe ? button([icon('compass'), el('span', { text: t('camera.compassOnly') })],
          () => this.start(false), { class: 'secondary wide' }) : null,
        button([icon('way'), el('span', { text: t('camera.planOnly') })], () => this.start(null), {
          class: 'secondary wide',
        }),
      ]),
    ], focus);
  }

  /** `camera` is null for neither camera nor compass. The sensors are asked for in the tap. */
  async start(camera) {
    const motion = camera !== null && await askForMotion();
    if (this.ended) return;
    document.documentElement.classList.add('looking');
    this.app.shell.map.parentNode.appendChild(this.picture.element);
    this.app.shell.set([this.head(), this.told, this.tools, this.cards], true);
    if (motion) {
      this.compass = new Compass(() => this.wish());
      this.timer = setTimeout(() => this.wish(), SILENT_MILLISECONDS);
    }
    this.begun = performance.now();
    this.wish();
    if (camera) {
      await this.picture.openCamera();
      if (!this.ended) this.wish();
    }
    if (!this.ended) await this.search();
  }

  /** Draws at the next frame, once. */
  wish() {
    if (this.frame || this.ended) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.ended) this.draw();
    });
  }

  /** The way, where there is a target, and then what is around. */
  async search() {
    if (this.ended) return;
    const isOver = this.newSearch();
    const now = address();
    const site = this.app.site;
    const target = readPlace(now.to);
    const begin = readPlace(now.from);
    try {
      this.begins = begin && begin.kind !== 'here' ? await findPlace(site, now.from) : null;
      if (!target && this.begins && !presentPlace(site)) {
        await standAt(site, this.begins, 'said');
      }
      const start = presentPlace(site)
        || (this.begins && placeQuestion(this.begins, site.floors));
      if (!start) {
        fill(this.told, askWhere(this.app, () => this.search()));
        return;
      }
      if (target) await this.searchWay(start, await findPlace(site, now.to, true), isOver);
    } catch (fault) {
      const ends = [now.from, now.to];
      const told = await faultOfEnds(site, fault, ends, () => this.search());
      if (!isOver()) fill(this.told, told);
      return;
    }
    if (isOver()) return;
    if (!this.following) {
      this.following = true;
      this.stops.push(onPosition(() => this.moved()));
    }
    this.moved();
  }

  async searchWay(start, target, isOver) {
    const body = Object.assign({
      site: this.app.site.id, from: start, to: [placeQuestion(target, this.app.site.floors)],
      language: currentLanguage(),
    }, profileQuestion());
    const answer = await waitFor('wait.route', (signal) => ask('/v1/routes', {
      method: 'POST', body, signal,
    }));
    if (isOver() || !answer) return;
    this.target = await placeName(this.app.site, target).catch(() => '');
    this.refused = answer.found ? null : (answer.reason && answer.reason.text) || t('route.none');
    this.track = null;
    if (!answer.found) {
      if (this.line) this.line.remove();
      return;
    }
    this.route = answer.routes[0];
    const track = trackOf(this.route);
    // Who is at the target already has no way to go.
    this.track = track.points.length ? track : null;
    this.starts = stepStarts(track, this.route.instructions);
    this.along = 0;
    this.drawLine();
  }

  drawLine() {
    const view = this.app.view;
    if (this.line) this.line.remove();
    if (!view || !view.ready) return;
    view.litOrRouted = true;
    this.line = new RouteLine(view, this.route);
  }

  /** Where one stands: the dot, or the beginning of the way. */
  place() {
    const own = present();
    if (own && own.latitude !== undefined && own.state !== 'lost') return own;
    const first = this.track && this.track.points[0];
    return first ? { latitude: first.latitude, longitude: first.longitude, floor: first.floor }
      : null;
  }

  moved() {
    const place = this.place();
    if (!place || this.ended) return;
    if (this.track) {
      const found = locate(this.track, place, this.along);
      const most = Math.max(OFF_METRES, place.radius || 0);
      this.along = found ? found.along : this.along;
      this.isOff = !found || found.metresOff > most;
      if (this.leftWay()) return;
    }
    this.follow(place);
    this.wish();
    const far = !this.aroundAt || this.aroundAt.floor !== place.floor
      || metresBetween(this.aroundAt, place) > MOVED_METRES;
    if (far) this.readAround(place);
  }

  /** Off the way, several times in a row: there is a new one from here. */
  leftWay() {
    this.offTimes = this.isOff ? (this.offTimes || 0) + 1 : 0;
    const now = Date.now();
    const wanted = this.offTimes >= OFF_TIMES && present() && present().state === 'located';
    if (!wanted || now - (this.searchedAt || 0) < REROUTE_MILLISECONDS) return false;
    this.searchedAt = now;
    this.search();
    return true;
  }

  /** The plan behind goes along. */
  follow(place) {
    const view = this.app.view;
    if (!view || !view.ready) return;
    if (place.floor) go({ floor: place.floor }, true);
    view.centre([place.latitude, place.longitude], 20);
  }

  async readAround(place) {
    this.aroundAt = place;
    const cards = await roomsAround(this.app.site, place, AROUND).catch(() => null);
    if (this.ended || !cards || this.aroundAt !== place) return;
    this.rooms = cards;
    this.drawCards();
    this.follow(place);
    this.wish();
  }

  /** Whether the compass is good for an arrow, or only for text and the plan. */
  state() {
    const heading = this.compass && this.compass.heading;
    const degrees = heading ? heading.degrees() : null;
    if (degrees === null) {
      const waits = this.compass && performance.now() - this.begun < SILENT_MILLISECONDS;
      return { degrees: null, error: 180, waits };
    }
    const error = heading.error();
    return { degrees: error <= MOST_ERROR ? degrees : null, error, waits: false };
  }

  draw() {
    const state = this.state();
    const place = this.place();
    const turn = this.track && place ? nextTurn(this.track, this.along, place) : null;
    this.picture.draw({
      heading: state.degrees, bearing: turn && !this.isOff ? turn.bearing : null,
      error: state.error, waits: state.waits, rooms: this.rooms || [],
    });
    this.drawTold(state, turn, place);
    this.drawDirections(state.degrees);
  }

  /** The sentences below: what comes next, how far, and how sure the arrow is. */
  drawTold(state, turn, place) {
    if (!place) return;
    const lines = [];
    if (this.refused) lines.push(this.refused);
    if (turn) lines.push(this.nextText());
    if (!turn && !this.refused) lines.push(t('camera.around'));
    const sure = [];
    if (this.isOff) sure.push(t('ear.off'));
    if (turn && state.degrees === null) {
      sure.push(t('camera.go', { direction: directionText(null, turn.bearing) }));
    }
    if (!state.waits) sure.push(this.sureText(state));
    const own = present();
    if (own) sure.push(positionText(this.app, own));
    const text = lines.concat(sure).join('|');
    if (text === this.drawn) return;
    this.drawn = text;
    const isNew = lines[0] !== this.saidLine;
    fill(this.told, [
      lines.map((line) => el('p', { class: 'camera-next', text: line })),
      sure.filter(Boolean).map((line) => el('p', { class: 'quiet', text: line })),
    ]);
    this.tools.hidden = !turn || state.degrees === null;
    this.app.shell.laid();
    const spoken = this.instruction && this.instruction.text;
    if (turn && isNew && spoken !== this.saidStep) {
      this.saidStep = spoken;
      say(spoken);
    }
    this.saidLine = lines[0];
  }

  nextText() {
    const all = this.route.instructions;
    let index = this.starts.findIndex((start) => start > this.along + 1);
    if (index < 0) index = all.length - 1;
    this.instruction = all[index];
    const left = Math.round(this.starts[index] - this.along);
    return left > 1 ? t('camera.in', { distance: distance(left), text: all[index].text })
      : all[index].text;
  }

  sureText(state) {
    if (state.degrees !== null) return t('camera.sure', { degrees: Math.round(state.error) });
    if (!window.isSecureContext) return t('camera.unsafe');
    if (this.compass && state.error < 180) {
      return t('camera.unsure', { degrees: Math.round(state.error) });
    }
    return t('camera.noCompass');
  }

  correct() {
    const now = this.place();
    const towards = now && this.track && nextTurn(this.track, this.along, now);
    if (!towards) return;
    this.compass.heading.correct(towards.bearing);
    say(t('camera.corrected'));
    this.wish();
  }

  /** A card for each room: opened, it has its timetable and computers. */
  drawCards() {
    const key = this.rooms.map((card) => card.room).join();
    if (key === this.cardsKey) {
      // The same rooms: only their directions are others, and what was opened stays open.
      this.directions.forEach((one, index) => { one.card = this.rooms[index]; });
      return;
    }
    this.cardsKey = key;
    this.directions = [];
    const open = (card, place) => {
      if (this.opened.has(card.room)) return;
      const room = { id: card.room };
      this.opened.set(card.room, Promise.all([
        computers(this.app.site, room), timetable(this.app.site, room),
      ].map((one) => one.catch(() => null))).then((parts) => parts.filter(Boolean)));
      this.fillCard(card, place);
    };
    fill(this.cards, this.rooms.length ? el('section', {}, [
      el('h2', { text: t('camera.rooms') }),
      this.rooms.map((card, index) => this.card(card, index, open)),
    ]) : null);
  }

  card(card, index, open) {
    const line = el('small', { class: 'card-direction' });
    this.directions.push({ line, card });
    const place = el('div', { class: 'card-more' });
    const details = el('details', { class: 'group room-card', on: {
      toggle: () => {
        this.shownRooms.set(card.room, details.open);
        if (details.open) open(card, place);
      },
    } }, [
      el('summary', {}, [
        icon('room'), el('strong', { text: cardName(card) }), line,
      ]), place,
    ]);
    if (this.opened.has(card.room)) this.fillCard(card, place);
    const before = this.shownRooms.get(card.room);
    details.open = before === undefined ? index === 0 : before;
    return details;
  }

  async fillCard(card, place) {
    const parts = await this.opened.get(card.room);
    if (this.ended) return;
    const kind = kindName(card.kind || 'room');
    fill(place, [
      cardName(card) === kind ? null : el('p', { class: 'quiet', text: kind }), parts,
      parts.length ? null : el('p', { class: 'quiet', text: t('camera.nothing') }),
    ]);
  }

  drawDirections(heading) {
    (this.directions || []).forEach((one) => {
      const text = one.card.distanceMetres < 0.5 ? t('camera.here') : [
        distance(one.card.distanceMetres), directionText(heading, one.card.bearingDegrees),
      ].join(' · ');
      if (one.line.textContent !== text) one.line.textContent = text;
    });
  }
}

addPanels({ camera: showCamera });
