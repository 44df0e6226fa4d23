// The live devices: how many there are, a list with a search, and the one that is followed.

import { address, go } from '/app/address.js';
import { fill } from '/app/elements.js';
import { ago, t } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { Devices } from './watch-devices.js';
import { DeviceList } from './watch-list.js';
import { Live, isFresh } from './watch-live.js';

const DRAW_MILLISECONDS = 1000;

/** Shows all devices of the site as they move. */
export async function livePanel(app, focus) {
  const devices = new Devices();
  devices.glides = app.glides;
  const { layer } = app.map;
  const list = new DeviceList(app, t('watch.panel.live'), {
    marks: () => devices.list,
    isNow: (mark) => isFresh(mark, Date.now()),
    age: (mark) => ago(Date.now() - mark.at),
    explain: (mark) => (mark.position
      ? () => go({ panel: 'explain', position: mark.position }) : null),
  });
  const show = (state) => list.set(list.state, state === 'live' ? '' : t('watch.state.' + state));
  const live = new Live(app.site, (position) => {
    if (devices.take(position, performance.now())) layer.schedule();
  }, (ids, since) => devices.keepOnly(ids, since), show);
  app.shell.set(list.element, focus);
  app.find = () => list.input.focus();
  app.deviceChanged = () => list.draw();
  app.namesChanged = () => list.draw();
  app.showMarks((now) => {
    const more = devices.advance(now);
    const clock = Date.now();
    return { marks: devices.shown(clock), clock, more };
  });
  window.whereabouts.devices = devices;
  // Devices grow old while nothing comes.
  const timer = setInterval(() => {
    list.draw();
    layer.schedule();
  }, DRAW_MILLISECONDS);
  let isOpen = true;
  app.leave = () => {
    isOpen = false;
    live.end();
    clearInterval(timer);
  };
  if (address().device) app.map.view.following = true;
  show('waiting');
  try {
    await live.start();
  } catch (fault) {
    if (isOpen) fill(list.more, staffFault(fault, () => app.render(true)));
    return;
  }
  list.isReading = false;
  if (isOpen) list.draw();
}
