// A line in the panel that stays in sight whatever the panel shows: what is shared, or looked at.

import { el, fill } from './elements.js';

let styled = false;

/** The style of these lines, which comes with the first of them. */
export function liveStyle() {
  if (styled) return;
  styled = true;
  document.head.appendChild(el('link', { rel: 'stylesheet', href: '/app/live.css' }));
}

export class LiveBar {
  /** `label` names the line to a screen reader. */
  constructor(shell, label, look) {
    liveStyle();
    this.shell = shell;
    this.element = el('section', {
      class: 'live-bar' + (look ? ' ' + look : ''), 'aria-label': label, hidden: true,
    });
    shell.panel.insertBefore(this.element, shell.content);
  }

  /** Shows these children; none hides the line. */
  show(children) {
    this.element.hidden = !children;
    fill(this.element, children);
    this.shell.laid();
  }
}
