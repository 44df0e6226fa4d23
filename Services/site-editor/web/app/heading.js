// In which direction a telephone looks, from the angles of its sensors, and how sure that is.
//
// The formulas follow the W3C's "Device Orientation and Motion": a telephone is turned by alpha
// about its z axis, then by beta about x, then by gamma about y. North is that of the sensor.

import { turnBetween, turned } from './measuring.js';

const WINDOW_MILLISECONDS = 5000;
const SMOOTH_MILLISECONDS = 250;
const ENOUGH = 5;
/** Beyond this the arrow of the camera view becomes text and a plan. */
export const MOST_ERROR = 30;
/** The error that counts where no sensor states one: the declination, and iron in walls. */
export const USUAL_ERROR = 15;

/** The axes of a telephone as east, north, up: `right` and `top` of it, its camera's look. */
export function axesOfAngles(alpha, beta, gamma) {
  const radians = [alpha, beta, gamma].map((degrees) => (degrees * Math.PI) / 180);
  const [ca, cb, cg] = radians.map(Math.cos);
  const [sa, sb, sg] = radians.map(Math.sin);
  return {
    right: [ca * cg - sa * sb * sg, sa * cg + ca * sb * sg, -cb * sg],
    top: [-sa * cb, ca * cb, sb],
    camera: [-(ca * sg + sa * sb * cg), -(sa * sg - ca * sb * cg), -cb * cg],
  };
}

/** The same from a sensor's quaternion: x, y, z, w. */
export function axesOfQuaternion(quaternion) {
  const [x, y, z, w] = quaternion;
  return {
    right: [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    top: [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    camera: [-2 * (x * z + y * w), -2 * (y * z - x * w), -(1 - 2 * (x * x + y * y))],
  };
}

/**
 * The direction in which somebody looks who holds the telephone: that of its camera if it is held
 * up, that of the upper edge of what it shows if it lies flat, and a mix of both between.
 * `screenAngle` is the screen's turn against the telephone. Null if it looks straight up or down.
 */
export function lookingDegrees(axes, screenAngle) {
  const angle = ((screenAngle || 0) * Math.PI) / 180;
  const upper = [0, 1].map((i) => axes.right[i] * Math.sin(angle) + axes.top[i] * Math.cos(angle));
  const camera = axes.camera;
  const level = Math.hypot(camera[0], camera[1]);
  const share = Math.max(0, Math.min(1, (level - 0.35) / 0.3));
  const flat = Math.hypot(upper[0], upper[1]);
  const mix = [0, 1].map((i) => (level > 0 ? (camera[i] / level) * share : 0)
    + (flat > 0 ? (upper[i] / flat) * (1 - share) : 0));
  if (Math.hypot(mix[0], mix[1]) < 0.1) return null;
  return turned((Math.atan2(mix[0], mix[1]) * 180) / Math.PI);
}

/** Readings of the last seconds: the direction now, and how far it may be off. */
export class Heading {
  constructor() {
    this.readings = [];
    this.corrected = 0;
  }

  /**
   * Takes a reading: `degrees` by the compass, `stated` its error if the sensor states one, and
   * `relative`, the same direction by the gyroscope alone, from any beginning.
   */
  put(reading) {
    this.readings.push(reading);
    while (reading.at - this.readings[0].at > WINDOW_MILLISECONDS) this.readings.shift();
  }

  /** The direction in which one looks is this one: the compass is corrected by what it is off. */
  correct(degrees) {
    const now = this.degrees();
    if (now !== null) this.corrected = turned(this.corrected + turnBetween(now, degrees));
  }

  /** The direction, smoothed over a quarter of a second; null without readings. */
  degrees() {
    const last = this.readings[this.readings.length - 1];
    if (!last) return null;
    const recent = this.readings.filter((one) => last.at - one.at < SMOOTH_MILLISECONDS);
    const turns = recent.map((one) => turnBetween(last.degrees, one.degrees));
    const mean = turns.reduce((sum, one) => sum + one, 0) / turns.length;
    return turned(last.degrees + mean + this.corrected);
  }

  /** Within which it is with 95 %: as stated, or by how far compass and gyroscope part. */
  error() {
    const last = this.readings[this.readings.length - 1];
    if (!last) return 180;
    const stated = typeof last.stated === 'number' ? last.stated : USUAL_ERROR;
    return Math.min(180, Math.max(stated, this.spread()));
  }

  /** Twice the deviation of the compass from the gyroscope; turning about does not count. */
  spread() {
    const both = this.readings.filter((one) => typeof one.relative === 'number');
    if (both.length < ENOUGH) return 0;
    const first = both[0].degrees - both[0].relative;
    const parts = both.map((one) => turnBetween(first, one.degrees - one.relative));
    const mean = parts.reduce((sum, one) => sum + one, 0) / parts.length;
    const square = parts.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    return 2 * Math.sqrt(square / parts.length);
  }
}
