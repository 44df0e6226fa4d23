// The telephone's compass and gyroscope, by whichever interface the browser has.
//
// Readings are of magnetic north, as Android and iOS give them. Nothing starts unasked.

import { axesOfAngles, axesOfQuaternion, Heading, lookingDegrees } from './heading.js';

const SILENT_MILLISECONDS = 1500;

/** Whether the browser wants to be asked for the sensors, in a tap. */
export function asksForMotion() {
  const event = window.DeviceOrientationEvent;
  return Boolean(event && typeof event.requestPermission === 'function');
}

/** Asks for the sensors where the browser wants that; true if they may be used. */
export async function askForMotion() {
  if (!window.isSecureContext) return false;
  if (!asksForMotion()) return true;
  try {
    return await window.DeviceOrientationEvent.requestPermission() === 'granted';
  } catch (refused) {
    return false;
  }
}

/** The turn of the screen against the telephone, in degrees. */
function screenAngle() {
  if (screen.orientation) return screen.orientation.angle || 0;
  return Number(window.orientation) || 0;
}

/** Watches the compass. `changed(heading)` comes with each reading; `stop` ends it. */
export class Compass {
  constructor(changed) {
    this.heading = new Heading();
    this.changed = changed;
    this.relative = null;
    this.turned = (event) => this.take(event, false);
    this.turnedAbsolute = (event) => this.take(event, true);
    window.addEventListener('deviceorientation', this.turned);
    window.addEventListener('deviceorientationabsolute', this.turnedAbsolute);
    this.timer = setTimeout(() => this.startSensor(), SILENT_MILLISECONDS);
  }

  stop() {
    clearTimeout(this.timer);
    window.removeEventListener('deviceorientation', this.turned);
    window.removeEventListener('deviceorientationabsolute', this.turnedAbsolute);
    if (this.sensor) this.sensor.stop();
  }

  take(event, absolute) {
    if (typeof event.beta !== 'number' || typeof event.gamma !== 'number') return;
    const angle = screenAngle();
    const degreesOf = (alpha) => (
      lookingDegrees(axesOfAngles(alpha, event.beta, event.gamma), angle));
    const apple = typeof event.webkitCompassHeading === 'number' && event.webkitCompassHeading >= 0;
    if (apple) {
      const accuracy = event.webkitCompassAccuracy;
      this.put(degreesOf(360 - event.webkitCompassHeading), {
        // A negative accuracy says that there is none.
        stated: typeof accuracy === 'number' ? (accuracy < 0 ? 180 : accuracy) : undefined,
        relative: typeof event.alpha === 'number' ? degreesOf(event.alpha) : null,
      });
    } else if (typeof event.alpha === 'number') {
      if (absolute || event.absolute) this.put(degreesOf(event.alpha), { relative: this.relative });
      else this.relative = degreesOf(event.alpha);
    }
  }

  put(degrees, more) {
    if (degrees === null) return;
    this.heading.put(Object.assign({ degrees, at: performance.now() }, more));
    this.changed(this.heading);
  }

  /** A browser that sends no events may have the sensor itself. */
  startSensor() {
    if (this.heading.degrees() !== null || typeof window.AbsoluteOrientationSensor !== 'function') {
      return;
    }
    try {
      this.sensor = new window.AbsoluteOrientationSensor({ frequency: 20 });
      this.sensor.addEventListener('reading', () => {
        this.put(lookingDegrees(axesOfQuaternion(this.sensor.quaternion), screenAngle()), {});
      });
      this.sensor.addEventListener('error', () => null);
      this.sensor.start();
    } catch (refused) {
      this.sensor = null;
    }
  }
}
