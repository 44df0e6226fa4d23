// Whether who is signed in may report outages of the site. The service decides; this only hides.

import { openSession } from './service.js';

const ROLES = ['surveyor', 'administrator-of-site', 'administrator'];

/** Whether the session is one of the site's staff, in all its buildings. */
export async function isStaff(site) {
  const session = await openSession();
  return (session.grants || []).some((grant) => (
    ROLES.indexOf(grant.role) >= 0 && (!grant.site || grant.site === site.id)
      && !(grant.buildings || []).length));
}
