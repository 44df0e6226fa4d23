// What a scanner or a telephone receives: of each transmitter how often, how strong, how steady.

/** The transmitter of a reading, as the radio map writes it. */
export function transmitterOf(reading) {
  if (reading.bssid) return 'wifi/' + reading.bssid.toLowerCase();
  if (reading.uuid) {
    const numbers = [reading.major, reading.minor].filter((one) => one !== undefined);
    return ['ble', reading.uuid.toLowerCase()].concat(numbers).join('/');
  }
  return 'ble/' + String(reading.address).toLowerCase();
}

/** How many readings a scan has. */
export function readingsOf(scan) {
  return (scan.wifi || []).length + (scan.ble || []).length;
}

/** Sums up scans. The mean and the deviation are of dBm (Welford 1962). */
export class Signals {
  constructor() {
    this.scans = 0;
    this.readings = 0;
    this.known = new Map();
  }

  add(scan, at) {
    this.scans += 1;
    // An iBeacon may be in a scan several times: each counts, but the scan once.
    const present = new Set();
    (scan.wifi || []).concat(scan.ble || []).forEach((reading) => {
      const id = transmitterOf(reading);
      if (!this.known.has(id)) {
        this.known.set(id, {
          id, name: '', reading, scans: 0, count: 0, mean: 0, squares: 0, last: 0, at: 0,
        });
      }
      const one = this.known.get(id);
      if (reading.ssid) one.name = reading.ssid;
      one.count += 1;
      const away = reading.rssi - one.mean;
      one.mean += away / one.count;
      one.squares += away * (reading.rssi - one.mean);
      one.last = reading.rssi;
      one.at = at;
      this.readings += 1;
      if (!present.has(id)) one.scans += 1;
      present.add(id);
    });
  }

  /** The transmitters, the strongest first. `deviation` is null for a single reading. */
  list() {
    return Array.from(this.known.values()).map((one) => Object.assign({}, one, {
      deviation: one.count > 1 ? Math.sqrt(one.squares / (one.count - 1)) : null,
      rate: this.scans ? one.scans / this.scans : 0,
    })).sort((one, other) => other.mean - one.mean || (one.id < other.id ? -1 : 1));
  }
}
