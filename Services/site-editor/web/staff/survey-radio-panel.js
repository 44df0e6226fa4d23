// What a scanner or this telephone receives now, and where beacons and access points are.

import { say } from '/app/announcing.js';
import { button, el } from '/app/elements.js';
import { icon } from '/app/icons.js';
import { ask, query, sitePath } from '/app/service.js';
import { number, t, tn } from '/app/words.js';
import { newID } from './edit-store.js';
import { when } from './staff-times.js';
import { redraw, sourceFields } from './survey-parts.js';
import { percent } from './survey-run.js';
import { scansOf } from './survey-scans.js';
import { Signals, transmitterOf } from './survey-signals.js';

const MOST_ROWS = 60;

class Listening {
  constructor(app) {
    this.app = app;
    this.signals = new Signals();
    this.scans = null;
    this.fault = '';
    this.batteries = new Map();
    this.placing = null;
  }

  start() {
    const { app } = this;
    app.run.stop();
    this.signals = new Signals();
    this.fault = '';
    this.source = app.source;
    this.began = Date.now();
    this.scans = scansOf(app.draft.site.id, app.source, (scan) => {
      this.fault = '';
      this.signals.add(scan.reading, scan.at);
      this.lastAt = Date.now();
      app.changed('radio');
    }, (key) => {
      this.fault = key;
      app.changed('radio');
    });
    this.scans.start();
    this.readBatteries();
    app.changed('radio');
  }

  stop() {
    if (this.scans) this.scans.stop();
    this.scans = null;
    this.app.changed('radio');
  }

  async readBatteries() {
    const path = sitePath(this.app.draft.site.id, 'beacon-batteries') + query({ limit: 1000 });
    const answer = await ask(path).catch(() => null);
    (answer ? answer.batteries : []).forEach((one) => this.batteries.set(one.beacon, one));
    this.app.changed('radio');
  }

  /** The site's record of a transmitter on this floor; null where it has none. */
  record(signal) {
    const { radio } = this.app.floor;
    const isWiFi = signal.id.indexOf('wifi/') === 0;
    const list = isWiFi ? radio['access-point-places'] : radio.beacons;
    return list.find((one) => {
      if (isWiFi) return 'wifi/' + String(one.address).toLowerCase() === signal.id;
      return transmitterOf(one) === signal.id;
    }) || null;
  }

  /** The next tap on the map is where the transmitter is. */
  place(signal) {
    const { app } = this;
    this.placing = this.placing && this.placing.id === signal.id ? null : signal;
    app.tapFor = this.placing ? (at) => this.placed(signal, at) : null;
    if (this.placing) {
      app.shell.map.focus();
      say(t('survey.radio.tap', { name: signal.name || signal.id }), true);
    }
    app.changed('radio');
  }

  async placed(signal, at) {
    const { app } = this;
    this.placing = null;
    app.tapFor = null;
    const isWiFi = signal.id.indexOf('wifi/') === 0;
    const value = { floor: app.floor.id, latitude: at.latitude, longitude: at.longitude };
    const known = this.record(signal);
    const { reading } = signal;
    if (isWiFi) value.address = reading.bssid;
    else {
      ['uuid', 'major', 'minor', 'address', 'txPower'].forEach((name) => {
        if (reading[name] !== undefined) value[name] = reading[name];
      });
      if (known && known.name) value.name = known.name;
    }
    const kind = isWiFi ? 'access-point-places' : 'beacons';
    const record = isWiFi ? reading.bssid.toLowerCase()
      : (known && known.id) || 'b-' + newID().slice(0, 8);
    app.floor.radio[kind] = app.floor.radio[kind].filter((one) => one !== known)
      .concat(Object.assign({ id: record }, value));
    await app.edit({
      do: 'put', kind, record, value, name: signal.name || signal.id,
    });
    say(t('survey.radio.placed', { name: signal.name || signal.id }), true);
  }
}

function row(app, listening, signal) {
  const known = listening.record(signal);
  const battery = known && listening.batteries.get(known.id);
  const figures = [
    tn('survey.readings', signal.count),
    signal.deviation === null ? t('survey.radio.mean', { mean: number(signal.mean) })
      : t('survey.radio.spread', {
        mean: number(signal.mean), deviation: number(signal.deviation, 1),
      }),
    t('survey.radio.rate', { share: percent(signal.rate) }),
    battery ? t('survey.radio.battery', { share: percent(battery.percent / 100) }) : '',
    known ? t('survey.radio.known') : '',
  ].filter(Boolean).join(' · ');
  const name = signal.name || (known && known.name) || signal.id;
  const isPlacing = listening.placing && listening.placing.id === signal.id;
  return el('li', { class: 'survey-row' }, [
    el('span', {}, [
      el('strong', { text: name }),
      el('small', { class: 'quiet', text: name === signal.id ? figures
        : signal.id + ' · ' + figures }),
    ]),
    app.rights.edits ? button(el('span', {
      text: t(isPlacing ? 'survey.radio.tapNow' : known ? 'survey.move' : 'survey.radio.place'),
    }), () => listening.place(signal), {
      class: 'link', 'data-at': 'place-' + signal.id, 'aria-pressed': String(Boolean(isPlacing)),
      'aria-label': t('survey.radio.placeOf', { name }),
    }) : null,
  ]);
}

function healthElement(app) {
  const own = app.scanners.find((one) => one.scanner === app.source);
  if (!own || !own.health) return null;
  const { health } = own;
  const lines = [
    health.lastScanAt ? t('survey.radio.lastScan', { when: when(health.lastScanAt) }) : '',
    health.waitingScans ? tn('survey.radio.spool', health.waitingScans) : '',
  ].filter(Boolean).concat(health.faults || []);
  return el('ul', { class: 'survey-figures' }, lines.map((text) => el('li', { text })));
}

function marksOf(app) {
  const { radio } = app.floor;
  const sign = (key) => (one) => ({
    place: { latitude: one.latitude, longitude: one.longitude }, text: t(key),
  });
  return radio.beacons.map(sign('survey.radio.beaconSign'))
    .concat(radio['access-point-places'].map(sign('survey.radio.accessPointSign')))
    .concat(radio.scanners.map(sign('survey.radio.scannerSign')))
    .filter((one) => typeof one.place.latitude === 'number');
}

function content(app, listening) {
  if (!app.floor) return [el('p', { class: 'quiet pad', text: t('survey.reading') })];
  app.shown = { marks: marksOf(app) };
  const list = listening.signals.list();
  const seconds = listening.scans ? (Date.now() - listening.began) / 1000 : 0;
  return [
    app.shell.head(t('survey.panel.radio'), null),
    el('p', { class: 'hint', text: t('survey.radio.hint') }),
    sourceFields(app),
    el('div', { class: 'row' }, [
      listening.scans ? button([icon('close'), el('span', { text: t('survey.stop') })],
        () => listening.stop(), { class: 'secondary', 'data-at': 'listen' })
        : button([icon('ear'), el('span', { text: t('survey.radio.listen') })],
          () => listening.start(), {
            class: 'primary', disabled: !app.source, 'data-at': 'listen',
          }),
    ]),
    healthElement(app),
    listening.fault ? el('p', { class: 'news bad', text: t(listening.fault) }) : null,
    listening.scans || list.length ? el('p', { class: 'quiet', text: t('survey.radio.sum', {
      scans: number(listening.signals.scans), readings: number(listening.signals.readings),
      transmitters: number(list.length),
      rate: number(seconds > 0 ? (60 * listening.signals.scans) / seconds : 0, 1),
    }) }) : null,
    el('ul', { class: 'rows' }, list.slice(0, MOST_ROWS).map((one) => row(app, listening, one))),
    list.length > MOST_ROWS ? el('p', {
      class: 'quiet', text: t('survey.radio.more', { count: number(list.length - MOST_ROWS) }),
    }) : null,
  ];
}

export function radioPanel(app, focus) {
  const listening = new Listening(app);
  redraw(app, content(app, listening), focus);
  app.update = () => redraw(app, content(app, listening));
  app.leave = () => {
    if (listening.scans) listening.scans.stop();
    listening.scans = null;
    app.tapFor = null;
    app.shown = null;
  };
}
