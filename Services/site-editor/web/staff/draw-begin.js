// A site that is not there yet: who may make it does so here, and goes on to its first building.

import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, sitePath } from '/app/service.js';
import { t } from '/app/words.js';
import { staffFault } from './staff-faults.js';

/** Offers to make the site; then the page opens anew with the panel Draw. */
export function offerSite(shell, id) {
  const make = async () => {
    // Its name is that of its first building, and its place comes with that.
    const body = {
      name: '', origin: { latitude: 0, longitude: 0 }, bearingDegrees: 0, buildings: [],
      floors: [], rooms: [], locations: [],
    };
    shell.waiting(t('wait.site'));
    try {
      await ask(sitePath(id), { method: 'PUT', body });
    } catch (fault) {
      shell.set(staffFault(fault, make), true);
      return;
    }
    location.assign(location.pathname + '?panel=draw');
  };
  shell.set([
    el('h1', { text: t('panel.draw') }), el('p', { text: t('draw.newSite', { site: id }) }),
    el('div', { class: 'actions' }, button([
      icon('building'), el('span', { text: t('draw.makeSite') }),
    ], make, { class: 'primary' })),
  ]);
  document.documentElement.classList.add('ready');
}
