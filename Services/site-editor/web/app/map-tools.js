// The tools beside a map, and the floor with which it begins.

import { button, el, fill } from './elements.js';
import { FloorSwitcher } from './floor-switcher.js';
import { fromTheGround } from './floors.js';
import { icon } from './icons.js';
import { t } from './words.js';

/** Puts the floors, further tools and the zoom beside the map; gives the floors' switcher. */
export function mapTools(shell, site, view, choose, further) {
  const switcher = new FloorSwitcher(site, view, choose);
  const zoom = el('div', { class: 'zoom' }, [
    button(icon('plus'), () => view.zoomBy(1), { 'aria-label': t('zoom.in') }),
    button(icon('minus'), () => view.zoomBy(-1), { 'aria-label': t('zoom.out') }),
  ]);
  fill(shell.tools, [switcher.element, further, zoom]);
  return switcher;
}

/** Until somebody moves the map, it stays fitted to what the panel leaves free. */
export function laid(view) {
  view.leaflet.invalidateSize({ pan: false, debounceMoveend: true });
  if (view.ready && !view.moved && !view.litOrRouted) view.fitAll(false);
  else view.lookOutdoors();
}

/**
 * Shows the floor that is asked for, else the first with something to see; `outdoors` is the
 * reading of the map outdoors. Gives what failed, or null.
 */
export async function firstFloor(view, site, asked, outdoors) {
  try {
    if (asked && site.floorOf(asked)) await view.showFloor(asked);
    else if (site.floors.length) {
      const best = await view.firstFloorWithSomething(fromTheGround(site.floors));
      if (!view.wishedFloor) await view.showFloor(best);
    } else {
      const map = await outdoors;
      if (map instanceof Error) return map;
    }
    return null;
  } catch (fault) {
    return fault;
  }
}
