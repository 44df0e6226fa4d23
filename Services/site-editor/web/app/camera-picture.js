// The stage of the camera view: the camera's picture, or a compass, with the arrow over it.

import { turnBetween, turned } from './measuring.js';
import { el, fill } from './elements.js';
import { t } from './words.js';
import { cardName } from './around.js';

// So far to each side the picture of a telephone's main camera reaches, held upright.
const HALF_VIEW = 30;
const MOST_TAGS = 3;

function svg(tag, attributes, children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.keys(attributes).forEach((name) => element.setAttribute(name, attributes[name]));
  (children || []).forEach((child) => element.appendChild(child));
  return element;
}

export class CameraPicture {
  constructor() {
    this.video = el('video', { autoplay: true, playsinline: true, hidden: true });
    this.video.muted = true;
    this.arrow = svg('svg', { viewBox: '-60 -60 120 120', class: 'camera-arrow', role: 'img' }, [
      svg('circle', { r: 56, class: 'arrow-disc' }),
      svg('path', { d: 'M0 -44L30 34L0 18L-30 34Z', class: 'arrow-sign' }),
    ]);
    this.north = svg('g', {}, [
      svg('path', { d: 'M0 -98L6 -84H-6Z', class: 'rose-north' }),
    ]);
    const ticks = [];
    for (let degrees = 0; degrees < 360; degrees += 15) {
      ticks.push(svg('line', {
        y1: -100, y2: degrees % 45 ? -94 : -88, transform: 'rotate(' + degrees + ')',
      }));
    }
    this.rose = svg('svg', {
      viewBox: '-110 -110 220 220', class: 'camera-rose', 'aria-hidden': 'true',
    }, [svg('circle', { r: 106, class: 'rose-disc' }),
      svg('g', { class: 'rose-ticks' }, ticks.concat([this.north]))]);
    this.tags = el('div', { class: 'camera-tags', 'aria-hidden': 'true' });
    this.note = el('p', { class: 'camera-note', hidden: true });
    this.element = el('div', { class: 'stage' }, [
      this.video, this.rose, this.tags, this.arrow, this.note,
    ]);
    this.shownTurn = null;
  }

  /** Opens the camera that looks away from the reader; false if there is none, or it may not. */
  async openCamera() {
    if (!navigator.mediaDevices || !navigator.mediaDevices.getUserMedia) return false;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: false, video: { facingMode: 'environment' },
      });
      if (this.ended) {
        stopTracks(stream);
        return false;
      }
      this.stream = stream;
      this.video.srcObject = stream;
      this.hasPicture = true;
      this.video.hidden = false;
      const playing = this.video.play();
      if (playing) await playing.catch(() => null);
      return true;
    } catch (refused) {
      return false;
    }
  }

  end() {
    this.ended = true;
    if (this.stream) stopTracks(this.stream);
    if (this.element.parentNode) this.element.parentNode.removeChild(this.element);
  }

  /**
   * `heading` is null where the compass is not sure enough: then the plan behind is seen.
   * `bearing` is the direction of the next turn, null without a way.
   */
  draw(shown) {
    const sure = shown.heading !== null;
    const plan = !sure && !shown.waits;
    this.element.classList.toggle('plan', plan);
    this.element.classList.toggle('pictured', Boolean(this.hasPicture) && !plan);
    this.video.hidden = !this.hasPicture || plan;
    this.setShown(this.rose, sure && !this.hasPicture);
    this.setShown(this.arrow, sure && shown.bearing !== null);
    this.note.hidden = !plan && !shown.waits;
    const note = t(shown.waits ? 'camera.waits' : 'camera.plan');
    if (this.note.textContent !== note) this.note.textContent = note;
    if (sure) {
      this.rose.lastChild.style.transform = 'rotate(' + -shown.heading + 'deg)';
      if (shown.bearing !== null) this.point(turnBetween(shown.heading, shown.bearing));
    }
    this.drawTags(sure && this.hasPicture ? shown : null);
  }

  setShown(element, isShown) {
    element.style.display = isShown ? '' : 'none';
  }

  /** Turns the arrow the shorter way round. */
  point(turn) {
    const before = this.shownTurn === null ? turn : this.shownTurn;
    this.shownTurn = before + turnBetween(turned(before), turned(turn));
    this.arrow.style.transform = 'rotate(' + this.shownTurn.toFixed(2) + 'deg)';
    this.arrow.setAttribute('data-turn', turn.toFixed(2));
    const key = Math.abs(turn) < 15 ? 'camera.ahead' : turn > 0 ? 'camera.right' : 'camera.left';
    const label = t(key, { degrees: Math.round(Math.abs(turn) / 5) * 5 });
    if (this.arrow.getAttribute('aria-label') !== label) {
      this.arrow.setAttribute('aria-label', label);
    }
  }

  /** The names of rooms that the picture shows, each where it is; one above the other. */
  drawTags(shown) {
    const seen = !shown ? [] : shown.rooms.map((card) => ({
      card, turn: turnBetween(shown.heading, card.bearingDegrees),
    })).filter((one) => Math.abs(one.turn) < HALF_VIEW && one.card.distanceMetres >= 0.5)
      .slice(0, MOST_TAGS);
    const key = seen.map((one) => one.card.room).join('|');
    if (key !== this.tagged) {
      this.tagged = key;
      fill(this.tags, seen.map((one) => el('span', { text: cardName(one.card) })));
    }
    seen.forEach((one, index) => {
      const tag = this.tags.children[index];
      // A name at the edge stays readable: it takes up to 44 % of the width.
      tag.style.left = 50 + Math.max(-27, Math.min(27, (one.turn / HALF_VIEW) * 45)) + '%';
      tag.style.top = 16 + index * 44 + 'px';
    });
  }
}

function stopTracks(stream) {
  stream.getTracks().forEach((track) => track.stop());
}
