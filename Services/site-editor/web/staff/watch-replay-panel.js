// The replay: any past hour with a slider, at several speeds.

import { address, go } from '/app/address.js';
import { say } from '/app/announcing.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query } from '/app/service.js';
import { number, t } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { DeviceList } from './watch-list.js';
import { Replay } from './watch-replay.js';
import { HOUR_MILLISECONDS, clockText, fieldOf, instantOf } from './watch-times.js';

const SPEEDS = [1, 2, 5, 10, 30, 60];
const DRAW_MILLISECONDS = 1000;
const WAIT_MILLISECONDS = 300;
/** So much of the replay is asked for before it plays: some seconds of the reader's. */
const AHEAD_SECONDS = 4;
const LEAST_AHEAD_MILLISECONDS = 30000;
const MINUTE_MILLISECONDS = 60000;
const REST_MILLISECONDS = 20000;

class ReplayPanel {
  constructor(app) {
    this.app = app;
    const asked = Date.parse(address().time || '');
    const last = Date.now() - MINUTE_MILLISECONDS;
    this.instant = Number.isNaN(asked) ? last - HOUR_MILLISECONDS : Math.min(asked, last);
    this.begin = this.hourOf(this.instant);
    this.speed = 1;
    this.isPlaying = false;
    this.replay = new Replay(app.site, () => this.came());
    this.shown = [];
    this.list = new DeviceList(app, t('watch.panel.replay'), {
      marks: () => this.shown, isNow: () => true, age: () => '', isPast: true,
      explain: (mark) => () => this.explain(mark),
    });
    this.build();
  }

  /** The hour that the slider has: that of an instant, in the reader's own time. */
  hourOf(instant) {
    const date = new Date(instant);
    date.setMinutes(0, 0, 0);
    return date.getTime();
  }

  build() {
    this.field = el('input', {
      id: 'replay-time', type: 'datetime-local', on: {
        change: () => {
          const instant = instantOf(this.field.value);
          if (instant !== null) this.seek(instant, true);
        },
      },
    });
    this.slider = el('input', {
      id: 'replay-slider', type: 'range', min: 0, max: 3599, step: 1,
      'aria-label': t('watch.slider'), on: {
        input: () => this.seek(this.begin + 1000 * Number(this.slider.value), false),
        change: () => this.seek(this.begin + 1000 * Number(this.slider.value), true),
      },
    });
    this.clock = el('output', { class: 'watch-clock', for: 'replay-slider' });
    this.play = button('', () => this.toggle(), { class: 'primary', id: 'replay-play' });
    const speed = el('select', {
      id: 'replay-speed', on: {
        change: () => {
          this.speed = Number(speed.value);
          this.look();
        },
      },
    }, SPEEDS.map((one) => el('option', {
      value: one, text: t('watch.times', { number: number(one) }), selected: one === this.speed,
    })));
    this.waits = el('p', { class: 'quiet', role: 'status' });
    this.fault = el('div', {});
    this.element = [
      el('div', { class: 'field' }, [
        el('label', { for: 'replay-time', text: t('watch.when') }), this.field,
      ]),
      el('div', { class: 'watch-slider' }, [
        button(icon('back'), () => this.seek(this.instant - HOUR_MILLISECONDS, true), {
          class: 'round', 'aria-label': t('watch.hourBefore'), title: t('watch.hourBefore'),
        }),
        this.slider,
        button(icon('next'), () => this.seek(this.instant + HOUR_MILLISECONDS, true), {
          class: 'round', 'aria-label': t('watch.hourAfter'), title: t('watch.hourAfter'),
        }),
      ]),
      el('div', { class: 'watch-play' }, [
        this.play, this.clock,
        el('label', { for: 'replay-speed', text: t('watch.speed') }), speed,
      ]),
      this.waits, this.fault, this.list.element,
    ];
    this.drawPlay();
    this.drawTime();
  }

  drawPlay() {
    fill(this.play, t(this.isPlaying ? 'watch.pause' : 'watch.play'));
  }

  drawTime() {
    const text = clockText(this.instant);
    if (this.clock.textContent !== text) {
      this.clock.textContent = text;
      this.slider.setAttribute('aria-valuetext', text);
    }
    const second = String(Math.floor((this.instant - this.begin) / 1000));
    if (this.slider.value !== second) this.slider.value = second;
    if (this.shownHour !== this.begin || document.activeElement !== this.field) {
      const field = fieldOf(this.instant);
      if (this.field.value !== field) this.field.value = field;
    }
    this.shownHour = this.begin;
  }

  toggle() {
    this.isPlaying = !this.isPlaying;
    this.before = 0;
    this.drawPlay();
    this.look();
    if (!this.isPlaying) this.remember();
  }

  /** Goes to an instant; `rests` if the reader stays there. */
  seek(instant, rests) {
    this.instant = Math.max(0, Math.min(instant, Date.now() - 1000));
    this.begin = this.hourOf(this.instant);
    this.before = 0;
    this.drawTime();
    this.look(true);
    if (rests) {
      this.remember();
      this.list.draw();
    }
  }

  remember() {
    go({ time: new Date(this.instant).toISOString() }, true);
  }

  look(jumped) {
    this.replay.look(this.instant, Math.max(
      LEAST_AHEAD_MILLISECONDS, 1000 * this.speed * AHEAD_SECONDS), jumped === true);
    this.app.map.layer.schedule();
  }

  /** A part has come, or could not be read. */
  came() {
    const { fault } = this.replay;
    fill(this.fault, fault && !this.replay.has(this.instant)
      ? staffFault(fault, () => this.look()) : null);
    this.app.map.layer.schedule();
    this.list.isReading = false;
    if (!this.isPlaying) this.list.draw();
  }

  /** The marks of a frame. */
  step(now) {
    const has = this.replay.has(this.instant);
    if (this.isPlaying) this.advance(now, has);
    if (has) {
      this.shown = this.replay.marks(this.app.glides);
      this.lackedSince = 0;
    } else if (!this.lackedSince) this.lackedSince = now;
    const waits = !has && now - this.lackedSince > WAIT_MILLISECONDS;
    const text = waits ? t('wait.watch') : '';
    if (this.waits.textContent !== text) this.waits.textContent = text;
    return { marks: this.shown, clock: this.instant, more: this.isPlaying || (!has && !waits) };
  }

  /** Time goes on only while it can be shown. */
  advance(now, has) {
    if (this.before && has) {
      const next = this.instant + (now - this.before) * this.speed;
      if (next > Date.now() - 1000) {
        this.isPlaying = false;
        this.drawPlay();
        say(t('watch.atNow'));
      } else {
        this.instant = next;
        if (next >= this.begin + HOUR_MILLISECONDS) this.begin = this.hourOf(next);
      }
      if (!(now - this.lookedAt < 250)) {
        this.lookedAt = now;
        this.look();
        this.drawTime();
      }
    }
    this.before = now;
  }

  /** The position that the device had then, explained. */
  async explain(mark) {
    const half = 500;
    try {
      const found = await ask('/v1/positions' + query({
        site: this.app.site.id, device: mark.id, limit: 10,
        from: new Date(mark.at - half).toISOString(), until: new Date(mark.at + half).toISOString(),
      }));
      const away = (one) => Math.abs(Date.parse(one.at) - mark.at);
      const own = found.sort((one, other) => away(one) - away(other))[0];
      if (own) {
        const time = new Date(this.instant).toISOString();
        go({ panel: 'explain', position: own.id, time });
      } else fill(this.fault, el('p', { class: 'fault', text: t('watch.noPosition') }));
    } catch (fault) {
      fill(this.fault, staffFault(fault, () => this.explain(mark)));
    }
  }
}

/** Shows the replay. */
export function replayPanel(app, focus) {
  const panel = new ReplayPanel(app);
  app.shell.set(panel.element, focus);
  app.find = () => panel.list.input.focus();
  app.deviceChanged = () => panel.list.draw();
  app.namesChanged = () => panel.list.draw();
  window.whereabouts.replay = panel.replay;
  window.whereabouts.replayPanel = panel;
  app.showMarks((now) => panel.step(now));
  const timer = setInterval(() => {
    if (panel.isPlaying) panel.list.draw();
  }, DRAW_MILLISECONDS);
  const forgetting = setInterval(() => {
    panel.replay.forgetNewest(Date.now());
    panel.look();
  }, REST_MILLISECONDS);
  app.leave = () => {
    panel.replay.end();
    clearInterval(timer);
    clearInterval(forgetting);
  };
  if (address().device) app.map.view.following = true;
  panel.look();
}
