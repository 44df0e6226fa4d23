// Barriers by ear: a report in two presses, and what others have reported, at the step it concerns.

import { address } from './address.js';
import { barrierIcon, barrierName, groundOfWay, refusedText, report } from './barrier-here.js';
import { allKinds, connectionsAhead } from './barrier-ways.js';
import { readWaiting, showAsked } from './barriers-on-way.js';
import { button, el, fill } from './elements.js';
import { senses } from './senses.js';
import { speakAfter } from './speaking.js';
import { t } from './words.js';

// The way is said without reports that come later.
const MOST_WAIT_MILLISECONDS = 500;

export class EarBarriers {
  /**
   * `say` speaks a text, `changed` is called where a step says less than before. A kiosk reports
   * nothing: it stands where it is.
   */
  constructor(app, say, changed) {
    this.app = app;
    this.say = say;
    this.changed = changed;
    this.isOffered = !address().kiosk;
    this.element = el('div', { class: 'ear-barriers' });
    this.reports = [];
    this.reading = null;
    this.walk = null;
    // The button that asks, for the keyboard's place afterwards.
    this.key = null;
  }

  /** The number of a key while an answer is asked for; else 0. */
  numberOf(key) {
    return this.walk && /^[1-9]$/.test(key) ? Number(key) : 0;
  }

  /** Whether what was pressed is about a barrier. Anything else ends the question. */
  takes(name, walk) {
    if (typeof name === 'number') this.choose(name);
    else if (name === 'barrier' && !this.walk) this.ask(walk);
    else {
      this.end();
      return name === 'barrier';
    }
    return true;
  }

  /** Asks what is in the way: by voice with a number for each answer, and in rows. */
  ask(walk) {
    if (!this.isOffered) return;
    this.walk = walk;
    // The place is that of the question: the steps may go on before the answer.
    const ahead = connectionsAhead(walk.route, walk.steps[walk.present], walk.steps);
    this.ground = groundOfWay(this.app.site, ahead);
    const active = document.activeElement;
    this.opener = active && active !== document.body ? active : this.key;
    // All kinds: a number that is known by heart must not change its meaning.
    const texts = allKinds.map((kind, index) => index + 1 + ': ' + barrierName(kind));
    const rows = allKinds.map((kind, index) => el('li', {}, button(
      [barrierIcon(kind), el('span', { text: texts[index] })], () => this.choose(index + 1),
      { class: 'line', 'aria-keyshortcuts': String(index + 1) },
    )));
    const title = el('h2', { text: t('barrier.which'), tabindex: '-1' });
    fill(this.element, el('section', { class: 'asked', 'aria-label': t('barrier.which') }, [
      title, el('ul', { class: 'rows' }, rows),
      button(t('cancel'), () => this.close(), { class: 'link' }),
    ]));
    this.app.shell.laid();
    // Not on an answer: a key that is still held down would give it.
    title.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: 'nearest' });
    this.say(t('barrier.which') + ' ' + texts.join('. ') + '.');
  }

  /** Ends the question, if there is one: its walk is over. */
  end() {
    if (this.walk) this.close();
  }

  close() {
    const inside = this.element.contains(document.activeElement);
    this.walk = null;
    fill(this.element, []);
    this.app.shell.laid();
    if (inside && this.opener && document.body.contains(this.opener)) this.opener.focus();
  }

  /**
   * The second press; what the service answers is said, with the place that it is about. Where
   * nothing ahead fits, nothing is sent: nobody would hear which place was meant.
   */
  async choose(number) {
    const kind = allKinds[number - 1];
    if (!this.walk || !kind) return;
    const about = this.ground.choices(kind)[0];
    this.close();
    let text = t('barrier.nothing');
    try {
      if (about) text = await this.reported(kind, about);
      if (!text) return;
    } catch (fault) {
      text = refusedText(fault);
    }
    if (!document.body.contains(this.element)) return;
    if (!this.walk) fill(this.element, el('p', { class: 'news', text }));
    this.app.shell.laid();
    this.say(text);
  }

  /** Reports it; the sentence with its name, or an empty text if it was cancelled. */
  async reported(kind, about) {
    const answer = await report(this.app, kind, { connection: about.id });
    if (!answer) return '';
    const name = await about.name().catch(() => '');
    const what = [barrierName(kind)].concat(name.split(' · ')).filter(Boolean).join(', ');
    return what + '. ' + t('barrier.state.' + answer.state);
  }

  /** Reads what waits for a second person; a slow answer is not waited for. */
  async read() {
    if (!this.isOffered) return;
    this.reading = readWaiting(this.app.site).then((reports) => {
      this.reports = reports;
    }, () => null);
    await Promise.race([this.reading, new Promise((done) => {
      setTimeout(done, MOST_WAIT_MILLISECONDS);
    })]);
  }

  /**
   * Fills `holder` with the reports on the way and with what the reader may answer. They are not
   * said there: each is at its step, until it is answered.
   */
  async showOnWay(walk, holder) {
    if (!this.isOffered) return;
    const first = this.at(walk);
    await this.reading;
    const late = this.at(walk);
    const holds = () => document.body.contains(holder);
    // The step was said before the list had come.
    if (late && late !== first && holds()) {
      this.changed();
      speakAfter(late, senses().voice, holds);
    }
    const ways = walk.route.legs.map((leg) => leg.connection).filter(Boolean);
    await showAsked(this.app, this.reports, ways, holder, (barrier) => {
      this.reports = this.reports.filter((one) => one.id !== barrier.id);
      this.changed();
    });
  }

  /** The reports on the connections that the present step leads through, as sentences. */
  at(walk) {
    if (walk.isLast || !this.isOffered) return '';
    const first = walk.steps[walk.first].leg;
    const last = walk.steps[walk.present].leg;
    const next = walk.steps.find((step) => step.leg > last);
    const legs = walk.route.legs.slice(first, next ? next.leg : walk.route.legs.length);
    return this.reports
      .filter((one) => legs.some((leg) => leg.connection && leg.connection === one.connection))
      .map((one) => t('ear.reported', { kind: barrierName(one.kind) })).join(' ');
  }
}
