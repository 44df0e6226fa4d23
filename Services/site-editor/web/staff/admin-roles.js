// Roles in words, and the fields by which one is chosen.

import { query, sitePath, ask } from '/app/service.js';
import { nameOf, t } from '/app/words.js';
import { choiceField, tickBoxes } from './admin-parts.js';

export const ROLES_OF_PEOPLE = [
  'surveyor', 'administrator-of-site', 'analyst', 'tester', 'aggregate', 'visitor', 'contributor',
];
export const ALL_SITES = 'administrator';
const MOST_BUILDINGS = 100;
// These are of one site in any case.
const OF_ONE_SITE = ['administrator-of-site', 'device', 'scanner'];

export function roleName(role) {
  return t('admin.role.' + role);
}

/** A role with its place, such as Surveyor, in the east wing. */
export function grantText(grant, site) {
  const role = grant.role === ALL_SITES && grant.site ? 'administrator-of-site' : grant.role;
  const name = roleName(role);
  if (!grant.site) return role === ALL_SITES ? name : t('admin.grant.all', { role: name });
  const parts = [grant.site === site ? name : t('admin.grant.site', {
    role: name, site: grant.site,
  })];
  if ((grant.buildings || []).length) parts.push(grant.buildings.join(', '));
  return parts.join(' · ');
}

/** The buildings of the draft, to choose from; none where they can't be read. */
export async function readBuildings(site) {
  const answer = await ask(sitePath(site.id, 'buildings')
    + query({ version: 'draft', limit: MOST_BUILDINGS })).catch(() => ({ buildings: [] }));
  return answer.buildings.map((one) => ({ value: one.id, text: nameOf(one) || one.id }));
}

/**
 * Fields for a role here. `roles` are those to choose from, `buildings` those of the site, `all`
 * whether somebody may give roles at all sites. `value()` gives the grant.
 */
export class GrantFields {
  constructor(site, roles, buildings, all, changed) {
    this.site = site;
    this.all = all;
    this.changed = changed;
    const names = all && roles.indexOf('surveyor') >= 0 ? roles.concat(ALL_SITES) : roles;
    this.role = choiceField(t('admin.role'),
      names.map((role) => ({ value: role, text: roleName(role) })), names[0], () => this.draw());
    this.may = this.role.element.appendChild(document.createElement('p'));
    this.may.className = 'hint';
    const places = [{ value: 'site', text: t('admin.where.site') }];
    if (buildings.length) places.push({ value: 'buildings', text: t('admin.where.buildings') });
    if (all) places.push({ value: 'all', text: t('admin.where.all') });
    this.where = choiceField(t('admin.where'), places, 'site', () => this.draw());
    this.buildings = tickBoxes(t('admin.where.which'), buildings);
    this.element = [this.role.element, this.where.element, this.buildings.element];
    this.draw();
  }

  draw() {
    const role = this.role.input.value;
    this.may.textContent = t('admin.may.' + role);
    this.where.element.hidden = role === ALL_SITES;
    const everywhere = this.where.input.querySelector('option[value="all"]');
    if (everywhere) {
      everywhere.disabled = OF_ONE_SITE.indexOf(role) >= 0;
      if (everywhere.disabled && this.where.input.value === 'all') this.where.input.value = 'site';
    }
    this.buildings.element.hidden = role === ALL_SITES || this.where.input.value !== 'buildings';
    if (this.changed) this.changed(role);
  }

  /** The grant; null where a building has to be ticked first. */
  value() {
    const role = this.role.input.value;
    const where = this.where.input.value;
    if (role === ALL_SITES || where === 'all') return { role };
    if (where === 'site') return { role, site: this.site.id };
    const buildings = this.buildings.value();
    return buildings.length ? { role, site: this.site.id, buildings } : null;
  }
}
