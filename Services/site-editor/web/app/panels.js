// Which panel the address asks for: a route, a card, a list, or the first one.

import { address, onAddress, show } from './address.js';
import { SearchBox } from './search-box.js';
import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { showHome } from './home-panel.js';
import { Fault } from './service.js';
import { t } from './words.js';

const panels = {};
let started = null;

/** Adds panels by name: those that come after the first view. Gives the app. */
export function addPanels(more) {
  Object.assign(panels, more);
  if (started && started.waits) started.render(started.focuses === true);
  return started;
}

/**
 * Asks for all that follows once a search can be typed: the map, and from there the other panels.
 * The page names the modules. Otherwise each would wait for the one that imports it.
 */
export function readFollowing() {
  const names = document.body.getAttribute('data-following') || '';
  names.split(' ').filter(Boolean).forEach((name) => {
    document.head.appendChild(el('link', { rel: 'modulepreload', href: '/app/' + name + '.js' }));
  });
  follow('starting-map.js');
}

/** The map's module is here: the map starts with the site, and the other panels are asked for. */
export function mapArrived(startMap) {
  const { shell, site } = started;
  site.known.then(() => startMap(shell, site), () => null);
  follow('later.js');
}

function follow(file) {
  const app = started;
  window.loading.module('/app/' + file, () => {
    app.lacksPanels = true;
    // The address holds all that is shown, but not what somebody is typing.
    if (app.waits || !app.box.input.value) startAgain(app);
  });
}

/** Loads the page again, or says that files of it do not arrive. */
function startAgain(app) {
  if (!window.loading.again()) app.shell.failed(new Fault(0), () => location.reload());
}

/** A panel whose module is asked for when it is first shown; the module adds the panel itself. */
export function panelOfModule(file) {
  let asked = false;
  return (app, focus) => {
    app.waits = true;
    app.focuses = focus;
    app.shell.waiting(t('wait.site'));
    if (asked) return;
    asked = true;
    window.loading.module('/app/' + file, () => {
      asked = false;
      if (app.waits) app.shell.failed(new Fault(0), () => location.reload());
    });
  };
}

/** Starts the panels and the search above them. */
export function startPanels(shell, site) {
  const app = { shell, site, view: null, leave: null };
  // Done with null when the map shows its first floor, or with why it shows none.
  app.firstFloor = new Promise((done) => { app.mapShows = done; });
  shell.app = app;
  const box = new SearchBox(site, {
    label: t('search'), choose: (place) => show(cardOf(place)), clear: () => show({}),
    nearest: true,
  });
  app.box = box;
  const settings = button(icon('settings'), () => show({ panel: 'settings' }), {
    class: 'round', 'aria-label': t('settings'), title: t('settings'),
  });
  fill(shell.search, [box.element, settings]);
  onAddress((now, before) => {
    if (sameThing(now, before)) return;
    render(app, true);
  });
  app.render = (focus) => render(app, focus);
  started = app;
  render(app, false);
}

/** The members of the address for a place that was found. */
export function cardOf(place) {
  if (place.kind === 'kind') {
    return { from: address().kiosk || 'here', to: 'kind:' + place.id };
  }
  if (place.kind === 'room') return { room: place.id };
  if (place.kind === 'directory') return { entry: place.id };
  if (place.kind === 'building') return { building: place.id };
  if (place.kind === 'floor') return { floor: place.id };
  return { point: place.kind + ':' + place.id };
}

/** Whether only the floor or the profile is another one: the panel that is shown sees to that. */
function sameThing(now, before) {
  const other = { floor: undefined, profile: undefined };
  const without = (state) => JSON.stringify(Object.assign({}, state, other));
  return without(now) === without(before);
}

/** Draws the panel of the address; `focus` follows what the reader did. */
function render(app, focus) {
  const now = address();
  if (app.leave) app.leave();
  app.leave = null;
  const name = panelOf(now);
  app.waits = Boolean(name) && !panels[name];
  if (!name) showHome(app, focus);
  else if (panels[name]) open(app, name, focus);
  else {
    app.shell.waiting(t('wait.site'));
    if (app.lacksPanels) startAgain(app);
  }
}

/** Opens a panel once the site is known. A panel that fails says so: else the page would wait. */
async function open(app, name, focus) {
  try {
    await app.site.known;
  } catch (fault) {
    return; // The page says already that the site can't be read.
  }
  const asked = address();
  try {
    await panels[name](app, focus);
  } catch (fault) {
    if (!(fault instanceof Fault)) console.error(fault);
    if (address() === asked) app.shell.failed(fault, () => render(app, true));
  }
}

/** The name of the panel that the address asks for; empty for the first one. */
function panelOf(now) {
  if (['ear', 'camera', 'live', 'pair'].indexOf(now.panel) >= 0) return now.panel;
  if (now.from || now.to) return 'route';
  if (now.room || now.entry || now.building || now.point) return 'card';
  const lists = ['directory', 'settings', 'mine', 'free', 'barriers'];
  return lists.indexOf(now.panel) >= 0 ? now.panel : '';
}
