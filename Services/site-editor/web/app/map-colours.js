// The colours of the map, light and dark. Contrast of a name to what it stands on is above 4.5.

const LIGHT = {
  land: '#eef0ee', ground: '#e6ebe3', building: '#dde1e6', buildingEdge: '#c3cad3',
  floor: '#f5f6f8', wall: '#aab4c0', door: '#ffffff', path: '#ffffff', pathEdge: '#d5d9d6',
  way: '#c3ccd8', text: '#27313d', halo: '#ffffff', quiet: '#4c5867', lit: '#1a5fd0',
  litFill: 'rgba(26, 95, 208, 0.16)', badge: '#ffffff', badgeEdge: '#b4bec9', sign: '#3b4a5c',
  areas: {
    room: '#ffffff', corridor: '#f1f3f6', stairs: '#e2ebe7', lift: '#dfe8f0', toilet: '#efe9f8',
    food: '#fcf0dd', study: '#e8f1fb', work: '#f4f1e9', shop: '#fbecef', restricted: '#e4e5e8',
  },
};

const DARK = {
  land: '#14191f', ground: '#19201f', building: '#232b34', buildingEdge: '#384350',
  floor: '#1b222a', wall: '#52606f', door: '#1b222a', path: '#2d353d', pathEdge: '#1b2127',
  way: '#3b4857', text: '#e6ebf1', halo: '#12171d', quiet: '#b4bfcb', lit: '#7db0ff',
  litFill: 'rgba(125, 176, 255, 0.22)', badge: '#1d252e', badgeEdge: '#4c5967', sign: '#d3dbe4',
  areas: {
    room: '#28313b', corridor: '#1f272f', stairs: '#24342f', lift: '#243341', toilet: '#30293d',
    food: '#3a3020', study: '#213245', work: '#332f26', shop: '#3b272d', restricted: '#1f2328',
  },
};

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** The colours by the reader's preference; paper is light. */
export function colours() {
  const paper = document.documentElement.classList.contains('printing');
  return dark.matches && !paper ? DARK : LIGHT;
}

/** Calls `listener` when the preference changes. */
export function onColours(listener) {
  if (dark.addEventListener) dark.addEventListener('change', listener);
  else dark.addListener(listener);
}
