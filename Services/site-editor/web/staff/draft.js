// The draft as this page knows it: records that were read, what waits to be sent, and who changed
// what. Everybody's edits come by the stream, one's own too.

import { ask, query, sitePath } from '/app/service.js';
import { EditQueue } from './edit-queue.js';
import { changedBy } from './merge-patch.js';
import { READ_KINDS } from './record-kinds.js';

const PAGE = 2000;
const MOST_JOURNAL = 300;
const MOST_EDITS = 1000;
// Without a stream the edits are asked for so often.
const POLL_MILLISECONDS = 5000;

export class Draft {
  /** `rights` are those of who is signed in, `account` the id. */
  constructor(site, account, rights) {
    this.site = site;
    this.account = account;
    this.rights = rights;
    this.revision = 0;
    this.lists = new Map();
    this.revisions = new Map();
    this.journal = [];
    this.listeners = [];
    this.undone = [];
    /** One's own edits of this page, newest last: each with how many are undone as one. */
    this.steps = [];
    this.queue = new EditQueue(site.id, account, {
      changed: () => this.tell('queue'),
      done: (edit, result) => this.done(edit, result),
      refused: (edit) => {
        this.leaveStep(edit);
        this.tell('refused', edit);
      },
      journal: (after) => this.edits(after),
    });
  }

  /** Calls `listener(what, value)`: queue, refused, record, page, journal or undone. */
  on(listener) {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((one) => one !== listener);
    };
  }

  tell(what, value) {
    this.listeners.forEach((listener) => listener(what, value));
  }

  /** Reads the newest edits, and listens for those that come. */
  async start() {
    await this.readRevision();
    await this.queue.start();
    this.follow();
  }

  async readRevision() {
    const members = query({ version: 'draft', limit: 1 });
    const answer = await ask(sitePath(this.site.id, 'floors') + members);
    this.revision = answer.revision || 0;
  }

  /** Reads who changed what until now, and listens for what comes. */
  async follow() {
    try {
      const after = Math.max(0, this.revision - MOST_JOURNAL);
      this.arrived(await this.edits(after).catch((fault) => {
        // The oldest edits are gone: what is left begins later.
        if (fault.status === 410) return this.edits();
        throw fault;
      }), true);
      this.listen();
    } catch (fault) {
      this.poll();
    }
  }

  // MARK: Records

  /** What was read of a kind. */
  listOf(kind) {
    if (!this.lists.has(kind)) {
      this.lists.set(kind, { records: new Map(), isComplete: false, reading: null });
    }
    return this.lists.get(kind);
  }

  /** All records of a kind, read once; `record` is told as pages come. */
  read(kind) {
    const list = this.listOf(kind);
    if (!list.reading) {
      list.reading = this.readPages(kind, list).catch((fault) => {
        list.reading = null;
        throw fault;
      });
    }
    return list.reading;
  }

  async readPages(kind, list) {
    let after = '';
    do {
      const members = query({ version: 'draft', limit: PAGE, after });
      const answer = await ask(sitePath(this.site.id, kind) + members);
      const { revision } = answer;
      answer[READ_KINDS[kind].list].forEach((one) => this.took(kind, list, one, revision));
      after = answer.next;
      this.tell('page', kind);
    } while (after);
    list.isComplete = true;
    return list.records;
  }

  /** Keeps a record, unless a newer one came while it was read. */
  took(kind, list, record, revision) {
    const key = kind + '/' + record.id;
    const known = this.revisions.get(key);
    if (known !== undefined && known > revision) return;
    list.records.set(record.id, record);
    this.revisions.set(key, revision || 0);
  }

  /** The record as the service has it; null if it is not read, or gone. */
  stored(kind, id) {
    return this.listOf(kind).records.get(id) || null;
  }

  /** The record with the edits that wait; null where it is none, or one of them removes it. */
  shown(kind, id) {
    return this.queue.ofRecord(kind, id).reduce(changedBy, this.stored(kind, id));
  }

  /** All records of a kind that were read, as they are shown, and those that wait to be made. */
  all(kind) {
    const { records } = this.listOf(kind);
    const touched = new Set(this.queue.waiting().filter((one) => one.kind === kind)
      .map((one) => one.record));
    const made = Array.from(touched).filter((id) => !records.has(id));
    return Array.from(records.values()).map((record) => (
      touched.has(record.id) ? this.shown(kind, record.id) : record))
      .concat(made.map((id) => this.shown(kind, id))).filter(Boolean);
  }

  /** Reads one record again, as after an edit; it is gone if the service has none. */
  async readOne(kind, id) {
    const list = this.listOf(kind);
    const key = kind + '/' + id;
    const least = this.revision;
    try {
      const path = sitePath(this.site.id, kind, id) + query({ version: 'draft' });
      const record = await ask(path);
      list.records.set(id, record);
      this.revisions.set(key, Math.max(least, this.revisions.get(key) || 0));
      return record;
    } catch (fault) {
      if (fault.status !== 404) throw fault;
      list.records.delete(id);
      return null;
    }
  }

  /** Where a record is on the earth, as the service converts it; null where it is nowhere. */
  async placed(kind, id) {
    const members = query({ version: 'draft', coordinates: 'wgs84' });
    return ask(sitePath(this.site.id, kind, id) + members).catch(() => null);
  }

  // MARK: Edits

  /** Keeps and sends a patch of a record; `basedOn` is the revision at which it was read. */
  patch(kind, record, value, basedOn, name) {
    return this.edit({ do: 'patch', kind, record, value, basedOn, name });
  }

  /**
   * Keeps and sends an edit: do, kind, record, value and name. Edits of one `group` are undone as
   * one. Without basedOn it counts as based on what was read.
   */
  async edit(wish) {
    const { kind, record } = wish;
    this.undone = [];
    const edit = await this.queue.add(Object.assign({
      basedOn: this.revisionOf(kind, record), base: this.stored(kind, record),
    }, wish));
    if (!edit.isCombined) this.noteStep(edit);
    this.tell('record', { kind, record });
    return edit;
  }

  noteStep(edit) {
    const id = edit.group || edit.id;
    const last = this.steps[this.steps.length - 1];
    if (last && last.id === id) last.count += 1;
    else this.steps.push({ id, count: 1 });
  }

  /** The edit is no step any more: it was refused or taken back. */
  leaveStep(edit) {
    const step = this.steps.find((one) => one.id === (edit.group || edit.id));
    if (!step) return;
    step.count -= 1;
    if (!step.count) this.steps = this.steps.filter((one) => one !== step);
  }

  /** The revision at which a record was read. */
  revisionOf(kind, id) {
    const known = this.revisions.get(kind + '/' + id);
    return known === undefined ? this.revision : known;
  }

  /** Takes back what was not sent yet, else undoes one's own newest step. */
  async undo() {
    const step = this.steps[this.steps.length - 1] || { count: 1 };
    for (let left = step.count; left > 0; left -= 1) {
      const last = await this.queue.takeBack();
      if (!last) {
        this.steps = this.steps.filter((one) => one !== step);
        for (; left > 0; left -= 1) await this.queue.add({ do: 'undo', group: step.id });
        return;
      }
      this.leaveStep(last);
      this.undone.push({ edit: last, group: last.group });
      this.tell('record', last);
      if (left === 1) this.tell('undone', { edit: last });
    }
  }

  /** Undoes one edit of the list of changes. */
  async undoOf(revision) {
    await this.queue.add({ do: 'undo', revision });
  }

  /** Does again what was undone last: all edits of its group. */
  async redo() {
    const { undone } = this;
    const { group } = undone[undone.length - 1] || {};
    do {
      const last = undone.pop();
      if (!last) return;
      if (last.edit) {
        const { kind, record, value, basedOn, base, name } = last.edit;
        const again = { do: last.edit.do, kind, record, value, basedOn, base, name, group };
        this.noteStep(await this.queue.add(again));
        this.tell('record', last.edit);
      } else {
        const again = { do: 'undo', revision: last.revision, isRedo: true, group };
        this.noteStep(await this.queue.add(again));
      }
    } while (group && undone.length && undone[undone.length - 1].group === group);
    this.tell('queue');
  }

  done(edit, result) {
    if (result.revision) this.revision = Math.max(this.revision, result.revision);
    if (edit.do === 'undo') {
      if (!edit.isRedo && result.revision) {
        this.undone.push({ revision: result.revision, group: edit.group });
      }
      this.tell('undone', edit);
      return;
    }
    const { records } = this.listOf(edit.kind);
    if (edit.do === 'remove') records.delete(edit.record);
    const known = records.get(edit.record);
    if (!known && edit.do === 'patch') return;
    const now = changedBy(known || null, edit);
    if (now) records.set(edit.record, now);
    else records.delete(edit.record);
    if (!known) this.revisions.set(edit.kind + '/' + edit.record, result.revision || 0);
    this.tell('record', edit);
  }

  // MARK: Who changed what

  /** The edits after a revision, oldest first. */
  async edits(after) {
    const path = sitePath(this.site.id, 'draft', 'edits');
    let edits = [];
    let next = after;
    do {
      const answer = await ask(path + query({ after: next, limit: MOST_EDITS }));
      edits = edits.concat(answer.edits);
      next = answer.next;
    } while (next);
    return edits;
  }

  /** Whether who is signed in made an edit. */
  isOwn(edit) {
    const id = edit.by && edit.by.id;
    return id === this.account || id === 'account/' + this.account;
  }

  listen() {
    const path = sitePath(this.site.id, 'draft', 'edits', 'stream');
    const stream = new EventSource(path + query({ after: this.revision }));
    this.stream = stream;
    const take = (event) => {
      const edit = JSON.parse(event.data);
      this.arrived([edit]);
    };
    ['message', 'edit'].forEach((name) => stream.addEventListener(name, take));
    stream.onopen = () => {
      this.queue.send();
    };
    stream.onerror = () => {
      // The browser tries again by itself, unless the service has refused.
      if (stream.readyState === EventSource.CLOSED) this.poll();
    };
  }

  poll() {
    clearTimeout(this.polling);
    this.polling = setTimeout(async () => {
      try {
        this.arrived(await this.edits(this.revision));
        this.listen();
      } catch (fault) {
        if (fault.status === 410) this.beginAnew();
        else {
          if (fault.status === 401 || fault.status === 403) this.queue.noteSession();
          this.poll();
        }
      }
    }, POLL_MILLISECONDS);
  }

  /** The draft was restored, or has moved on by more edits than are kept: all is read again. */
  async beginAnew() {
    this.journal = [];
    this.revisions.clear();
    this.lists.clear();
    try {
      await this.readRevision();
    } catch (fault) {
      this.poll();
      return;
    }
    this.tell('record', { kind: '', record: '', isForeign: true });
    this.follow();
  }

  /** Edits have come: their records are read again if they were read before. */
  arrived(edits, quiet) {
    const fresh = edits.filter((one) => !this.journal.some((old) => old.revision === one.revision));
    if (!fresh.length) return;
    this.journal = this.journal.concat(fresh)
      .sort((one, other) => one.revision - other.revision).slice(-MOST_JOURNAL);
    const newest = this.journal[this.journal.length - 1].revision;
    this.revision = Math.max(this.revision, newest);
    this.tell('journal', { edits: fresh, quiet });
    if (!quiet) this.readAgain(fresh);
  }

  async readAgain(edits) {
    const keys = new Set([].concat(...edits.map((one) => {
      const changed = one.changed || [one];
      // Of an import not all are listed.
      const whole = one.changedCount > changed.length ? [{ kind: '', record: '' }] : [];
      return changed.concat(whole).map((thing) => thing.kind + '/' + (thing.record || ''));
    })));
    await Promise.all(Array.from(keys).map(async (key) => {
      const kind = key.slice(0, key.indexOf('/'));
      const record = key.slice(kind.length + 1);
      if (!(kind in READ_KINDS) || !record) {
        // After an import all that was read is old.
        if (!kind) this.lists.clear();
      } else if (this.listOf(kind).reading || this.stored(kind, record)) {
        await this.readOne(kind, record).catch(() => null);
      }
      this.tell('record', { kind, record, isForeign: true });
    }));
  }

  /** The revisions of edits that are undone. An undo that is undone itself undoes nothing. */
  undoneRevisions() {
    const undone = new Set();
    this.journal.slice().reverse().forEach((edit) => {
      if (edit.undoes && !undone.has(edit.revision)) undone.add(edit.undoes);
    });
    return undone;
  }

  /** Whether an edit undoes an undo. */
  isRedo(edit) {
    const before = edit.undoes && this.journal.find((one) => one.revision === edit.undoes);
    return Boolean(before && before.undoes && !this.isRedo(before));
  }
}
