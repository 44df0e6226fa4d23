// The frame of the app: the map behind, search above, and one panel of content.

import { address } from './address.js';
import { say } from './announcing.js';
import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { faultElement, showWaitsIn } from './waiting.js';
import { onReachable } from './service.js';
import { t } from './words.js';

const WIDE = window.matchMedia('(min-width: 46rem)');

/** Calls `swiped(upwards)` when a finger moves over an element, up or down. */
function swipes(element, swiped) {
  let begin = null;
  element.addEventListener('touchstart', (event) => {
    begin = event.touches[0].clientY;
  }, { passive: true });
  element.addEventListener('touchend', (event) => {
    const way = event.changedTouches[0].clientY - begin;
    if (Math.abs(way) < 24) return;
    event.preventDefault();
    swiped(way < 0);
  });
}

export class Shell {
  constructor(page) {
    document.documentElement.classList.add('app');
    if (address().embed) document.documentElement.classList.add('embed');
    if (address().kiosk) document.documentElement.classList.add('kiosk');
    this.map = el('div', {
      class: 'map', id: 'map', role: 'region', tabindex: '0', dir: 'ltr', 'aria-label': t('map'),
    });
    this.search = el('div', { class: 'search', role: 'search' });
    this.content = el('div', { class: 'content', id: 'content', tabindex: '-1' });
    this.handle = button(el('span', { class: 'grip' }), () => this.toggle(), {
      class: 'handle', 'aria-expanded': 'true', 'aria-controls': 'content',
      'aria-label': t('panel.toggle'),
    });
    this.panel = el('section', { class: 'panel', 'aria-label': t('panel') }, [
      this.handle, this.content,
    ]);
    swipes(this.handle, (upwards) => this.swiped(upwards));
    this.waits = el('div', { class: 'waits', hidden: true });
    this.notice = el('div', { class: 'notice', hidden: true });
    this.tools = el('div', { class: 'tools' });
    this.skip = el('a', { class: 'skip', href: '#content', text: t('skip') });
    fill(page, [
      this.skip, el('div', { class: 'side' }, [this.search, this.panel]), this.tools, this.map,
      this.waits, this.notice,
    ]);
    showWaitsIn(this.waits);
    onReachable((reachable) => this.tellReachable(reachable));
    if (typeof ResizeObserver === 'function') {
      new ResizeObserver(() => this.laid()).observe(this.panel);
    }
    window.addEventListener('resize', () => this.laid());
    this.onLaid = null;
  }

  /** Keeps the tools of the map above the panel. */
  laid() {
    const height = WIDE.matches ? 0 : this.panel.offsetHeight;
    document.documentElement.style.setProperty('--panel-height', height + 'px');
    if (this.onLaid) this.onLaid();
  }

  /** What covers the map, in pixels of each side. */
  insets() {
    if (document.documentElement.classList.contains('printing')) {
      return { left: 0, right: 0, top: 0, bottom: 0 };
    }
    const sheet = WIDE.matches ? 0 : Math.min(this.panel.offsetHeight, window.innerHeight * 0.6);
    const side = WIDE.matches ? this.panel.offsetWidth + 14 : 0;
    const fromRight = document.documentElement.dir === 'rtl';
    return {
      left: fromRight ? 56 : side, right: fromRight ? side : 56,
      top: WIDE.matches ? 8 : 64, bottom: sheet,
    };
  }

  /** A swipe up makes the panel taller, one down lower. */
  swiped(upwards) {
    const low = this.panel.classList.contains('low');
    const tall = this.panel.classList.contains('tall');
    this.panel.classList.toggle('tall', upwards && !low);
    this.toggle(upwards || tall);
  }

  toggle(open) {
    const wanted = open === undefined ? this.panel.classList.contains('low') : open;
    this.panel.classList.toggle('low', !wanted);
    this.handle.setAttribute('aria-expanded', String(wanted));
    this.laid();
  }

  /** Replaces the content of the panel; `focus` moves the keyboard there. */
  set(children, focus) {
    fill(this.content, children);
    this.content.scrollTop = 0;
    this.panel.classList.remove('tall');
    this.toggle(true);
    if (focus) {
      const heading = this.content.querySelector('h1, h2');
      const target = heading || this.content;
      target.setAttribute('tabindex', '-1');
      target.focus({ preventScroll: true });
    }
  }

  waiting(text) {
    this.set(el('p', { class: 'quiet pad', text }));
  }

  failed(fault, again) {
    this.set(faultElement(fault, again));
  }

  tellReachable(reachable) {
    this.notice.hidden = reachable;
    if (!reachable) say(t('fault.offline'));
    const text = el('span', { text: t('fault.offline') });
    fill(this.notice, reachable ? null : [icon('warning'), text]);
  }

  /** The head of a panel: a name with a line below, a further button, and one that closes it. */
  head(title, close, line, more) {
    return el('header', { class: 'head' }, [
      el('div', {}, [
        el('h1', { text: title }), line ? el('p', { class: 'quiet', text: line }) : null,
      ]),
      more || null,
      close ? button(icon('close'), close, { class: 'round', 'aria-label': t('close') }) : null,
    ]);
  }
}
