// Where scans come from: the shell in which the page runs, or a scanner on a wall.

import { bridge, onScanned } from '/app/shell-bridge.js';
import { ask, query, sitePath } from '/app/service.js';

// Telephones give the same results again if they are asked more often.
const PHONE_MILLISECONDS = 3000;
const SILENT_MILLISECONDS = 20000;
const SCANNER_SECONDS = 20;
const WAIT_SECONDS = 25;
const SCANNER_PAUSE_MILLISECONDS = 1500;
const FAULT_PAUSE_MILLISECONDS = 5000;
const SENSORS = ['headingDegrees', 'pressureHectopascals'];

let listener = null;
let isListening = false;

/** Whether the page runs in a shell that scans. */
export function canScan() {
  return Boolean(bridge());
}

/** What a survey has of a scan: the readings, and sensors that stand alone. */
export function readingOf(scan) {
  const reading = { wifi: scan.wifi || [], ble: scan.ble || [] };
  SENSORS.forEach((name) => {
    if (typeof scan[name] === 'number') reading[name] = scan[name];
  });
  return reading;
}

/** Scans of the telephone. `found(scan)` has at and reading; `failed(key)` names what is wrong. */
class PhoneScans {
  constructor(found, failed) {
    this.found = found;
    this.failed = failed;
    this.last = '';
  }

  start() {
    const shell = bridge();
    if (!shell) {
      this.failed('survey.noBridge');
      return;
    }
    if (!shell.permission(true)) this.failed('survey.noPermission');
    if (!isListening) {
      onScanned((reading) => {
        if (listener) listener(reading);
      });
      isListening = true;
    }
    listener = (reading) => this.take(reading);
    this.heardAt = Date.now();
    const scan = () => {
      shell.scanNow();
      if (Date.now() - this.heardAt > SILENT_MILLISECONDS) this.failed('survey.silent');
    };
    this.timer = setInterval(scan, PHONE_MILLISECONDS);
    scan();
  }

  take(reading) {
    const text = JSON.stringify(reading);
    // A telephone that may not scan so often repeats its last results.
    if (text === this.last) return;
    this.last = text;
    this.heardAt = Date.now();
    this.found({ at: Date.now(), reading: readingOf(reading) });
  }

  stop() {
    clearInterval(this.timer);
    listener = null;
  }
}

/** Scans of a scanner, which is asked again and again. They are not stored by the service. */
class ScannerScans {
  constructor(site, scanner, found, failed) {
    this.site = site;
    this.scanner = scanner;
    this.found = found;
    this.failed = failed;
  }

  start() {
    this.control = new AbortController();
    this.run(this.control.signal);
  }

  async run(signal) {
    while (!signal.aborted) {
      let pause = SCANNER_PAUSE_MILLISECONDS;
      try {
        const scan = await this.scan(signal);
        if (signal.aborted) return;
        if (scan) {
          const at = Date.parse(scan.at);
          this.found({
            at: Number.isNaN(at) ? Date.now() : at, reading: readingOf(scan), device: this.scanner,
          });
        } else this.failed('survey.scannerSilent');
      } catch (fault) {
        if (signal.aborted) return;
        this.failed(fault.code === 'scanner-away' ? 'survey.scannerAway' : 'survey.scannerFault',
          fault);
        pause = Math.max(FAULT_PAUSE_MILLISECONDS, (fault.retryAfter || 0) * 1000);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async scan(signal) {
    const wish = { scanner: this.scanner, store: false, timeoutSeconds: SCANNER_SECONDS };
    const asked = await ask(sitePath(this.site, 'scan-requests'), {
      method: 'POST', body: wish, signal,
    });
    const path = '/v1/scan-requests/' + encodeURIComponent(asked.id) + '/result'
      + query({ wait: WAIT_SECONDS });
    const answer = await ask(path, { signal });
    const own = answer.results.find((one) => one.scanner === this.scanner);
    return own && own.scan ? own.scan : null;
  }

  stop() {
    if (this.control) this.control.abort();
  }
}

/** Scans of a source: `phone`, or the id of a scanner. */
export function scansOf(site, source, found, failed) {
  return source === 'phone' ? new PhoneScans(found, failed)
    : new ScannerScans(site, source, found, failed);
}
