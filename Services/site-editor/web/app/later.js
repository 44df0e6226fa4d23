// What follows once the search is usable: cards, routes, lists, the dot, and what the phone keeps.

import { address } from './address.js';
import { showCard } from './card-panel.js';
import { showDirectory } from './directory-panel.js';
import { el } from './elements.js';
import { readingForm } from './form-address.js';
import { startOffline } from './offline.js';
import { addPanels, panelOfModule } from './panels.js';
import { ofTab } from './phone.js';
import { startPositions } from './positions.js';
import { startPrinting } from './printing.js';
import { showRoute } from './route-panel.js';

/** What a tab was doing before it was loaded again, and what a link asks it to show. */
function goOn() {
  const modules = [];
  if (ofTab('share')) modules.push('live-sharing.js');
  if (ofTab('pairing')) modules.push('pairing.js');
  if (address().shared) modules.push('looking.js');
  modules.forEach((file) => window.loading.module('/app/' + file, () => null));
}

const ofWay = (panel) => readingForm(panel, showRoute);

const app = addPanels({
  card: showCard, directory: showDirectory, route: ofWay(showRoute),
  free: panelOfModule('free-panel.js'), mine: panelOfModule('mine-panel.js'),
  settings: panelOfModule('settings-panel.js'), ear: ofWay(panelOfModule('by-ear.js')),
  camera: ofWay(panelOfModule('camera-view.js')), live: panelOfModule('live-panel.js'),
  pair: panelOfModule('pair-panel.js'),
  barriers: panelOfModule('staff-barriers.js'),
});
document.head.appendChild(el('link', { rel: 'stylesheet', href: '/app/senses.css' }));
startOffline(app.site);
startPositions(app).catch(() => null);
startPrinting(app);
goOn();
window.loading.whole();
