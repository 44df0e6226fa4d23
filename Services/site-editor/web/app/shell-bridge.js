// The bridge to the shell that the page runs in: five functions, or c3nav's `mobileclient`.
//
// A shell gives the window `whereaboutsShell` with scanNow(), results(), permission(ask),
// share(url, title) and background(on). docs/phone-app.md says what each takes and gives.

const scanned = [];

/** Calls `listener(reading)` at new results of the shell: wifi and ble as /v1/locate has them. */
export function onScanned(listener) {
  scanned.push(listener);
}

function tellScanned() {
  const shell = bridge();
  if (!shell) return;
  const reading = shell.results();
  if (reading) scanned.forEach((listener) => listener(reading));
}

let found;

/** The bridge, or null in a plain browser. */
export function bridge() {
  if (found === undefined) {
    if (window.whereaboutsShell) found = ownBridge(window.whereaboutsShell);
    else if (window.mobileclient) found = mobileClient(window.mobileclient);
    else found = null;
    if (found) listen();
  }
  return found;
}

function listen() {
  window.whereaboutsScanned = tellScanned;
  window.nearby_stations_available = tellScanned;
  window.ibeacon_results_available = tellScanned;
  window.mobileclientOnPause = () => document.dispatchEvent(new Event('whereabouts-pause'));
  window.mobileclientOnResume = () => document.dispatchEvent(new Event('whereabouts-resume'));
}

function parse(text) {
  try {
    return typeof text === 'string' ? JSON.parse(text) : text;
  } catch (broken) {
    return null;
  }
}

function ownBridge(shell) {
  const call = (name, first, second) => {
    if (typeof shell[name] !== 'function') return undefined;
    return shell[name](first, second);
  };
  return {
    name: 'whereaboutsShell',
    scanNow: () => call('scanNow'),
    results: () => cleaned(parse(call('results'))),
    permission: (ask) => call('permission', ask) === true,
    share: (url, title) => call('share', url, title) !== undefined || 'share' in shell,
    background: (on) => call('background', on),
  };
}

function mobileClient(client) {
  return {
    name: 'mobileclient',
    scanNow: () => client.scanNow(),
    results: () => {
      const beacons = client.getNearbyBeacons ? parse(client.getNearbyBeacons()) : [];
      return cleaned({ wifi: parse(client.getNearbyStations()), ble: beacons });
    },
    permission: (ask) => {
      if (ask && client.checkLocationPermission) {
        return client.checkLocationPermission(true) === true;
      }
      return !client.hasLocationPermission || client.hasLocationPermission() === true;
    },
    share: (url) => {
      if (!client.shareUrl) return false;
      client.shareUrl(url);
      return true;
    },
    background: () => undefined,
  };
}

/** Readings in the form of /v1/locate; what can't be one is left out. */
export function cleaned(results) {
  if (!results || typeof results !== 'object') return null;
  const wifi = list(results.wifi).map(wifiReading).filter(Boolean).slice(0, 1000);
  const ble = list(results.ble).map(bluetoothReading).filter(Boolean).slice(0, 1000);
  const reading = { wifi, ble };
  ['steps', 'headingDegrees', 'speedMetresPerSecond', 'pressureHectopascals'].forEach((name) => {
    if (typeof results[name] === 'number') reading[name] = results[name];
  });
  return wifi.length || ble.length ? reading : null;
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

function wifiReading(one) {
  const rssi = typeof one.rssi === 'number' ? one.rssi : one.level;
  if (typeof one.bssid !== 'string' || typeof rssi !== 'number') return null;
  const reading = { bssid: one.bssid, rssi: Math.round(rssi) };
  if (typeof one.ssid === 'string') reading.ssid = one.ssid.slice(0, 32);
  if (typeof one.frequency === 'number') reading.frequency = Math.round(one.frequency);
  const age = typeof one.ageMilliseconds === 'number' ? one.ageMilliseconds : one.last;
  if (typeof age === 'number' && age >= 0) reading.ageMilliseconds = Math.round(age);
  const range = rangeOf(one);
  if (range) Object.assign(reading, range);
  return reading;
}

/** The distance by Wi-Fi RTT with its deviation: ours in metres, c3nav's in an object or metres. */
function rangeOf(one) {
  const own = one.distance && typeof one.distance === 'object' ? one.distance : one;
  const distance = Number(own.distance);
  const deviation = Number(own.distanceDeviation || own.distance_sd || own.stddev);
  if (!(distance >= 0) || !(deviation > 0)) return null;
  return { distance: Math.min(1000, distance), distanceDeviation: Math.max(0.01, deviation) };
}

function bluetoothReading(one) {
  const reading = { rssi: typeof one.rssi === 'number' ? Math.round(one.rssi) : 0 };
  if (typeof one.uuid === 'string') {
    reading.uuid = one.uuid;
    if (Number.isInteger(one.major)) reading.major = one.major;
    if (Number.isInteger(one.minor)) reading.minor = one.minor;
  } else if (typeof one.address === 'string') reading.address = one.address;
  else return null;
  if (typeof one.txPower === 'number') reading.txPower = Math.round(one.txPower);
  return reading;
}
