// Which panel the address asks for: a route, a card, a list, or the first one.

import { address, onAddress, show } from './address.js';
import { SearchBox } from './search-box.js';
import { button, fill } from './elements.js';
import { icon } from './icons.js';
import { showHome } from './home-panel.js';
import { showCard } from './card-panel.js';
import { showDirectory } from './directory-panel.js';
import { showRoute } from './route-panel.js';
import { showSettings } from './settings-panel.js';
import { showMine } from './mine-panel.js';
import { showFree } from './free-panel.js';
import { t } from './words.js';

const PANELS = {
  directory: showDirectory, settings: showSettings, mine: showMine, free: showFree,
};

/** Starts the panels and the search above them. */
export function startPanels(shell, site) {
  const app = { shell, site, view: null, leave: null };
  shell.app = app;
  const box = new SearchBox(site, {
    label: t('search'), choose: (place) => show(cardOf(place)), clear: () => show({}),
  });
  app.box = box;
  const menu = button(icon('menu'), () => show({ panel: 'settings' }), {
    class: 'round', 'aria-label': t('settings'), title: t('settings'),
  });
  fill(shell.search, [box.element, menu]);
  onAddress((now, before) => {
    if (onlyFloor(now, before)) return;
    render(app, true);
  });
  app.render = (focus) => render(app, focus);
  render(app, false);
}

/** The members of the address for a place that was found. */
export function cardOf(place) {
  if (place.kind === 'room') return { room: place.id };
  if (place.kind === 'directory') return { entry: place.id };
  if (place.kind === 'building') return { building: place.id };
  if (place.kind === 'floor') return { floor: place.id };
  return { point: place.kind + ':' + place.id };
}

function onlyFloor(now, before) {
  const without = (state) => JSON.stringify(Object.assign({}, state, { floor: undefined }));
  return without(now) === without(before);
}

/** Draws the panel of the address; `focus` follows what the reader did. */
function render(app, focus) {
  const now = address();
  if (app.leave) app.leave();
  app.leave = null;
  const panel = PANELS[now.panel];
  if (now.from || now.to) showRoute(app, focus);
  else if (now.room || now.entry || now.building || now.point) showCard(app, focus);
  else if (panel) panel(app, focus);
  else showHome(app, focus);
}
