// Surveys of this browser: each is kept before it is sent, until the service has it, and a while
// after, so that a withdrawal can be undone.
//
// A survey has an id of chance. So one that is sent twice, as after a lost answer, arrives once.

import { Fault, ask, openNewSession, sitePath } from '/app/service.js';
import { newID, openEdits } from './edit-store.js';

const NAME = 'whereabouts-surveys';
// A survey of 1,000 readings has 100 kB; the service takes 4 MiB at once.
const MOST_SENT = 20;
const FIRST_PAUSE_MILLISECONDS = 1000;
const LONGEST_PAUSE_MILLISECONDS = 30000;
// A site that is not published takes no surveys yet.
const UNPUBLISHED_PAUSE_MILLISECONDS = 60000;
const KEPT_MILLISECONDS = 7 * 86400000;
const MOST_KEPT = 1000;
// The list of surveys is a little behind the service that takes them.
const LATE_MILLISECONDS = 600000;
const PASSING = [0, 401, 408, 425, 429];

let made = 0;

function passes(fault) {
  return !(fault instanceof Fault) || PASSING.indexOf(fault.status) >= 0 || fault.status >= 500
    || fault.code === 'site-unknown';
}

export class SurveyQueue {
  /** `hooks`: changed() at another state, sent(items) for surveys that the service has. */
  constructor(site, account, hooks) {
    this.site = site;
    this.account = account;
    this.hooks = hooks;
    this.items = [];
    /** saved, sending, waiting, unpublished or signed-out. */
    this.state = 'saved';
    this.pause = FIRST_PAUSE_MILLISECONDS;
    this.isLasting = true;
  }

  /** Opens what was left from before, and begins to send it. */
  async start() {
    this.store = await openEdits(NAME);
    this.isLasting = this.store.isLasting;
    this.items = await this.store.all(this.site, this.account);
    await this.forgetOld();
    window.addEventListener('online', () => this.send());
    this.send();
  }

  async forgetOld() {
    const done = this.items.filter((one) => one.state === 'sent' || one.state === 'withdrawn');
    const least = Date.now() - KEPT_MILLISECONDS;
    const old = done.filter((one, index) => (
      one.madeAt < least || index < done.length - MOST_KEPT));
    await Promise.all(old.map((one) => this.store.remove(one.id)));
    const gone = new Set(old.map((one) => one.id));
    this.items = this.items.filter((one) => !gone.has(one.id));
  }

  of(state) {
    return this.items.filter((one) => one.state === state && one.do !== 'walk');
  }

  /** Surveys and withdrawals that the service has not acknowledged. */
  waiting() {
    return this.of('waiting');
  }

  /** Those that it refused: somebody has to look. */
  refused() {
    return this.of('refused');
  }

  /** The survey with this id, if this browser made it. */
  survey(id) {
    return this.items.find((one) => one.do === 'survey' && one.id === id) || null;
  }

  async keep(item) {
    made += 1;
    const own = Object.assign({
      site: this.site, account: this.account, madeAt: Date.now(), number: made, state: 'waiting',
    }, item);
    await this.store.put(own);
    this.items.push(own);
    this.changed();
    return own;
  }

  /** Keeps a survey, and sends it. `scan` has at (milliseconds) and reading; `place` is sent. */
  async add(scan, place, name) {
    const id = newID();
    const body = Object.assign({}, scan.reading, {
      id, site: this.site, at: new Date(scan.at).toISOString(), place,
    });
    // Steps count from one scan to the next: a survey stands alone.
    delete body.steps;
    if (scan.device) Object.assign(body, { device: scan.device, scanner: scan.device });
    const item = await this.keep({ id, do: 'survey', body, name });
    this.send();
    return item;
  }

  /** Withdraws a survey: one that was not sent yet is only forgotten. */
  async withdraw(id) {
    const own = this.survey(id);
    if (own && own.state === 'waiting' && await this.store.replace(id, null)) {
      await this.change(own, { state: 'withdrawn' });
      return;
    }
    if (own) await this.change(own, { state: 'withdrawn' });
    await this.keep({ id: newID(), do: 'withdraw', survey: id });
    this.send();
  }

  /** Takes a withdrawal back: the survey is sent again, under a new id. Gives that, or null. */
  async restore(id) {
    const own = this.survey(id);
    if (!own) return null;
    const order = this.waiting().find((one) => one.do === 'withdraw' && one.survey === id);
    if (order && await this.store.replace(order.id, null)) {
      this.forget(order);
      await this.change(own, { state: 'sent' });
      return own;
    }
    const again = newID();
    const body = Object.assign({}, own.body, { id: again });
    const item = await this.keep({ id: again, do: 'survey', body, name: own.name });
    this.send();
    return item;
  }

  /** Sends a refused one again. */
  async again(item) {
    await this.change(item, { state: 'waiting', refusal: null });
    this.send();
  }

  /** Drops a refused one. */
  async drop(item) {
    await this.store.remove(item.id);
    this.forget(item);
  }

  // MARK: A walk in progress

  /** What is kept of a walk, so that a closed tab loses nothing; null for none. */
  walk() {
    return this.items.find((one) => one.do === 'walk') || null;
  }

  async keepWalk(walk) {
    const id = 'walk/' + this.site + '/' + this.account;
    const before = this.walk();
    if (!walk) {
      if (before) await this.drop(before);
      return;
    }
    const item = Object.assign({
      id, site: this.site, account: this.account, madeAt: Date.now(), number: 0, do: 'walk',
      state: 'walk',
    }, { walk });
    await this.store.put(item);
    this.items = this.items.filter((one) => one.do !== 'walk').concat(item);
  }

  // MARK: Sending

  forget(item) {
    this.items = this.items.filter((one) => one.id !== item.id);
    this.changed();
  }

  async change(item, members) {
    const changed = Object.assign({}, item, members);
    await this.store.put(changed);
    this.items = this.items.map((one) => (one.id === item.id ? changed : one));
    this.changed();
    return changed;
  }

  changed() {
    if (!this.waiting().length) this.state = 'saved';
    else if (this.state === 'saved') this.state = 'sending';
    this.hooks.changed();
  }

  /** Sends what waits. */
  send() {
    clearTimeout(this.timer);
    if (this.working) {
      this.isAsked = true;
      return this.working;
    }
    this.working = this.work().then(() => {
      this.working = null;
      if (this.isAsked) {
        this.isAsked = false;
        this.send();
      }
    }, (fault) => {
      this.working = null;
      this.isAsked = false;
      this.later(fault);
    });
    return this.working;
  }

  later(fault) {
    const isUnpublished = fault && fault.code === 'site-unknown';
    this.state = fault && fault.code === 'signed-out' ? 'signed-out'
      : isUnpublished ? 'unpublished' : 'waiting';
    this.hooks.changed();
    const least = isUnpublished ? UNPUBLISHED_PAUSE_MILLISECONDS
      : (fault && fault.retryAfter ? fault.retryAfter : 0) * 1000;
    this.timer = setTimeout(() => this.send(), Math.max(least, this.pause));
    this.pause = Math.min(LONGEST_PAUSE_MILLISECONDS, this.pause * 2);
  }

  async work() {
    let most = MOST_SENT;
    let late = null;
    const tried = new Set();
    for (let batch = this.next(most, tried); batch.length; batch = this.next(most, tried)) {
      await this.checkAccount();
      const items = await this.claim(batch);
      if (!items.length) continue;
      if (this.state === 'saved') this.state = 'sending';
      this.hooks.changed();
      if (items[0].do === 'withdraw') {
        tried.add(items[0].id);
        late = await this.sendWithdrawal(items[0]) || late;
      } else {
        try {
          await this.sendSurveys(items);
          most = MOST_SENT;
        } catch (fault) {
          if (passes(fault)) throw fault;
          // One of them spoils all: each is sent by itself.
          if (items.length > 1) most = 1;
          else await this.refuse(items[0], fault);
        }
      }
      this.pause = FIRST_PAUSE_MILLISECONDS;
    }
    if (late) throw late;
    this.changed();
  }

  /** The surveys that wait, then the withdrawals one by one. */
  next(most, tried) {
    const waiting = this.waiting().filter((one) => !tried.has(one.id));
    const surveys = waiting.filter((one) => one.do === 'survey').slice(0, most);
    return surveys.length ? surveys : waiting.slice(0, 1);
  }

  /** A survey goes in the name of who made it, not of who has signed in since. */
  async checkAccount() {
    const session = await openNewSession();
    if (session.account === this.account) return;
    const fault = new Fault(401);
    fault.code = 'signed-out';
    throw fault;
  }

  /** Marks them as sent. What another tab has sent meanwhile is done. */
  async claim(batch) {
    const items = (await this.store.claim(batch.map((one) => one.id)));
    const left = new Map(items.map((one) => [one.id, one]));
    const gone = new Set(batch.filter((one) => !left.has(one.id)).map((one) => one.id));
    this.items = this.items.filter((one) => !gone.has(one.id))
      .map((one) => left.get(one.id) || one);
    return items.filter((one) => one.state === 'waiting');
  }

  async sendSurveys(items) {
    const sentAt = new Date().toISOString();
    const body = items.map((one) => Object.assign({}, one.body, one.body.device ? {} : { sentAt }));
    const refused = new Map();
    try {
      const answer = await ask('/v1/surveys', { method: 'POST', body });
      if (!answer || !Array.isArray(answer.rejected)) throw new Fault(0);
      answer.rejected.forEach((one) => refused.set(one.index, one));
    } catch (fault) {
      const all = fault.problem && fault.problem.rejected;
      if (!Array.isArray(all) || !all.length) throw fault;
      // None was taken: the status is that of the refusals.
      if (all.some((one) => one.code === 'site-unknown')) fault.code = 'site-unknown';
      if (passes(fault)) throw fault;
      all.forEach((one) => refused.set(one.index, one));
    }
    const sent = [];
    for (let i = 0; i < items.length; i += 1) {
      const refusal = refused.get(i);
      const passing = refusal && (refusal.code === 'quota-exceeded');
      if (!refusal) sent.push(await this.change(items[i], { state: 'sent', doneAt: Date.now() }));
      else if (!passing) await this.change(items[i], { state: 'refused', refusal });
    }
    if (sent.length) this.hooks.sent(sent);
    // A quota lets the rest in later.
    if (this.left(items)) throw new Fault(429);
  }

  left(items) {
    return items.some((item) => this.items.some((one) => (
      one.id === item.id && one.state === 'waiting')));
  }

  /** Gives a fault if it has to be sent again later. */
  async sendWithdrawal(item) {
    try {
      await ask(sitePath(this.site, 'surveys', item.survey), { method: 'DELETE' });
    } catch (fault) {
      if (passes(fault)) return fault;
      // The service that lists surveys may not have it yet.
      if (fault.status === 404 && Date.now() - item.madeAt < LATE_MILLISECONDS) return fault;
      if (fault.status !== 404) {
        await this.refuse(item, fault);
        return null;
      }
    }
    await this.store.remove(item.id);
    this.forget(item);
    return null;
  }

  async refuse(item, fault) {
    const refusal = { code: fault.code, detail: fault.message };
    await this.change(item, { state: 'refused', refusal });
  }
}
