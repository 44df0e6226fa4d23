// The file of a plan: what may be sent, sending it, and the page of a PDF as a picture.

import { Fault, openNewSession, openSession, query } from '/app/service.js';

const MEGABYTE = 1000000;
const TYPES = {
  'application/pdf': { most: 20 }, 'image/png': { most: 20 }, 'image/jpeg': { most: 20 },
  'image/webp': { most: 20 }, 'image/svg+xml': { most: 2 },
};
const ENDINGS = {
  pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg',
  webp: 'image/webp', svg: 'image/svg+xml',
};
// Browsers refuse larger pictures, telephones long before.
const MOST_PIXELS = 16000;
const MOST_AREA = 100 * MEGABYTE;
// From the finest: a large sheet gives a picture that is too large.
const RESOLUTIONS = [150, 100, 72, 50, 36];

/** What a field of files takes. */
export const ACCEPTED = Object.keys(ENDINGS).map((one) => '.' + one)
  .concat(Object.keys(TYPES)).join(',');

/** The media type of a file by its name, where the browser says none. */
export function typeOfFile(file) {
  const ending = (file.name || '').toLowerCase().split('.').pop();
  return file.type in TYPES ? file.type : ENDINGS[ending] || '';
}

/** Why a file is not sent: the key of a sentence and its values; null where it is fine. */
export function faultOfFile(file) {
  const type = typeOfFile(file);
  if (!type) return { key: 'draw.file.type' };
  if (!file.size) return { key: 'draw.file.empty' };
  const { most } = TYPES[type];
  return file.size > most * MEGABYTE ? { key: 'draw.file.large', values: { most } } : null;
}

/** Why a picture is not shown: it has too many pixels. */
export function faultOfSize(wide, high) {
  const isTooLarge = wide > MOST_PIXELS || high > MOST_PIXELS || wide * high > MOST_AREA;
  return isTooLarge ? {
    key: 'draw.file.pixels', values: { wide, high, most: MOST_PIXELS },
  } : null;
}

async function post(path, type, body, signal) {
  const send = async (session) => {
    const headers = { accept: 'application/json' };
    if (session.changeToken) headers['x-change-token'] = session.changeToken;
    if (type) headers['content-type'] = type;
    let answer;
    try {
      answer = await fetch(path, {
        method: 'POST', headers, body, signal, credentials: 'same-origin',
      });
    } catch (failure) {
      if (failure && failure.name === 'AbortError') throw failure;
      throw new Fault(0);
    }
    const value = await answer.json().catch(() => null);
    if (answer.ok && value) return value;
    throw new Fault(answer.status, value);
  };
  try {
    return await send(await openSession());
  } catch (fault) {
    if (fault.status !== 401 && fault.code !== 'change-token-wrong') throw fault;
    return send(await openNewSession());
  }
}

/** Sends a file; gives the service's reference to it, with its size where it is a picture. */
export function sendFile(file, site, signal) {
  return post('/v1/media' + query({ site }), typeOfFile(file), file, signal);
}

/** The picture of a page of a PDF, as fine as the service can draw it. */
export async function pictureOfPage(hash, page, site, finest, signal) {
  const left = RESOLUTIONS.filter((one) => one <= finest);
  for (let i = 0; i < left.length; i += 1) {
    try {
      const members = query({ page, dotsPerInch: left[i], site });
      const kept = await post('/v1/media/' + hash + '/picture' + members, null, undefined, signal);
      if (!faultOfSize(kept.widthPixels, kept.heightPixels) || i === left.length - 1) return kept;
    } catch (fault) {
      const isTooLarge = fault.code === 'page-unreadable' && /too large/.test(fault.message);
      if (!isTooLarge || i === left.length - 1) throw fault;
    }
  }
  return null;
}

/** How many pages a PDF says it has; 0 where that is packed and can't be read here. */
export async function countPages(file) {
  const bytes = new Uint8Array(await new Response(file).arrayBuffer());
  let text = '';
  const step = 32768;
  for (let i = 0; i < bytes.length; i += step) {
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + step));
  }
  return pagesOf(text);
}

/** The greatest count of a tree of pages, else the number of pages. */
export function pagesOf(text) {
  const trees = (text.match(/\/Type\s*\/Pages\b[^>]*?\/Count\s+\d+/g) || [])
    .concat(text.match(/\/Count\s+\d+[^>]*?\/Type\s*\/Pages\b/g) || []);
  if (trees.length) return Math.max(...trees.map((one) => Number(/\/Count\s+(\d+)/.exec(one)[1])));
  return (text.match(/\/Type\s*\/Page\b(?!s)/g) || []).length;
}
