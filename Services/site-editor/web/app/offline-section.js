// The section of the menu for keeping a map: one button for all of it, so that the keyboard stays
// where it is. What happens is shown, and said once.

import { say } from './announcing.js';
import { button, el, fill } from './elements.js';
import { buildingName } from './floors.js';
import { canKeep, dropSite, heldOf, keepSite, measureSite } from './offline.js';
import { waitFor } from './waiting.js';
import { number, t } from './words.js';

const MOST_BYTES_A_BUILDING = 3e6;
// A progress is said at these shares.
const TOLD = [0.25, 0.5, 0.75];

/** The section of the menu. */
export function offlineSection(app) {
  const body = el('div', {});
  if (canKeep()) new OfflineSection(app, body).draw();
  else fill(body, el('p', { class: 'quiet', text: t('offline.unusable') }));
  return el('section', {}, [el('h2', { text: t('offline') }), body]);
}

class OfflineSection {
  constructor(app, body) {
    this.app = app;
    this.bytes = null;
    this.busy = false;
    this.status = el('p', { class: 'quiet' });
    this.choice = buildingChoice(app);
    this.field = this.choice ? el('label', { class: 'field' }, [
      el('span', { text: t('offline.what') }), this.choice,
    ]) : null;
    if (this.choice) {
      this.choice.addEventListener('change', () => {
        this.bytes = null;
        this.draw();
      });
    }
    this.action = button('', () => this.act(), { class: 'secondary' });
    fill(body, [this.status, this.field, el('div', { class: 'row' }, this.action)]);
  }

  get building() {
    return this.choice ? this.choice.value : '';
  }

  /** Shows the state, or `text` in its place. */
  draw(text) {
    const held = heldOf(this.app.site);
    const key = held ? 'offline.drop' : this.bytes === null ? 'offline.size' : 'offline.keep';
    this.action.textContent = t(key);
    this.action.className = !held && this.bytes !== null ? 'primary' : 'secondary';
    this.action.setAttribute('aria-disabled', String(this.busy));
    if (this.field) this.field.hidden = Boolean(held);
    this.status.textContent = text || this.stateText(held);
    this.app.shell.laid();
  }

  stateText(held) {
    if (held) {
      // Versions before the network of ways kept none.
      const routes = held.building !== undefined && held.routes !== false;
      return t('offline.held', { size: number(held.bytes / 1e6, 1) }) + ' '
        + t(routes ? 'offline.routes' : 'offline.noRoutes');
    }
    if (this.bytes === null) return t('offline.about');
    return t('offline.sizeIs', { size: number(this.bytes / 1e6, 1) });
  }

  async act() {
    if (this.busy) return;
    this.busy = true;
    this.action.setAttribute('aria-disabled', 'true');
    const held = heldOf(this.app.site);
    let text = '';
    try {
      if (held) text = await this.drop();
      else if (this.bytes === null) text = await this.measure();
      else text = await this.keep();
    } catch (fault) {
      text = t('fault.offline');
    }
    this.busy = false;
    this.draw(text);
    say(this.status.textContent);
  }

  async drop() {
    await dropSite(this.app.site);
    this.bytes = null;
    return t('offline.dropped');
  }

  async measure() {
    const building = this.building;
    const bytes = await waitFor('wait.size', (signal) => (
      measureSite(this.app.site, building, signal)));
    if (bytes === null) return t('cancelled');
    const buildings = building ? 1 : Math.max(1, this.app.site.storeyedBuildings().length);
    if (bytes > MOST_BYTES_A_BUILDING * buildings) {
      return t('offline.tooMuch', { size: number(bytes / 1e6, 1) });
    }
    this.bytes = bytes;
    return '';
  }

  async keep() {
    let told = 0;
    const done = await waitFor('wait.keep', async (signal) => {
      await keepSite(this.app.site, this.building, signal, (share) => {
        const text = t('offline.progress', { percent: number(Math.floor(share * 100)) });
        this.status.textContent = text;
        if (told < TOLD.length && share >= TOLD[told] && share < 1) {
          while (told < TOLD.length && share >= TOLD[told]) told += 1;
          say(text);
        }
      });
      return true;
    });
    return done ? '' : t('cancelled');
  }
}

/** Where a site has several buildings: which one, or all. The one in view comes first. */
function buildingChoice(app) {
  const ids = app.site.storeyedBuildings();
  if (ids.length < 2) return null;
  const floor = app.view && app.site.floorOf(app.view.floorID);
  const own = floor ? floor.building : ids[0];
  const all = [own].concat(ids.filter((id) => id !== own));
  const name = (id) => buildingName(app.site.buildingOf(id)) || t('kind.building');
  const options = all.map((id) => el('option', { value: id, text: name(id) }));
  app.site.named.then(() => options.forEach((one) => { one.textContent = name(one.value); }));
  return el('select', {}, options.concat(el('option', { value: '', text: t('offline.all') })));
}
