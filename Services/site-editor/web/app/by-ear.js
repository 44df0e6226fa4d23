// "By ear": the way in spoken steps, one at a time, by voice, by the screen reader, by vibration.

import { address, go } from './address.js';
import { aroundText, roomsAround } from './around.js';
import { askForMotion, Compass } from './compass.js';
import { EarBarriers } from './ear-barriers.js';
import { EarFollow } from './ear-follow.js';
import { earQuestion, earStart, earTarget } from './ear-start.js';
import { EarWalk } from './ear-walk.js';
import { EarView } from './ear-view.js';
import { el, fill } from './elements.js';
import { floorLine } from './floors.js';
import { isAway, routeWithoutService } from './offline.js';
import { watchOutages } from './outages.js';
import { addPanels } from './panels.js';
import { findPlace, placeName, placeQuestion, readPlace } from './places.js';
import { onPosition, present, presentPlace } from './position-store.js';
import { positionText } from './positions.js';
import { unknownProfile } from './profiles.js';
import { RouteLine } from './route-line.js';
import { faultOfEnds, refusal } from './route-refusal.js';
import { leaveEar, senses } from './senses.js';
import { ask } from './service.js';
import { hush, onVoices, speak, vibrate } from './speaking.js';
import { faultText, searches, waitFor } from './waiting.js';
import { currentLanguage, distance, duration, t } from './words.js';

const REROUTE_MILLISECONDS = 20000;
let rerouted = 0;
const FRAMES = { walk: 'ear.asYouWalk', came: 'ear.asYouCame' };
const KEYS = { r: 'repeat', w: 'where', a: 'around', n: 'next', b: 'back', x: 'barrier' };

// Said once the panel is drawn anew for another beginning.
let carried = '';

/** Shows the directions by ear for the ends of the address. */
export async function showEar(app, focus) {
  const panel = new EarPanel(app);
  app.leave = () => panel.end();
  const news = carried;
  carried = '';
  await panel.draw(focus, news);
}

class EarPanel {
  constructor(app) {
    this.app = app;
    this.body = el('div', { class: 'ear' });
    this.newSearch = searches(() => this.ended);
    this.pressed = (event) => this.key(event);
    document.addEventListener('keydown', this.pressed);
    this.stops = [onVoices(() => this.view && this.view.drawSettings())];
    this.barriers = new EarBarriers(app, (text) => this.say(text), () => this.showStep());
    this.follower = new EarFollow({
      happens: (event, hears) => this.tell(event, { hears }),
      warns: () => this.repeat(), strays: () => this.leftWay(),
    });
  }

  end() {
    this.ended = true;
    this.follower.follow(null);
    hush();
    document.removeEventListener('keydown', this.pressed);
    this.stops.forEach((stop) => stop());
    if (this.stopWatching) this.stopWatching();
    if (this.line) this.line.remove();
    if (this.compass) this.compass.stop();
  }

  async draw(focus, news) {
    this.app.box.setText('');
    if (this.app.view) this.app.view.light('');
    const head = this.app.shell.head(t('ear'), () => {
      leaveEar();
      go({ panel: null });
    }, t('ear.about'));
    this.lead = head.querySelector('.quiet');
    this.app.shell.set([head, this.body], focus);
    await this.search(news);
  }

  say(text) {
    this.last = text;
    speak(text, senses().voice);
  }

  fill(children) {
    // What is in the way was asked on the walk that ends here.
    this.barriers.end();
    fill(this.body, children);
    this.app.shell.laid();
  }

  /** Asks for the way; without both ends it asks for them first. `news` is said before the way. */
  async search(news) {
    const isOver = this.newSearch();
    const now = address();
    const site = this.app.site;
    if (!readPlace(now.to)) {
      this.fill(earTarget(this.app));
      return;
    }
    try {
      const target = await findPlace(site, now.to, true);
      const from = readPlace(now.from) ? await findPlace(site, now.from) : { kind: 'here' };
      const start = from.kind === 'here' ? presentPlace(site) : placeQuestion(from, site.floors);
      this.target = await placeName(site, target).catch(() => '');
      if (isOver()) return;
      if (!start) {
        this.fill(earStart(this.app, target, (text, said) => this.begin(text, said)));
        return;
      }
      const body = Object.assign({
        site: site.id, from: start, to: [placeQuestion(target, site.floors)],
        language: currentLanguage(), wording: 'spoken',
      }, earQuestion());
      const [answer] = await Promise.all([this.ask(body), this.barriers.read()]);
      if (isOver()) return;
      if (!answer) this.fill(el('p', { class: 'quiet pad', text: t('cancelled') }));
      else this.show(answer, [news, answer.note].filter(Boolean).join(' '));
    } catch (fault) {
      if (isOver()) return;
      const ends = [now.from, now.to];
      const told = await faultOfEnds(site, fault, ends, () => this.search());
      if (!isOver()) this.fill(told);
    }
  }

  /** The service's answer, or where it can't be reached that of the kept network. */
  async ask(body) {
    try {
      return await waitFor('wait.route', (signal) => ask('/v1/routes', {
        method: 'POST', body, signal,
      }));
    } catch (fault) {
      const answer = isAway(fault) && await routeWithoutService(this.app, body).catch(() => null);
      if (!answer) throw fault;
      return answer;
    }
  }

  /** The reader has said where they are. */
  begin(text, said) {
    if (text === (address().from || 'here')) this.search(said);
    else this.beginAt(text, said);
  }

  beginAt(text, news) {
    carried = news || '';
    go({ from: text }, true);
  }

  show(answer, news) {
    if (this.line) this.line.remove();
    this.line = null;
    const route = answer.found && answer.routes[0];
    const shut = route && route.shutEnd && route.shutEnd.text;
    if (route && !route.legs.length) {
      const told = [news, t('route.there'), shut].filter(Boolean).join(' ');
      this.showAlone(el('p', { class: 'pad', text: told }), [unknownProfile(), told]);
      return;
    }
    if (!route || !route.spoken) {
      const reason = answer.reason;
      this.showAlone(refusal(this.app, reason), [news, t('route.none'), reason && reason.text]);
      return;
    }
    this.walk = new EarWalk(route);
    this.follower.follow(this.walk);
    this.drawWalk(route);
    this.drawLine(route);
    const whole = t('ear.begin', {
      place: this.target, time: duration(this.walk.seconds), distance: this.length(route),
    });
    this.tell({ kind: 'step' }, {
      before: [unknownProfile(), news, whole, shut].filter(Boolean).join(' '),
    });
    this.watch(route.legs.map((leg) => leg.connection).filter(Boolean));
    this.barriers.showOnWay(this.walk, this.body.appendChild(el('div')));
    if (!this.following) {
      this.following = true;
      this.stops.push(onPosition((position) => this.follower.move(position)));
      if (senses().turns === 'clock') this.startCompass();
    }
  }

  /** Shows and says something that is no walk: there is no way, or nothing left of it. */
  showAlone(shown, texts) {
    this.walk = null;
    this.follower.follow(null);
    this.fill(shown);
    this.say(texts.filter(Boolean).join(' '));
    this.watch([]);
  }

  watch(connections) {
    if (this.stopWatching) this.stopWatching();
    this.stopWatching = watchOutages(this.app.site, connections, (text) => this.search(text));
  }

  drawLine(route) {
    const view = this.app.view;
    if (!view) return;
    const draw = () => {
      if (this.ended) return;
      view.litOrRouted = true;
      this.line = new RouteLine(view, route);
      this.showPlace();
    };
    if (view.ready) draw();
    else view.whenReady = draw;
  }

  /** The length of the way as the words lead; along walls it is longer than the line on the map. */
  length(route) {
    const metres = distance(this.walk.metres);
    const isLonger = this.walk.metres > 1.1 * route.distanceMetres + 5;
    return isLonger ? t('ear.walls', { distance: metres }) : metres;
  }

  drawWalk(route) {
    this.lead.textContent = t('ear.to', {
      place: this.target, distance: this.length(route),
    });
    const [act, changed] = [(name) => this.act(name), (name) => this.changed(name)];
    this.view = new EarView(this.walk, act, changed, this.barriers);
    this.fill(this.view.elements);
  }

  async changed(name) {
    if (name === 'voice') hush();
    if (name === 'vibrate' && senses().vibrate) vibrate('near');
    if (name !== 'turns') return;
    if (senses().turns === 'clock' && await askForMotion()) this.startCompass();
    this.showStep();
  }

  startCompass() {
    if (!this.compass && window.isSecureContext) this.compass = new Compass(() => null);
  }

  /** The direction in which the reader looks, if the compass is sure enough; else undefined. */
  looking() {
    const heading = this.compass && this.compass.heading;
    if (!heading || heading.degrees() === null || heading.error() > 30) return undefined;
    return heading.degrees();
  }

  /** The sentence with the hour of the clock, where that is wished. */
  clock() {
    if (senses().turns !== 'clock' || this.walk.isLast) return '';
    const hour = this.walk.hour(this.looking());
    return hour === null ? '' : t('ear.clock', { hour });
  }

  /** What is said after a step: barriers that others have reported, and the hour of the clock. */
  after() {
    return [this.barriers.at(this.walk), this.clock()].filter(Boolean).join(' ');
  }

  /**
   * Shows, says and lets feel what happens on the walk, after what comes `before` it. Who `hears`
   * the announcements of the step, since a dot leads, hears its warning there.
   */
  tell(event, { before, hears } = {}) {
    if (event.kind === 'near') {
      if (senses().vibrate) vibrate(event.metres > 4 ? 'far' : 'near');
      this.say(event.text);
      return;
    }
    if (senses().vibrate) vibrate(event.kind);
    this.showStep();
    this.say([before, this.follower.step(hears), this.after()].filter(Boolean).join(' '));
  }

  showStep() {
    const walk = this.walk;
    if (!walk) return;
    this.view.show(this.after());
    this.view.aside.textContent = this.asideText();
    this.nameRooms(walk.present);
    this.showPlace();
  }

  asideText() {
    const step = this.walk.steps[this.walk.present];
    return [floorLine(this.app.site, step.floor), this.came].filter(Boolean).join(' · ');
  }

  /** Where one came from, once its name is known. */
  async nameRooms(index) {
    const before = this.walk.rooms().before;
    const name = before
      ? await placeName(this.app.site, { kind: 'room', id: before }).catch(() => '') : '';
    if (this.ended || !this.walk || this.walk.present !== index) return;
    this.came = name ? t('ear.from', { place: name }) : '';
    this.view.aside.textContent = this.asideText();
  }

  showPlace() {
    if (!this.line || !this.walk) return;
    const step = this.walk.steps[this.walk.present];
    if (step.floor) go({ floor: step.floor }, true);
    this.line.lightStep(step, !present());
  }

  /** Off the way: a new one from here, but not again and again. */
  leftWay() {
    if (senses().vibrate) vibrate('off');
    const now = Date.now();
    if (now - rerouted < REROUTE_MILLISECONDS) {
      this.say(t('ear.off'));
      return;
    }
    rerouted = now;
    const news = t('ear.off') + ' ' + t('ear.again');
    if (address().from === 'here') this.search(news);
    else this.beginAt('here', news);
  }

  key(event) {
    const name = this.barriers.numberOf(event.key) || KEYS[event.key && event.key.toLowerCase()];
    if (!name || !senses().keys || event.ctrlKey || event.altKey || event.metaKey) return;
    // A key that is held down speaks once.
    if (event.repeat || event.isComposing) return;
    const at = event.target;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName) && at.type !== 'checkbox'
      && at.type !== 'radio';
    const inside = at === document.body || this.app.shell.content.contains(at);
    if (typing || !inside || !this.walk) return;
    event.preventDefault();
    this.act(name);
  }

  act(name) {
    if (!this.walk) return;
    hush();
    if (this.barriers.takes(name, this.walk)) return;
    if (name === 'next' || name === 'back') {
      const event = this.walk.go(name === 'next' ? 1 : -1);
      if (event) this.tell(event);
      else this.repeat();
    } else if (name === 'repeat') this.repeat();
    else if (name === 'where') this.sayWhere();
    else this.sayAround();
  }

  repeat() {
    this.say([this.follower.step(false), this.after()].filter(Boolean).join(' '));
  }

  async sayWhere() {
    const walk = this.walk;
    const rooms = walk.rooms();
    const own = present();
    const id = (own && own.room) || rooms.here;
    const name = id
      ? await placeName(this.app.site, { kind: 'room', id }).catch(() => '') : '';
    if (this.ended || this.walk !== walk) return;
    const floor = floorLine(this.app.site, own ? own.floor : walk.place().floor);
    const place = [name, floor || t('outdoors')].filter(Boolean).join(', ');
    const left = Math.round(walk.metresLeft());
    this.say([
      t(own ? 'ear.at' : 'ear.atStep', { place, number: walk.present + 1 }),
      own ? positionText(this.app, own).split(' · ').join(', ') + '.' : '',
      this.came ? this.came + '.' : '',
      own && left > 0 ? t('ear.left', { distance: distance(left) }) : '',
    ].filter(Boolean).join(' '));
  }

  async sayAround() {
    const walk = this.walk;
    const own = present();
    const known = own && own.latitude !== undefined && own.state !== 'lost';
    const place = known ? own : walk.place();
    const facing = walk.facing(this.looking(), Date.now());
    try {
      const cards = await waitFor('wait.around', (signal) => (
        roomsAround(this.app.site, place, { most: 5, within: 15, signal })));
      if (this.ended || !cards) return;
      // Nobody sees in which direction the page believes that they look: it says so.
      const frame = facing && FRAMES[facing.by] ? t(FRAMES[facing.by]) + ' ' : '';
      const turns = facing && facing.by === 'came' ? 'clock' : senses().turns;
      this.say(frame + aroundText(cards, facing && facing.degrees, turns));
    } catch (fault) {
      this.say(faultText(fault));
    }
  }
}

addPanels({ ear: showEar });
