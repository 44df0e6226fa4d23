// Sends edits in their order, each until the service has acknowledged it. Meanwhile they are kept.
//
// An edit that waits and was not sent yet takes a further one of its record in. A record has one
// edit on its way at most: the next one is based on what that one made.

import { Fault, ask, openNewSession, sitePath } from '/app/service.js';
import { newID, openEdits } from './edit-store.js';
import { combine } from './merge-patch.js';

// As many as the service takes at once.
const MOST_SENT = 500;
const FIRST_PAUSE_MILLISECONDS = 1000;
const LONGEST_PAUSE_MILLISECONDS = 30000;
// What may pass: the same edit is sent again.
const PASSING = [0, 401, 408, 425, 429];

let made = 0;

function passes(fault) {
  return !(fault instanceof Fault) || PASSING.indexOf(fault.status) >= 0 || fault.status >= 500;
}

export class EditQueue {
  /**
   * `hooks`: changed() when there is another state, done(edit, answer) for each that the service
   * has, refused(edit) for each that it refuses, and journal(after) gives the edits of the draft.
   */
  constructor(site, account, hooks) {
    this.site = site;
    this.account = account;
    this.hooks = hooks;
    this.edits = [];
    /** saved, sending, waiting or signed-out. */
    this.state = 'saved';
    this.pause = FIRST_PAUSE_MILLISECONDS;
    this.isLasting = true;
    /** The edits that the service has had of this page, and the newest revision of each record. */
    this.own = new Set();
    this.chains = new Map();
  }

  /** Opens what was left from before, and begins to send it. */
  async start() {
    this.store = await openEdits();
    this.isLasting = this.store.isLasting;
    this.edits = await this.store.all(this.site, this.account);
    window.addEventListener('online', () => this.send());
    this.send();
  }

  /** The edits that the service has not acknowledged. */
  waiting() {
    return this.edits.filter((one) => !one.refusal);
  }

  /** The edits that it refused: somebody has to decide. */
  refused() {
    return this.edits.filter((one) => one.refusal);
  }

  /** The waiting edits of a record. */
  ofRecord(kind, record) {
    return this.waiting().filter((one) => one.kind === kind && one.record === record);
  }

  /**
   * Keeps an edit, and sends it. `wish` has do, and of an edit kind, record, value, basedOn, base
   * (the record before it) and name. Gives the edit as it waits.
   */
  async add(wish) {
    made += 1;
    const own = {
      id: newID(), site: this.site, account: this.account, madeAt: Date.now(), number: made,
    };
    const edit = Object.assign(own, wish);
    const before = this.lastUnsent(edit);
    if (before) {
      const both = Object.assign({}, edit, {
        value: combine(before.value, edit.value), basedOn: before.basedOn, base: before.base,
        madeAt: before.madeAt, number: before.number, isCombined: true,
      });
      if (await this.store.replace(before.id, both)) {
        this.edits = this.edits.map((one) => (one.id === before.id ? both : one));
        this.changed();
        this.send();
        return both;
      }
    }
    await this.store.put(edit);
    this.edits.push(edit);
    this.changed();
    this.send();
    return edit;
  }

  /** The edit that may take `edit` in: the last of all, if it patches the same record. */
  lastUnsent(edit) {
    const last = this.edits[this.edits.length - 1];
    const same = last && last.kind === edit.kind && last.record === edit.record;
    const patch = edit.do === 'patch' && same && last.do === 'patch';
    // What belongs to a stroke is undone with it, and with nothing else.
    return patch && !edit.group && !last.group && !last.isTried && !last.refusal ? last : null;
  }

  /** Takes back the newest edit that was not sent yet; null if there is none. */
  async takeBack() {
    const last = this.edits[this.edits.length - 1];
    if (!last || last.isTried || last.refusal) return null;
    if (!await this.store.replace(last.id, null)) return null;
    this.forget(last);
    return last;
  }

  /** Drops a refused edit: somebody has decided. */
  async drop(edit) {
    await this.store.remove(edit.id);
    this.forget(edit);
  }

  forget(edit) {
    this.edits = this.edits.filter((one) => one.id !== edit.id);
    this.changed();
  }

  changed() {
    if (!this.waiting().length) this.state = 'saved';
    else if (this.state === 'saved') this.state = 'sending';
    this.hooks.changed();
  }

  /** Sends what waits; called again while it sends, it goes on after that. */
  send() {
    clearTimeout(this.timer);
    if (this.working) return this.working;
    this.working = this.work().then(() => { this.working = null; }, (fault) => {
      this.working = null;
      this.later(fault);
    });
    return this.working;
  }

  later(fault) {
    this.state = fault && fault.code === 'signed-out' ? 'signed-out' : 'waiting';
    this.fault = fault;
    this.hooks.changed();
    const least = fault && fault.retryAfter ? fault.retryAfter * 1000 : 0;
    this.timer = setTimeout(() => this.send(), Math.max(least, this.pause));
    this.pause = Math.min(LONGEST_PAUSE_MILLISECONDS, this.pause * 2);
  }

  async work() {
    let alone = false;
    for (let batch = this.next(1); batch.length; batch = this.next(alone ? 1 : MOST_SENT)) {
      await this.checkAccount();
      const edits = await this.claim(batch);
      if (!edits.length) continue;
      await Promise.all(edits.map((edit) => this.chain(edit)));
      this.state = this.state === 'waiting' ? 'waiting' : 'sending';
      this.hooks.changed();
      try {
        if (edits[0].do === 'undo') await this.sendUndo(edits[0]);
        else await this.sendEdits(edits);
        alone = false;
      } catch (fault) {
        if (passes(fault)) throw fault;
        // One of them spoils all: each is sent by itself, so that the others arrive.
        if (edits.length > 1) alone = true;
        else await this.refuse(edits[0], { code: fault.code, detail: fault.message });
      }
      this.pause = FIRST_PAUSE_MILLISECONDS;
      this.fault = null;
      this.state = 'sending';
    }
    this.changed();
  }

  /** The first that wait: one of each record, and an undo alone. */
  next(most) {
    const waiting = this.waiting();
    if (!waiting.length || waiting[0].do === 'undo') return waiting.slice(0, 1);
    const records = new Set();
    const batch = [];
    for (let i = 0; i < waiting.length && batch.length < most; i += 1) {
      const edit = waiting[i];
      const key = edit.kind + '/' + edit.record;
      if (edit.do === 'undo' || records.has(key)) break;
      records.add(key);
      batch.push(edit);
    }
    return batch;
  }

  /** An edit goes in the name of who made it, not of who has signed in since. */
  async checkAccount() {
    const session = await openNewSession();
    if (session.account === this.account) return;
    const fault = new Fault(401);
    fault.code = 'signed-out';
    throw fault;
  }

  /** Looks whether the same person is still signed in, where the service has refused something. */
  noteSession() {
    this.checkAccount().catch((fault) => this.later(fault));
  }

  /** Marks them as sent. What another tab has sent meanwhile is done. */
  async claim(batch) {
    const edits = await this.store.claim(batch.map((one) => one.id));
    const left = new Map(edits.map((one) => [one.id, one]));
    const gone = new Set(batch.filter((one) => !left.has(one.id)).map((one) => one.id));
    this.edits = this.edits.filter((one) => !gone.has(one.id))
      .map((one) => left.get(one.id) || one);
    return edits;
  }

  async sendEdits(edits) {
    const body = {
      edits: edits.map((one) => {
        const sent = { id: one.id, do: one.do, kind: one.kind };
        ['record', 'value', 'basedOn'].forEach((name) => {
          if (one[name] !== undefined && one[name] !== null) sent[name] = one[name];
        });
        return sent;
      }),
    };
    const path = sitePath(this.site, 'draft', 'edits');
    const answer = await ask(path, { method: 'POST', body });
    for (let i = 0; i < edits.length; i += 1) {
      const result = answer.results.find((one) => one.id === edits[i].id);
      if (!result) throw new Fault(0);
      if (result.refused) {
        await this.refuse(edits[i], Object.assign({ revision: answer.revision }, result.refused));
      } else await this.done(edits[i], result);
    }
  }

  async sendUndo(edit) {
    const body = { id: edit.id };
    if (edit.revision) body.revision = edit.revision;
    const answer = await ask(sitePath(this.site, 'draft', 'undo'), { method: 'POST', body });
    await this.done(edit, answer || {});
  }

  async done(edit, result) {
    this.own.add(edit.id);
    if (edit.do !== 'undo') this.chains.set(edit.kind + '/' + edit.record, result.revision);
    const waiting = this.ofRecord(edit.kind, edit.record).filter((one) => one.id !== edit.id);
    for (let i = 0; i < waiting.length; i += 1) await this.chain(waiting[i]);
    await this.store.remove(edit.id);
    this.hooks.done(edit, result);
    this.forget(edit);
  }

  async refuse(edit, refusal) {
    const refused = Object.assign({}, edit, { refusal });
    await this.store.put(refused);
    this.edits = this.edits.map((one) => (one.id === edit.id ? refused : one));
    this.hooks.refused(refused);
    this.changed();
  }

  /**
   * An edit after one's own of the same record is based on that, unless somebody else has changed
   * the record before it: then the service has to compare.
   */
  async chain(edit) {
    const revision = this.chains.get(edit.kind + '/' + edit.record);
    if (edit.do === 'undo' || !revision || !(edit.basedOn < revision)) return;
    const since = await this.hooks.journal(edit.basedOn);
    const foreign = since.some((one) => one.kind === edit.kind && one.record === edit.record
      && !this.own.has(one.id) && one.revision <= revision);
    if (foreign) return;
    edit.basedOn = revision;
    await this.store.put(edit);
  }
}
