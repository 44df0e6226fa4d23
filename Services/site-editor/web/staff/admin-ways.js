// Lifts, doors and other ways that are out of service, and what visitors have reported.

import { say } from '/app/announcing.js';
import { barrierIcon, barrierName, reasonText } from '/app/barrier-here.js';
import { connectionName, connectionOf } from '/app/connections.js';
import { button, el, fill } from '/app/elements.js';
import { floorLine } from '/app/floors.js';
import { icon } from '/app/icons.js';
import { circleMarker, layerGroup } from '/app/leaflet.js';
import { ask, query, sitePath } from '/app/service.js';
import { kindName, t, timeOfDay } from '/app/words.js';
import {
  AdminPanel, Missing, Part, allPages, asks, choiceField, form, row, rowButton, textField,
} from './admin-parts.js';
import { when } from './staff-times.js';

const KINDS = ['lift', 'platform-lift', 'escalator', 'stairs', 'ramp', 'door', 'walk'];
const MOST_CHOICES = 500;
const MOST_OUTAGES = 500;
const PAGE = 200;
const RENEW_MILLISECONDS = 30000;
const AT_ONCE = 4;
const HOURS = ['', '1', '4', '24', '72', '168'];

/** What `make` gives for each, in their order; a few are made at once. */
async function inTurn(all, make) {
  const made = [];
  let next = 0;
  const work = async () => {
    while (next < all.length) {
      const index = next;
      next += 1;
      made[index] = await make(all[index]);
    }
  };
  await Promise.all(all.slice(0, AT_ONCE).map(work));
  return made;
}

class Ways extends AdminPanel {
  constructor(app) {
    super(app, 'ways');
    this.set = el('div', {});
    this.outages = new Part(t('admin.ways.closed'), () => this.readOutages(), (all) => (
      this.outageRows(all)));
    this.barriers = new Part(t('barriers'), () => this.readBarriers(), (all) => (
      this.barrierRows(all)));
    fill(this.body, [this.set, this.outages.element, this.barriers.element]);
    this.setButton();
  }

  show(quietly) {
    return Promise.all([this.outages.show(quietly), this.barriers.show(quietly)]);
  }

  async readOutages() {
    const found = await allPages((after) => ask('/v1/outages' + query({
      site: this.site.id, active: 'true', limit: PAGE, after,
    })), 'outages', MOST_OUTAGES);
    const all = await inTurn(found.rows, async (outage) => Object.assign({
      outage,
    }, await connectionOf(this.site, outage.connection)));
    this.mark(all);
    return all;
  }

  async readBarriers() {
    const { barriers } = await ask(sitePath(this.site.id, 'barriers'));
    return inTurn(barriers, async (barrier) => Object.assign({
      barrier,
    }, await connectionOf(this.site, barrier.connection)));
  }

  /** Rings on the map around the ways that are closed. */
  mark(all) {
    const { leaflet } = this.app.map.view;
    this.unmark();
    this.layer = layerGroup(all.filter((one) => one.stop).map((one) => circleMarker([
      one.stop.latitude, one.stop.longitude,
    ], { className: 'mark-removed', radius: 11, weight: 3, interactive: false }))).addTo(leaflet);
  }

  unmark() {
    if (this.layer) this.layer.remove();
    this.layer = null;
  }

  async look(stop) {
    if (!stop) {
      say(t('admin.unplaced'));
      return;
    }
    const { map } = this.app;
    if (stop.floor) await map.chooseFloor(stop.floor, true);
    map.showPoint([stop.latitude, stop.longitude]);
  }

  // MARK: Out of service

  setButton() {
    fill(this.set, el('div', { class: 'row' }, button([
      icon('barrier'), el('span', { text: t('admin.ways.set') }),
    ], () => this.setForm(), { class: 'primary' })));
  }

  setForm() {
    const which = choiceField(t('admin.ways.which'), [], '');
    const hint = el('p', { class: 'hint', hidden: true, text: t('admin.list.cut') });
    which.element.appendChild(hint);
    const kind = choiceField(t('admin.ways.kind'), KINDS.map((value) => ({
      value, text: kindName(value),
    })), KINDS[0], () => this.readChoices(kind.input.value, which.input, hint));
    const reason = textField(t('admin.ways.reason'), { maxlength: 200 },
      t('admin.ways.reasonHint'));
    const until = choiceField(t('admin.ways.until'), HOURS.map((value) => ({
      value, text: t('admin.ways.hours.' + (value || 'open')),
    })), '');
    fill(this.set, form([
      el('h2', { text: t('admin.ways.set') }), kind.element, which.element, reason.element,
      until.element,
    ], t('admin.ways.close'), () => this.run(async () => {
      if (!which.input.value) throw new Missing(t('admin.ways.choose'));
      const text = reason.input.value.trim();
      if (!text) {
        reason.input.focus();
        throw new Missing(t('admin.ways.say'));
      }
      const body = {
        site: this.site.id, connection: which.input.value, reason: text,
        reportedBy: this.app.session.name || t('staff.somebody'),
      };
      const hours = Number(until.input.value);
      if (hours) body.until = new Date(Date.now() + hours * 3600000).toISOString();
      await ask('/v1/outages' + query({ site: this.site.id }), { method: 'POST', body });
      this.setButton();
      await this.outages.show(true);
      return t('admin.ways.isClosed');
    }), () => this.setButton()));
    kind.input.focus();
    this.readChoices(kind.input.value, which.input, hint);
  }

  /** The connections of a kind, by name and floors. */
  async readChoices(kind, select, hint) {
    this.kind = kind;
    fill(select, el('option', { value: '', text: t('admin.reading') }));
    let found;
    try {
      found = await allPages((after) => ask(sitePath(this.site.id, 'connections') + query({
        kind, limit: MOST_CHOICES, after,
      })), 'connections', MOST_CHOICES);
    } catch (fault) {
      fill(select, el('option', { value: '', text: t('admin.ways.unread') }));
      return;
    }
    const names = await inTurn(found.rows, async (one) => {
      const floors = one.stops.map((stop) => stop.floor)
        .filter((floor, at, all) => floor && all.indexOf(floor) === at);
      const line = floors.slice(0, 3).map((floor) => floorLine(this.site, floor)).join(', ');
      return (await connectionName(this.site, one)) + (line ? ' · ' + line : '') + ' · ' + one.id;
    });
    if (this.kind !== kind) return;
    fill(select, found.rows.length ? found.rows.map((one, at) => el('option', {
      value: one.id, text: names[at],
    })) : el('option', { value: '', text: t('admin.ways.noneOf') }));
    hint.hidden = !found.more;
  }

  outageRows(all) {
    if (!all.length) return el('p', { class: 'quiet pad', text: t('admin.ways.none') });
    return el('ul', { class: 'rows' }, all.map((one) => {
      const { outage } = one;
      const name = one.name || outage.connection;
      const line = row('barrier', name, [
        [one.floor, reasonText(outage.reason)].filter(Boolean).join(' · '),
        t('admin.ways.by', { who: outage.reportedBy, time: when(outage.from) }),
        outage.until ? t('admin.until', { time: when(outage.until) }) : '',
      ], [rowButton(t('admin.ways.end'), name, () => asks(line, t('admin.ways.endSure', { name }),
        t('admin.ways.end'), () => this.run(async () => {
          await ask('/v1/outages/' + encodeURIComponent(outage.id)
            + query({ endedBy: this.app.session.name }), { method: 'DELETE' });
          await this.outages.show(true);
          return t('admin.ways.ended');
        })))], () => this.look(one.stop));
      return line;
    }));
  }

  // MARK: Reported by visitors

  barrierRows(all) {
    if (!all.length) return el('p', { class: 'quiet pad', text: t('barriers.none') });
    return el('ul', { class: 'rows' }, all.map((one) => {
      const { barrier } = one;
      const title = barrierName(barrier.kind) + ': ' + (one.name || barrier.connection);
      const buttons = ['confirm', 'dismiss'].filter((what) => (
        barrier.state !== (what === 'confirm' ? 'confirmed' : 'dismissed')));
      const line = row('warning', title, [
        [
          one.floor, when(barrier.reportedAt),
          t('barriers.' + barrier.state, { time: timeOfDay(barrier.until) }),
        ].filter(Boolean).join(' · '),
        barrier.fromOneAddress ? t('barriers.oneAddress') : '',
      ], buttons.map((what) => rowButton(t('barriers.' + what), title, () => (
        this.decide(barrier, what)))), () => this.look(one.stop));
      line.querySelector('.icon').replaceWith(barrierIcon(barrier.kind));
      return line;
    }));
  }

  decide(barrier, what) {
    const path = sitePath(this.site.id, 'barriers', barrier.id);
    return this.run(async () => {
      if (what === 'confirm') await ask(path + '/confirm', { method: 'POST' });
      else await ask(path, { method: 'DELETE' });
      await this.show(true);
      return t('barriers.done.' + what);
    });
  }
}

/** Shows the ways. */
export async function waysPanel(app, focus) {
  const ways = new Ways(app);
  app.shell.set(ways.element, focus);
  const timer = setInterval(() => {
    if (!document.hidden && !ways.body.querySelector('.sure')) ways.show(true);
  }, RENEW_MILLISECONDS);
  app.leave = () => {
    clearInterval(timer);
    ways.unmark();
    app.map.leave();
  };
  await ways.show();
}
