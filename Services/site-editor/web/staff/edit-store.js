// The edits that the service has not acknowledged yet, in this browser's own database: a closed tab
// and an hour without a connection lose none. Where a browser refuses that, they are in memory.
//
// Several tabs may have the database open. So each change is a transaction that looks whether the
// edit is still there, and not sent yet.

const NAME = 'whereabouts-staff';
const EDITS = 'edits';

/** The id of an edit: a UUID of chance (RFC 9562, version 4). */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = Array.from(bytes).map((one) => (one + 256).toString(16).slice(1)).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20),
    digits.slice(20)].join('-');
}

function promised(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Opens the store of edits, or one of the same form under another name. `isLasting` says whether it
 * outlives the tab.
 */
export async function openEdits(name) {
  try {
    const opening = window.indexedDB.open(name || NAME, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(EDITS, { keyPath: 'id' });
    };
    return new LastingEdits(await promised(opening));
  } catch (refused) {
    return new PassingEdits();
  }
}

class LastingEdits {
  constructor(database) {
    this.database = database;
    this.isLasting = true;
    // Another tab with a newer version of this page may change the database.
    database.onversionchange = () => database.close();
  }

  /** Runs `work` on the edits in one transaction, which is written when this is done. */
  transaction(mode, work) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(EDITS, mode);
      let result;
      transaction.oncomplete = () => resolve(result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(EDITS), (value) => { result = value; });
    });
  }

  /** All edits of an account at a site, in the order in which they were made. */
  async all(site, account) {
    const edits = await this.transaction('readonly', (store, give) => {
      const request = store.getAll();
      request.onsuccess = () => give(request.result);
    });
    return edits.filter((one) => one.site === site && one.account === account).sort(inOrder);
  }

  put(edit) {
    return this.transaction('readwrite', (store) => store.put(edit));
  }

  remove(id) {
    return this.transaction('readwrite', (store) => store.delete(id));
  }

  /** Puts `edit` in the place of one that was not sent yet; false if that is gone or sent. */
  replace(id, edit) {
    return this.transaction('readwrite', (store, give) => {
      give(false);
      const request = store.get(id);
      request.onsuccess = () => {
        if (!request.result || request.result.isTried) return;
        store.delete(id);
        if (edit) store.put(edit);
        give(true);
      };
    });
  }

  /** Marks edits as sent, before they are; gives those that are still there, as they are now. */
  claim(ids) {
    return this.transaction('readwrite', (store, give) => {
      const found = [];
      give(found);
      ids.forEach((id) => {
        const request = store.get(id);
        request.onsuccess = () => {
          if (!request.result) return;
          const edit = Object.assign(request.result, { isTried: true });
          store.put(edit);
          found.push(edit);
        };
      });
    });
  }
}

/** The same in memory. */
class PassingEdits {
  constructor() {
    this.edits = new Map();
    this.isLasting = false;
  }

  async all(site, account) {
    return Array.from(this.edits.values())
      .filter((one) => one.site === site && one.account === account).sort(inOrder);
  }

  async put(edit) {
    this.edits.set(edit.id, edit);
  }

  async remove(id) {
    this.edits.delete(id);
  }

  async replace(id, edit) {
    const before = this.edits.get(id);
    if (!before || before.isTried) return false;
    this.edits.delete(id);
    if (edit) this.edits.set(edit.id, edit);
    return true;
  }

  async claim(ids) {
    const found = ids.map((id) => this.edits.get(id)).filter(Boolean);
    return found.map((one) => {
      const edit = Object.assign({}, one, { isTried: true });
      this.edits.set(edit.id, edit);
      return edit;
    });
  }
}

function inOrder(one, other) {
  return one.madeAt - other.madeAt || one.number - other.number;
}
