// From and to: each a field that finds places, with "where I am" and a tap on the map beside.

import { address, go } from './address.js';
import { button, el } from './elements.js';
import { icon } from './icons.js';
import { nearestPlace, offeredKinds } from './nearest-kinds.js';
import { findPlace, placeName, placeText, pointText, readPlace } from './places.js';
import { SearchBox } from './search-box.js';
import { toast } from './sharing.js';
import { t } from './words.js';

/** The two fields; `named` is done when they show the names. */
export function routeEnds(app, now) {
  const from = endBox(app, 'from', 'route.from', 'locate');
  const to = endBox(app, 'to', 'route.to', 'here');
  const swap = button(icon('swap'), () => {
    const state = address();
    go({ from: state.to, to: state.from });
  }, { class: 'round', 'aria-label': t('route.swap'), title: t('route.swap') });
  const element = el('div', { class: 'ends' }, [
    el('div', { class: 'fields' }, [from.element, to.element]), swap,
  ]);
  const named = Promise.all([
    nameEnd(app, from, now.from, false), nameEnd(app, to, now.to, true),
  ]);
  if (!now.to) setTimeout(() => focusEmpty(to), 60);
  return { element, named };
}

function focusEmpty(box) {
  if (window.matchMedia('(min-width: 46rem)').matches) box.input.focus();
}

async function nameEnd(app, box, text, isSought) {
  if (!readPlace(text)) return;
  const place = await findPlace(app.site, text, isSought).catch(() => null);
  if (!place) return;
  const name = await placeName(app.site, place).catch(() => '');
  if (!box.input.value) box.setText(name);
}

function endBox(app, member, label, name) {
  const set = (text) => {
    if (text) go({ [member]: text });
  };
  return new SearchBox(app.site, {
    label: t(label), icon: name,
    choose: (place) => {
      if (place.pick) pickOnMap(app, set);
      else set(place.kind === 'here' ? 'here' : placeText(place.kind, place.id));
    },
    extras: () => extras(member), nearest: member === 'to',
  });
}

/** What is offered before anything is typed. */
function extras(member) {
  const here = {
    kind: 'here', id: '', name: t('place.here'), line: t('place.here.line'), icon: 'locate',
  };
  const pick = { pick: true, name: t('place.pick'), line: t('place.pick.line'), icon: 'here' };
  const kinds = offeredKinds().map(nearestPlace);
  return member === 'from' ? [here, pick] : [pick].concat(kinds);
}

function pickOnMap(app, set) {
  if (!app.view) return;
  app.shell.toggle(false);
  toast(t('place.pick.now'));
  app.view.pick((place) => {
    const area = place.area;
    if (area && area.layer === 'area') set(placeText('room', area.id));
    else if (area && area.layer === 'building') set(placeText('building', area.id));
    else {
      const floor = app.view.floorMap && app.view.floorMap.areaAt(place.latitude, place.longitude);
      set(pointText(place.latitude, place.longitude, floor ? app.view.floorID : null));
    }
  });
}
