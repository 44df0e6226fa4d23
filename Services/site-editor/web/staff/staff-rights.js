// What the person who is signed in may do here. The service decides; this only shows what it would.

const EDITORS = ['administrator-of-site', 'administrator'];
const SURVEYORS = EDITORS.concat('surveyor');
/** Who reads where devices are; some of them in some buildings alone. */
const WATCHERS = SURVEYORS.concat('analyst');

/** A role in some buildings edits nothing: drafts are in no building. */
function holds(session, site, roles) {
  return (session.grants || []).some((grant) => (
    roles.indexOf(grant.role) >= 0 && (!grant.site || grant.site === site)
      && !(grant.buildings || []).length));
}

/** Whether one of the roles is held at the site, maybe in some of its buildings alone. */
function holdsSome(session, site, roles) {
  return (session.grants || []).some((grant) => (
    roles.indexOf(grant.role) >= 0 && (!grant.site || grant.site === site)));
}

/**
 * `edits`: all of the draft, and its publication; `surveys`: locations, and rooms to propose;
 * `watches`: where devices are and were; `all`: all sites, and the installation.
 */
export function rightsOf(session, site) {
  return {
    edits: holds(session, site, EDITORS), surveys: holds(session, site, SURVEYORS),
    watches: holdsSome(session, site, WATCHERS),
    all: (session.grants || []).some((grant) => grant.role === 'administrator' && !grant.site),
  };
}

/** The screens for these rights, in the order of their tabs. */
export function screensOf(rights) {
  return [
    rights.surveys ? 'draft' : '', rights.surveys ? 'survey' : '',
    rights.watches ? 'watch' : '', rights.edits ? 'admin' : '',
  ].filter(Boolean);
}

/** Whether a record may be changed: surveyors change locations, and rooms that are proposed. */
export function mayChange(rights, kind, record) {
  return rights.edits || (rights.surveys
    && (kind === 'locations' || (kind === 'rooms' && record.proposed === true)));
}
