// What the administration reckons: rates, silence, groups of findings, ids and secrets.

/** A scanner tells its health each minute. */
const SILENT_MILLISECONDS = 300000;
const MOST_CHARACTERS = 20000;
const ORDER = ['wrong', 'warning', "can't tell", 'ok'];
const SECRET_LETTERS = 24;
// 64 of them, so that each is as likely as the others.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Scans a minute between two reports of a scanner; null where they do not say. */
export function rateOf(before, now) {
  if (!before || !now || before.scans === undefined || now.scans === undefined) return null;
  const minutes = (Date.parse(now.at) - Date.parse(before.at)) / 60000;
  if (!(minutes > 0) || now.scans < before.scans) return null;
  return (now.scans - before.scans) / minutes;
}

/** Whether a scanner has not told its health for five minutes. */
export function isSilent(health, now) {
  return !health || !health.at || now - Date.parse(health.at) > SILENT_MILLISECONDS;
}

/** The doctor's findings by their result, what is wrong first. */
export function byResult(checks) {
  return ORDER.map((result) => ({ result, checks: checks.filter((one) => one.result === result) }))
    .filter((group) => group.checks.length);
}

/** The members of a value that is JSON, each on its line; else the text as it is. */
export function readable(text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch (notJSON) {
    // Letters often hold what is no JSON: that is why they were set aside.
  }
  return { text: shown.slice(0, MOST_CHARACTERS), isCut: shown.length > MOST_CHARACTERS };
}

/** A number of degrees from a text; null if it is none within the limit. */
export function degrees(text, limit) {
  const written = String(text).trim().replace(',', '.').replace('\u2212', '-');
  const value = Number(written);
  return written !== '' && Number.isFinite(value) && Math.abs(value) <= limit ? value : null;
}

/** An id from a name: small letters and digits, with hyphens between. */
export function idOf(name) {
  return name.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase()
    .replace(/[^a-z0-9]+/g, '-').slice(0, 64).replace(/^-+|-+$/g, '');
}

/** A secret for the site's link, of the browser's own chance. */
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_LETTERS));
  return Array.from(bytes).map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** A part of the address `/v1/dead-letters/` for one letter. */
export function letterPath(id) {
  return '/v1/dead-letters/' + id.split('/').map(encodeURIComponent).join('/');
}
