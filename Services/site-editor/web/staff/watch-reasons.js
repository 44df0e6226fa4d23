// The reasons for a position: what is drawn of an explanation, and why this floor, as sentences.

import { number, t, tn } from '/app/words.js';

const LEAST_SHARE = 0.005;

/** A share in words. */
export function percent(share) {
  return t('watch.percent', { number: number(100 * share, share < 0.1 ? 1 : 0) });
}

/** The address of a transmitter's id, such as `wifi/00:62:ec:fd:ec:50`: six bytes in hex. */
export function addressOf(transmitter) {
  const parts = /^wifi\/(.+)$/.exec(String(transmitter || ''));
  const hex = parts ? parts[1].replace(/[^0-9a-f]/gi, '').toLowerCase() : '';
  return hex.length === 12 ? hex : '';
}

/** What is drawn: the position, the candidates by their shares, and the places of access points. */
export function drawnOf(explained, places) {
  const { position } = explained;
  const whole = explained.candidates.reduce((sum, one) => sum + one.weight, 0) || 1;
  const byAddress = new Map(places.map((one) => [
    String(one.address).replace(/[^0-9a-f]/gi, '').toLowerCase(), one]));
  const transmitters = [];
  explained.readings.forEach((reading) => {
    const place = byAddress.get(addressOf(reading.transmitter));
    if (place && typeof place.latitude === 'number') {
      transmitters.push({
        floor: place.floor, latitude: place.latitude, longitude: place.longitude,
        rssi: reading.rssi, use: reading.use,
      });
    }
  });
  return {
    at: typeof position.latitude === 'number' ? position : null,
    candidates: explained.candidates.filter((one) => typeof one.latitude === 'number')
      .map((one, at) => {
        const share = one.weight / whole;
        return Object.assign({}, one, { share, label: at < 3 ? percent(share) : '' });
      }).filter((one) => one.share >= LEAST_SHARE),
    transmitters,
  };
}

/** The reason for the floor, as sentences. */
export function floorReasons(explained, floorName) {
  const { position, floors, floorChange, again } = explained;
  if (!position.floor) return [t('watch.why.noFloor')];
  const name = floorName(position.floor);
  const own = floors.find((one) => one.floor === position.floor);
  const other = floors.filter((one) => one.floor !== position.floor)
    .sort((one, two) => two.share - one.share)[0];
  const reasons = [];
  if (own) {
    reasons.push(other && other.share > LEAST_SHARE
      ? t('watch.why.floor', {
        floor: name, share: percent(own.share), other: floorName(other.floor),
        rest: percent(other.share),
      }) : t('watch.why.onlyFloor', { floor: name, share: percent(own.share) }));
  } else if (floors.length) reasons.push(t('watch.why.held', { floor: name }));
  if (floorChange) {
    reasons.push(t('watch.why.changed', {
      from: floorName(floorChange.from), to: floorName(floorChange.to),
      share: percent(floorChange.shareTo),
    }));
    if (typeof floorChange.rememberedFrom === 'number') {
      reasons.push(t('watch.why.remembered', {
        from: floorName(floorChange.from), before: percent(floorChange.rememberedFrom),
        after: percent(floorChange.afterFrom || 0),
      }));
    }
    if (typeof floorChange.metresToOtherFloors === 'number') {
      reasons.push(t('watch.why.stairs', { metres: number(floorChange.metresToOtherFloors) }));
    }
  }
  if (again && again.scansBefore) reasons.push(tn('watch.why.scans', again.scansBefore));
  return reasons;
}
