// Why a device was located where it was: which access points it received, which places fit, and
// why this floor; in words, and drawn on the map.

import { address, go } from '/app/address.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { ask, sitePath } from '/app/service.js';
import { hasWord, number, t, tn } from '/app/words.js';
import { staffFault } from './staff-faults.js';
import { radiusText } from './watch-card.js';
import { readAll } from './watch-heat-panel.js';
import { paintExplanation } from './watch-paint.js';
import { table } from './watch-parts.js';
import { drawnOf, floorReasons, percent } from './watch-reasons.js';
import { clockText } from './watch-times.js';

const MOST_CANDIDATES = 12;

class ExplainPanel {
  constructor(app) {
    this.app = app;
    this.body = el('div', {}, el('p', { class: 'quiet pad', text: t('wait.explain') }));
    const back = () => go({
      panel: address().time ? 'replay' : null, position: null,
    });
    this.element = [app.shell.head(t('watch.explain'), back), this.body];
  }

  floorName(id) {
    return id === 'outdoors' ? t('watch.outdoors') : floorLine(this.app.site, id) || id;
  }

  async read() {
    const path = '/v1/positions/' + encodeURIComponent(address().position || '') + '/explain';
    try {
      const [explained, places] = await Promise.all([
        ask(path), this.readPlaces().catch(() => []),
      ]);
      if (this.isOver) return;
      this.explained = explained;
      this.drawn = drawnOf(explained, places);
      await this.show();
    } catch (fault) {
      if (!this.isOver) fill(this.body, staffFault(fault, () => this.read()));
    }
  }

  async readPlaces() {
    const path = sitePath(this.app.site.id, 'access-point-places');
    return (await readAll(path, { coordinates: 'wgs84', limit: 1000 }, 'accessPointPlaces')).rows;
  }

  async show() {
    const { app, drawn, explained } = this;
    const { position } = explained;
    this.draw();
    app.draw(null, (context, view) => paintExplanation(context, view, drawn));
    window.whereabouts.explained = drawn;
    if (position.floor && position.floor !== 'outdoors' && app.site.floorOf(position.floor)) {
      await app.map.chooseFloor(position.floor, true);
    }
    if (drawn.at) {
      app.map.view.moved = true;
      app.map.view.centre([position.latitude, position.longitude], 20);
    }
  }

  draw() {
    const { app, explained } = this;
    const { position } = explained;
    const where = [
      position.room ? app.names.of('room', position.room) : '',
      position.floor ? this.floorName(position.floor) : '',
    ].filter(Boolean).join(' · ');
    const mark = { state: position.state, radius: position.radius68 };
    fill(this.body, [
      el('section', {}, [
        el('h2', { text: position.device + ', ' + clockText(Date.parse(position.at)) }),
        el('p', { text: where || t('watch.lost') }),
        el('p', { class: 'quiet', text: radiusText(mark) }),
        explained.again.isSame ? null
          : el('p', { class: 'news', text: t('watch.why.other') }),
        explained.explainedWith.differs.length ? el('p', {
          class: 'news', text: t('watch.why.differs', {
            what: explained.explainedWith.differs
              .map((one) => t('watch.differs.' + one)).join(', '),
          }),
        }) : null,
      ]),
      el('section', {}, [
        el('h2', { text: t('watch.why.title') }),
        el('ul', { class: 'watch-reasons' }, floorReasons(
          explained, (id) => this.floorName(id)).map((text) => el('li', { text }))),
        this.floorTable(),
      ]),
      this.candidates(), this.readings(),
      el('p', { class: 'hint', text: t('watch.explainedBy', {
        positioner: explained.explainedWith.positioner,
      }) }),
    ]);
  }

  floorTable() {
    const { floors } = this.explained;
    return floors.length > 1 ? table(t('watch.floorShares'), [
      { title: t('watch.floor'), of: (row) => this.floorName(row.floor) },
      { title: t('watch.share'), isNumber: true, of: (row) => percent(row.share) },
    ], floors) : null;
  }

  candidates() {
    const { app, drawn } = this;
    const all = this.explained.candidates;
    const rows = drawn.candidates.slice(0, MOST_CANDIDATES);
    return el('section', {}, [
      el('h2', { text: t('watch.candidates') }),
      rows.length ? el('p', {
        class: 'quiet', text: tn('watch.candidatesOf', this.explained.candidateCount),
      }) : el('p', {
        class: 'quiet', text: t(all.length ? 'watch.unplaced' : 'watch.noCandidates'),
      }),
      rows.length ? el('ul', { class: 'rows' }, rows.map((one) => el('li', {}, button([
        icon('here'), el('span', {}, [
          el('strong', { text: one.room ? app.names.of('room', one.room) : t('watch.noRoom') }),
          el('small', { text: this.floorName(one.floor) }),
        ]), el('span', { class: 'tag', text: percent(one.share) }),
      ], () => this.goTo(one), { class: 'line' })))) : null,
    ]);
  }

  async goTo(place) {
    const { map, site } = this.app;
    if (place.floor && site.floorOf(place.floor)) await map.chooseFloor(place.floor, true);
    map.view.centre([place.latitude, place.longitude], 20.5);
  }

  readings() {
    const rows = this.explained.readings;
    const placed = this.drawn.transmitters.length;
    const use = (row) => (hasWord('watch.use.' + row.use) ? t('watch.use.' + row.use) : row.use);
    return el('section', {}, [
      el('h2', { text: t('watch.readings') }),
      el('p', { class: 'quiet', text: placed
        ? tn('watch.placed', placed) : t('watch.nonePlaced') }),
      rows.length ? table(t('watch.readings'), [
        { title: t('watch.transmitter'), of: (row) => row.transmitter || t('watch.unnamed') },
        { title: t('watch.strength'), isNumber: true,
          of: (row) => t('watch.decibels', { number: number(row.rssi) }) },
        { title: t('watch.use'), of: use },
      ], rows) : null,
    ]);
  }
}

/** Explains the position that the address names. */
export function explainPanel(app, focus) {
  const panel = new ExplainPanel(app);
  app.shell.set(panel.element, focus);
  app.namesChanged = () => {
    if (panel.explained) panel.draw();
  };
  app.leave = () => { panel.isOver = true; };
  panel.read();
}
