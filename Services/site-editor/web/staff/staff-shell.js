// The frame of the staff's app: a head with the site, the screens and who is signed in; the panel
// beside the map, or over it on a telephone.

import { address, go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { Shell } from '/app/shell.js';
import { t } from '/app/words.js';

const WIDE = window.matchMedia('(min-width: 46rem)');

export class StaffShell extends Shell {
  /** `screens` are the names of the tabs, `person` the name of who is signed in. */
  constructor(page, screens, person) {
    super(page);
    document.documentElement.classList.add('staff');
    this.search.parentNode.removeChild(this.search);
    this.name = el('strong', { class: 'staff-name' });
    this.screens = screens;
    this.tabs = el('nav', { class: 'staff-tabs', 'aria-label': t('staff.screens') });
    const me = button([icon('person'), el('span', { text: person })], () => go({
      panel: 'me', kind: null, record: null,
    }), { class: 'staff-person', 'aria-label': t('staff.signedIn', { name: person }) });
    this.top = el('header', { class: 'staff-head' }, [
      el('div', { class: 'staff-site' }, [this.name, el('small', { text: t('staff.app') })]),
      this.tabs, me,
    ]);
    page.insertBefore(this.top, this.skip.nextSibling);
    /** What stays above the content of the panel, whatever that shows. */
    this.bar = el('div', { class: 'staff-bar' });
    this.panel.insertBefore(this.bar, this.content);
    this.drawTabs();
  }

  nameSite(name) {
    this.name.textContent = name;
    document.title = t('staff.title', { site: name });
  }

  drawTabs() {
    const asked = address().screen;
    const now = this.screens.indexOf(asked) >= 0 ? asked : this.screens[0];
    fill(this.tabs, this.screens.map((screen) => el('a', {
      href: '?screen=' + screen, text: t('screen.' + screen),
      'aria-current': screen === now ? 'page' : null,
      on: {
        click: (event) => {
          event.preventDefault();
          go({ screen, panel: null, kind: null, record: null });
        },
      },
    })));
  }

  insets() {
    const inset = super.insets();
    return Object.assign(inset, { top: WIDE.matches ? 8 : 12 });
  }
}
