// The doctor's findings for administrators of all sites: asked for once a minute, and a red banner
// on each screen while something is wrong.

import { go } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask } from '/app/service.js';
import { tn } from '/app/words.js';

const PERIOD_MILLISECONDS = 60000;
/** While the service looks anew, its answer is asked for so often. */
const SOON_MILLISECONDS = 5000;

export class DoctorWatch {
  /** `banner` is the element above the screens. */
  constructor(banner) {
    this.banner = banner;
    this.listeners = [];
    this.findings = null;
    this.wrong = 0;
    this.timer = 0;
    this.look = this.look.bind(this);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.waits) this.look();
    });
  }

  /** Calls `listener(findings, fault)` when there are new ones; gives a function that ends it. */
  on(listener) {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((one) => one !== listener);
    };
  }

  /** Asks for the findings. A hidden page does not ask. */
  async look() {
    clearTimeout(this.timer);
    this.waits = document.hidden;
    if (this.waits) return;
    let pause = PERIOD_MILLISECONDS;
    try {
      this.findings = await ask('/v1/doctor');
      if (this.findings.isRunning) pause = SOON_MILLISECONDS;
      this.fault = null;
    } catch (fault) {
      this.fault = fault;
    }
    this.draw();
    this.listeners.forEach((listener) => listener(this.findings, this.fault));
    clearTimeout(this.timer);
    this.timer = setTimeout(this.look, pause);
  }

  draw() {
    const wrong = this.findings ? this.findings.wrong : 0;
    if (wrong === this.wrong) return;
    this.wrong = wrong;
    document.documentElement.classList.toggle('alarmed', wrong > 0);
    this.banner.hidden = !wrong;
    if (!wrong) {
      fill(this.banner, null);
      return;
    }
    const text = tn('admin.doctor.banner', wrong);
    fill(this.banner, button([icon('warning'), el('span', { text })], () => go({
      screen: 'admin', panel: 'doctor', kind: null, record: null,
    }), { class: 'alarm' }));
    say(text);
  }
}
