// Which panel the address asks for: a route, a card, a list, or the first one.

import { address, onAddress, show } from './address.js';
import { SearchBox } from './search-box.js';
import { button, el, fill } from './elements.js';
import { icon } from './icons.js';
import { showHome } from './home-panel.js';
import { t } from './words.js';

const panels = {};
let started = null;

/** Adds panels by name: those that come after the first view. Gives the app. */
export function addPanels(more) {
  Object.assign(panels, more);
  if (started && started.waits) started.render(started.focuses === true);
  return started;
}

/** Asks for the module with all other panels, once the first view is usable. */
function readLater() {
  document.head.appendChild(el('script', { type: 'module', src: '/app/later.js' }));
}

/** A panel whose module is asked for when it is first shown; the module adds the panel itself. */
export function panelOfModule(name, file) {
  let script = null;
  return (app, focus) => {
    app.waits = true;
    app.focuses = focus;
    app.shell.waiting(t('wait.site'));
    if (script) return;
    script = el('script', { type: 'module', src: '/app/' + file, on: {
      error: () => {
        script = null;
        app.shell.failed({ status: 0 }, () => panels[name](app, true));
      },
    } });
    document.head.appendChild(script);
  };
}

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
    if (sameThing(now, before)) return;
    render(app, true);
  });
  app.render = (focus) => render(app, focus);
  started = app;
  render(app, false);
  readLater();
}

/** The members of the address for a place that was found. */
export function cardOf(place) {
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
  else if (panels[name]) app.site.known.then(() => panels[name](app, focus), () => null);
  else app.shell.waiting(t('wait.site'));
}

/** The name of the panel that the address asks for; empty for the first one. */
function panelOf(now) {
  if (now.panel === 'ear' || now.panel === 'camera') return now.panel;
  if (now.from || now.to) return 'route';
  if (now.room || now.entry || now.building || now.point) return 'card';
  return ['directory', 'settings', 'mine', 'free'].indexOf(now.panel) >= 0 ? now.panel : '';
}
