// Where something is, as people write it: coordinates or a link of a map. Floors by their signs.

const NUMBER = '(-?\\d{1,3}(?:[.,]\\d+)?)';
// Each finds latitude and longitude.
const FORMS = [
  new RegExp('mlat=' + NUMBER + '&(?:amp;)?mlon=' + NUMBER),
  new RegExp('[#?&]map=\\d+(?:\\.\\d+)?/' + NUMBER + '/' + NUMBER),
  new RegExp('@' + NUMBER + ',' + NUMBER),
  new RegExp('geo:' + NUMBER + ',' + NUMBER),
  new RegExp('[?&](?:q|ll|query|center)=(?:loc:)?' + NUMBER + '(?:,|%2C)\\s*' + NUMBER, 'i'),
  new RegExp('^\\s*' + NUMBER + '°?\\s*[NSns]?\\s*[,;\\s]\\s*' + NUMBER + '°?\\s*[EWew]?\\s*$'),
];
const GROUNDS = /^(0|g|gf|eg|e|rc|pb|l|lobby|ground.*|erdgeschoss|llawr gwaelod|ll?g)$/i;
const BELOW = /^(-\s*\d+|b\s*\d*|ug\s*\d*|u\s*\d*|lg|basement.*|keller.*|islawr.*)$/i;

/** Latitude and longitude of a text; null where it has none. */
export function placeOfText(text) {
  const found = FORMS.map((form) => form.exec(text)).find(Boolean);
  if (!found) return null;
  let [latitude, longitude] = [found[1], found[2]].map((one) => Number(one.replace(',', '.')));
  // Letters stand for signs: 51.5 S, 0.1 W.
  if (/^[^a-z]*s\b/i.test(text.slice(found.index))) latitude = -Math.abs(latitude);
  if (/w\s*$/i.test(text)) longitude = -Math.abs(longitude);
  if (!(Math.abs(latitude) <= 85) || !(Math.abs(longitude) <= 180)) return null;
  return { latitude, longitude };
}

/** The signs of floors in a text such as “B, G, 1, 2”, from the lowest up. */
export function signsOf(text) {
  return text.split(/[,;\n]+/).map((one) => one.trim()).filter(Boolean);
}

/** The place of each floor from below: 0 is that of the main entrance. */
export function ordinalsOf(signs) {
  const ground = signs.findIndex((sign) => GROUNDS.test(sign));
  const below = signs.filter((sign) => BELOW.test(sign)).length;
  const zero = ground >= 0 ? ground : Math.min(below, signs.length - 1);
  return signs.map((sign, i) => i - zero);
}

/** The sign of the floor above the highest, or below the lowest: 2 after 1, B2 under B1. */
export function nextSign(sign, isBelow) {
  const found = /^(\D*)(-?\d+)$/.exec(sign || '');
  if (!found) return isBelow ? '' : GROUNDS.test(sign || '') ? '1' : '';
  const number = Number(found[2]);
  if (!found[1]) return String(isBelow ? number - 1 : number + 1);
  return isBelow === BELOW.test(sign) ? found[1] + (number + 1) : '';
}
