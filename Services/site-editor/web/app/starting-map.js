// The map comes after the search is usable: outdoors, then a floor that has something to see.

import { address, go, onAddress, show } from './address.js';
import { button } from './elements.js';
import { icon } from './icons.js';
import { firstFloor, laid, mapTools } from './map-tools.js';
import { MapView } from './map-view.js';
import { mapArrived } from './panels.js';
import { pointText } from './places.js';
import { faultElement, waitFor } from './waiting.js';
import { t } from './words.js';

/** Starts the map, its tools and what a tap does. */
async function startMap(shell, site) {
  const view = new MapView(shell.map, site, () => shell.insets());
  shell.app.view = view;
  shell.onLaid = () => laid(view);
  view.leaflet.on('dragstart', () => { view.following = false; });
  ['pointerdown', 'touchstart', 'wheel', 'keydown'].forEach((name) => {
    shell.map.addEventListener(name, () => { view.moved = true; }, { passive: true });
  });
  const choose = (floor, quiet) => chooseFloor(shell, view, floor, quiet);
  const locate = button(icon('locate'), () => {
    if (shell.app.locate) shell.app.locate();
  }, { class: 'locate', 'aria-label': t('where.show'), title: t('where.show') });
  const switcher = mapTools(shell, site, view, choose, [locate]);
  view.on('tap', (place) => tapped(view, place));
  onAddress((now, before) => {
    if (now.floor !== before.floor && now.floor) choose(now.floor, true);
  });
  window.whereabouts = { view, site };
  view.readOverview().then((overview) => site.takeBuildings(overview))
    .then(() => switcher.draw(), () => null);
  const outdoors = view.readOutdoors().catch((fault) => fault);
  const floor = await waitFor('wait.map', () => firstFloor(view, site, address().floor, outdoors));
  if (floor instanceof Error) {
    shell.map.appendChild(faultElement(floor, () => location.reload()));
    shell.app.mapShows(floor);
    return;
  }
  switcher.draw();
  if (!view.litOrRouted) view.fitAll(false);
  document.documentElement.classList.add('ready');
  view.ready = true;
  shell.app.mapShows(null);
  if (view.whenReady) view.whenReady();
  outdoors.then(async () => {
    if (!view.floorMap && !view.litOrRouted) view.fitAll(false);
    await view.seenOutdoors;
    if (view.pending) view.light(view.pending, true);
    document.documentElement.classList.add('outdoors');
  });
}

async function chooseFloor(shell, view, floor, quiet) {
  if (!quiet) view.following = false;
  if (view.floorID === floor) return;
  try {
    await waitFor('wait.floor', () => view.showFloor(floor));
    go({ floor }, true);
  } catch (fault) {
    if (!quiet) shell.failed(fault, () => chooseFloor(shell, view, floor));
  }
}

/** A tap opens the card of an area, or of the point. */
function tapped(view, place) {
  const area = place.area;
  if (view.picking) {
    view.picking(place);
    return;
  }
  const now = address();
  if (now.from || now.to) return;
  if (area && area.layer === 'area') show({ room: area.id });
  else if (area && area.layer === 'building') show({ building: area.id });
  else {
    const floor = view.floorMap && view.floorMap.areaAt(place.latitude, place.longitude);
    show({ point: pointText(place.latitude, place.longitude, floor ? view.floorID : null) });
  }
}

mapArrived(startMap);
