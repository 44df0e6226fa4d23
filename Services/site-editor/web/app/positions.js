// Where the reader is, as the page shows and asks it.

import { address, go, onAddress, show } from './address.js';
import { button, el, fill } from './elements.js';
import { floorLine } from './floors.js';
import { icon } from './icons.js';
import { bridge } from './shell-bridge.js';
import { findPlace, readPlace } from './places.js';
import { PositionDot } from './position-dot.js';
import { onPosition, present } from './position-store.js';
import { lastScan, standAt, startScanning, watchSatellites } from './position-sources.js';
import { SearchBox } from './search-box.js';
import { ask } from './service.js';
import { toast } from './sharing.js';
import { say } from './announcing.js';
import { ago, distance, t } from './words.js';

let dot = null;
let stopSatellites = null;
let stopAsking = null;
let followed = false;

/** Starts the sources that need no question: the shell that may scan, and a place link. */
export async function startPositions(app) {
  const shell = app.shell;
  const site = app.site;
  app.locate = () => locate(app);
  await site.known;
  const line = el('button', { type: 'button', class: 'where', hidden: true, on: {
    click: () => centre(app),
  } });
  shell.tools.parentNode.appendChild(line);
  const draw = () => drawLine(line, app, present());
  onPosition((position) => {
    if (app.view && !dot) dot = new PositionDot(app.view);
    if (dot) dot.show(position);
    draw();
    follow(app, position);
  });
  setInterval(() => {
    if (!line.hidden && !document.hidden) draw();
  }, 60000);
  const stand = (text, source) => {
    // An old sign is said to be one: else the reader waits for a place that never comes.
    const lost = () => {
      say(t('where.lost'));
      toast(t('where.lost'));
    };
    if (!readPlace(text)) {
      lost();
      return;
    }
    findPlace(site, text).then((place) => standAt(site, place, source))
      .then((done) => (done ? centre(app) : lost()), () => null);
  };
  if (address().kiosk) stand(address().kiosk, 'kiosk');
  else if (address().at) stand(address().at, 'link');
  onAddress((now, before) => {
    if (now.at && now.at !== before.at) stand(now.at, 'link');
  });
  const shellBridge = bridge();
  if (shellBridge && shellBridge.permission(false)) startScanning(site);
}

/**
 * The map goes along with the dot, floors included, from the first position on. It stops when
 * somebody moves the map or chooses a floor, and goes on after the button that shows where one is.
 */
function follow(app, position) {
  const view = app.view;
  if (!view || !view.ready || !position || position.latitude === undefined) return;
  if (!followed && !view.litOrRouted && !view.moved) view.following = true;
  followed = true;
  if (!view.following) return;
  const seen = view.leaflet.getBounds().pad(-0.2);
  const floor = position.floor && position.floor !== view.floorID;
  if (floor || !seen.contains([position.latitude, position.longitude])) centre(app);
}

/** The sentence under the map: where, how sure, by which source, how old. */
export function positionText(app, position) {
  const source = t('source.' + position.source);
  const age = position.source === 'kiosk' ? '' : ago(Date.now() - position.at);
  let text = t('where.unknown');
  if (position.state === 'uncertain') {
    const floor = floorLine(app.site, position.floor);
    text = floor ? t('where.floor', { floor }) : t('where.unknown');
  } else if (position.state === 'located') {
    text = t('where.here', { radius: distance(position.radius || 5) });
  }
  return [text, source, age].filter(Boolean).join(' · ');
}

function drawLine(line, app, position) {
  line.hidden = !position;
  if (!position) return;
  fill(line, [icon('locate'), el('span', { text: positionText(app, position) })]);
}

async function centre(app) {
  const position = present();
  const view = app.view;
  if (!position || position.latitude === undefined || !view) return;
  view.litOrRouted = true;
  if (position.floor && position.floor !== view.floorID) {
    await view.showFloor(position.floor).catch(() => null);
    go({ floor: position.floor }, true);
  }
  if (!dot) {
    dot = new PositionDot(view);
    dot.show(position);
  }
  view.centre([position.latitude, position.longitude], Math.max(19, view.leaflet.getZoom()));
}

/** Shows where one is, or asks. */
function locate(app) {
  if (present() && present().state !== 'lost') {
    app.view.following = true;
    centre(app);
    say(positionText(app, present()));
  } else if (!startScanning(app.site)) {
    app.shell.set([
      app.shell.head(t('where'), () => app.render(true)), askWhere(app, () => {
        centre(app);
        app.render(false);
      }),
    ], true);
  }
}

/** The ways to say where one is; `done` runs when it is known. */
export function askWhere(app, done) {
  // A panel that was left without an answer asks no more.
  if (stopAsking) stopAsking();
  const stop = onPosition((position) => {
    if (!position || position.state === 'lost' || position.latitude === undefined) return;
    stop();
    done();
  });
  stopAsking = stop;
  const note = el('p', { class: 'quiet', role: 'status' });
  const box = new SearchBox(app.site, {
    label: t('where.room'), icon: 'room',
    choose: async (found) => {
      const known = await standAt(app.site, { kind: found.kind, id: found.id }, 'said');
      if (!known) note.textContent = t('where.noPlace');
    },
  });
  return el('section', { class: 'ask' }, [
    el('h2', { text: t('where.ask') }), box.element,
    el('div', { class: 'row' }, [
      button([icon('here'), el('span', { text: t('where.tap') })], () => tapMap(app), {
        class: 'secondary',
      }),
      button([icon('website'), el('span', { text: t('where.satellites') })], () => {
        note.textContent = t('where.waiting');
        if (stopSatellites) stopSatellites();
        stopSatellites = watchSatellites(() => {
          note.textContent = t('where.refused');
        });
      }, { class: 'secondary' }),
    ]),
    el('p', { class: 'quiet', text: t('where.code') }), note,
    button([icon('locate'), el('span', { text: t('pair.title') })], () => show({ panel: 'pair' }), {
      class: 'link',
    }),
  ]);
}

function tapMap(app) {
  app.shell.toggle(false);
  toast(t('place.pick.now'));
  app.view.pick((place) => {
    const inside = app.view.floorMap && app.view.floorMap.areaAt(place.latitude, place.longitude);
    const floor = inside ? app.view.floorID : null;
    standAt(app.site, Object.assign({}, place, { kind: 'point', floor }), 'said')
      .then(() => app.shell.toggle(true));
  });
}

/** "I am here" on a card; with a shell that scans, it asks whether the scan may be sent. */
export function hereButton(app, text) {
  const place = readPlace(text);
  if (!place || (place.kind !== 'room' && place.kind !== 'point')) return null;
  const holder = el('div', { class: 'here' });
  const label = el('span', { text: t('where.iAmHere') });
  holder.appendChild(button([icon('locate'), label], async () => {
    const known = await standAt(app.site, place, 'said');
    if (!known) return;
    toast(t('where.noted'));
    if (bridge() && lastScan()) fill(holder, consent(app, holder));
  }, { class: 'link' }));
  return holder;
}

/** Nothing is sent without a yes; each time it is asked anew. */
function consent(app, holder) {
  const close = () => fill(holder, null);
  return [
    el('p', { text: t('tap.ask') }),
    el('div', { class: 'row' }, [
      button(t('tap.no'), close, { class: 'primary' }),
      button(t('tap.yes'), async () => {
        close();
        const sent = await sendTap(app).catch(() => false);
        toast(t(sent ? 'tap.sent' : 'tap.failed'));
      }, { class: 'secondary' }),
    ]),
  ];
}

async function sendTap(app) {
  const position = present();
  const scan = lastScan();
  if (!position || !scan || !position.floor) return false;
  const place = {
    floor: position.floor, latitude: position.latitude, longitude: position.longitude,
  };
  const readings = { wifi: scan.wifi.slice(0, 120), ble: scan.ble.slice(0, 80) };
  const body = Object.assign({ site: app.site.id, place }, readings);
  await ask('/v1/taps', { method: 'POST', body });
  return true;
}
