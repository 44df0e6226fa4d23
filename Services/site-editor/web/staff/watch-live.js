// The live positions of a site: the newest of each device, and then each as it comes.

import { Fault, ask, query } from '/app/service.js';
import { FRESH_MILLISECONDS } from './watch-devices.js';

const PAGE = 2000;
const MOST_PAGES = 10;
const POLL_MILLISECONDS = 2000;
const MOST_PAUSE_MILLISECONDS = 30000;
// Erased devices are noticed by reading all again.
const AGAIN_MILLISECONDS = 120000;

export class Live {
  /**
   * `took` gets each position, `counted` the ids of all devices and when they were asked for,
   * `changed` the state: waiting, live, polling or away.
   */
  constructor(site, took, counted, changed) {
    this.site = site;
    this.took = took;
    this.counted = counted;
    this.changed = changed;
    this.state = 'waiting';
    this.pause = POLL_MILLISECONDS;
    this.isOver = false;
  }

  /** Begins; failures of the first reading are thrown. */
  async start() {
    this.follow();
    await this.readLatest();
    this.rereading = setInterval(() => {
      if (this.state === 'live') this.readLatest().catch(() => null);
    }, AGAIN_MILLISECONDS);
  }

  /** The newest position of each device, page by page. */
  async readLatest() {
    let after = '';
    const begun = Date.now();
    const ids = new Set();
    for (let page = 0; page < MOST_PAGES && !this.isOver; page += 1) {
      const answer = await ask('/v1/positions/latest' + query({
        site: this.site.id, limit: PAGE, after,
      }));
      (answer.positions || []).forEach((position) => {
        ids.add(position.device);
        this.take(position);
      });
      after = answer.next;
      if (!after) {
        if (!this.isOver) this.counted(ids, begun);
        return;
      }
    }
  }

  take(position) {
    if (!this.isOver && position && typeof position.device === 'string') this.took(position);
  }

  /** The stream goes on by itself after a fault of the network, from where it was. */
  follow() {
    if (this.isOver) return;
    const source = new EventSource('/v1/positions/stream' + query({ site: this.site.id }));
    this.source = source;
    source.addEventListener('open', () => {
      this.pause = POLL_MILLISECONDS;
      this.tell('live');
    });
    source.addEventListener('position', (event) => {
      let position = null;
      try {
        position = JSON.parse(event.data);
      } catch (failure) {
        return;
      }
      this.take(position);
    });
    source.addEventListener('error', () => {
      // A closed one was refused: the role may not follow all, or there are too many streams.
      if (source.readyState === EventSource.CLOSED) this.poll();
      else this.tell('away');
    });
  }

  /** Without the stream the newest positions are asked for. */
  async poll() {
    if (this.isOver) return;
    try {
      await this.readLatest();
      this.pause = POLL_MILLISECONDS;
      this.tell('polling');
    } catch (fault) {
      this.pause = Math.min(MOST_PAUSE_MILLISECONDS, 2 * this.pause);
      this.tell('away');
      if (fault instanceof Fault && (fault.status === 401 || fault.status === 403)) return;
    }
    if (!this.isOver) this.timer = setTimeout(() => this.poll(), this.pause);
  }

  tell(state) {
    if (this.state === state || this.isOver) return;
    this.state = state;
    this.changed(state);
  }

  end() {
    this.isOver = true;
    clearTimeout(this.timer);
    clearInterval(this.rereading);
    if (this.source) this.source.close();
  }
}

/** Whether a mark has a position of the last minute. */
export function isFresh(mark, clock) {
  return clock - mark.at < FRESH_MILLISECONDS;
}
