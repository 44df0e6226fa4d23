// The numbered steps: one is the present one, and they follow where the reader is.

import { button, el } from './elements.js';
import { icon } from './icons.js';
import { floorLine } from './floors.js';
import { say } from './announcing.js';
import { metresBetween } from './measuring.js';
import { t } from './words.js';

const ICONS = {
  stairs: 'stairs', lift: 'lift', 'platform-lift': 'lift', escalator: 'escalator', ramp: 'ramp',
  door: 'door', enter: 'door', leave: 'door', arrive: 'here', head: 'up',
};
const TURNS = {
  straight: 0, 'slight-left': -45, left: -90, 'sharp-left': -135, 'slight-right': 45, right: 90,
  'sharp-right': 135, around: 180,
};
const NEAR_METRES = 6;

/** The list of steps; `go(step, chosen)` shows one on the map. */
export function routeSteps(app, route, go) {
  const steps = route.instructions;
  let present = 0;
  const rows = steps.map((step, index) => row(app, steps, index, () => choose(index, true)));
  const list = el('ol', { class: 'steps' }, rows);
  const back = button([icon('back'), el('span', { text: t('step.back') })], () => {
    choose(present - 1, true);
  }, { class: 'secondary' });
  const next = button([el('span', { text: t('step.next') }), icon('next')], () => {
    choose(present + 1, true);
  }, { class: 'primary' });
  // Beside the list, not in it: it stays at the lower edge also while the list is below that.
  const elements = [
    el('section', { 'aria-label': t('steps') }, list),
    el('div', { class: 'stepper' }, [back, next]),
  ];

  function mark(index) {
    rows.forEach((one, at) => {
      if (at === index) one.setAttribute('aria-current', 'step');
      else one.removeAttribute('aria-current');
    });
    present = index;
    back.disabled = index === 0;
    next.disabled = index === steps.length - 1;
  }

  function choose(index, chosen) {
    if (index < 0 || index >= steps.length) return;
    mark(index);
    go(steps[index], chosen);
    say(steps[index].text);
    const scroller = rows[index].parentNode.parentNode;
    if (scroller && rows[index].scrollIntoView) rows[index].scrollIntoView({ block: 'nearest' });
  }

  /** The step whose place is near where the reader is becomes the present one, never an earlier. */
  function follow(position) {
    if (!position || position.latitude === undefined) return;
    for (let i = steps.length - 1; i > present; i -= 1) {
      const step = steps[i];
      const sameFloor = !step.floor || !position.floor || step.floor === position.floor;
      if (sameFloor && metresBetween(step, position) < NEAR_METRES + (position.radius || 0) / 3) {
        choose(i, false);
        return;
      }
    }
  }

  mark(0);
  return { elements, follow, choose, present: () => steps[present] };
}

function row(app, steps, index, action) {
  const step = steps[index];
  const before = steps[index - 1];
  const changed = index > 0 && step.floor && step.floor !== before.floor;
  return el('li', {}, button([
    el('span', { class: 'sign' }, signOf(step)),
    el('span', {}, [
      el('span', { class: 'told', text: step.text }),
      changed ? el('small', { class: 'floor', text: floorLine(app.site, step.floor) }) : null,
    ]),
  ], action, { class: 'line' }));
}

function signOf(step) {
  if (step.action === 'turn' && step.turn in TURNS) {
    const arrow = icon('up');
    arrow.style.transform = 'rotate(' + TURNS[step.turn] + 'deg)';
    return arrow;
  }
  return icon(ICONS[step.action] || 'way');
}
