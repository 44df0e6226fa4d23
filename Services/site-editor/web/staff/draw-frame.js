// A site's flat frame of metres and its place on the earth: the service's LocalFrame, for the map.
//
// The ellipsoidal orthographic projection, turned by the bearing (EPSG method 9840).

const AXIS_METRES = 6378137;
const ECCENTRICITY_SQUARED = 0.006694379990141316;
const STEPS = 5;

const radians = (degrees) => (degrees * Math.PI) / 180;
const degrees = (angle) => (angle * 180) / Math.PI;
const wrapped = (angle) => angle - 360 * Math.round(angle / 360);

/** The radius of curvature in the prime vertical. */
function normalRadius(sine) {
  return AXIS_METRES / Math.sqrt(1 - ECCENTRICITY_SQUARED * sine * sine);
}

function meridianRadius(sine) {
  const share = 1 - ECCENTRICITY_SQUARED * sine * sine;
  return (AXIS_METRES * (1 - ECCENTRICITY_SQUARED)) / (share * Math.sqrt(share));
}

export class DrawFrame {
  /** `origin` has latitude and longitude; the y axis is `bearingDegrees` clockwise from north. */
  constructor(origin, bearingDegrees) {
    this.origin = origin;
    this.bearingDegrees = bearingDegrees;
    this.sine = Math.sin(radians(origin.latitude));
    this.cosine = Math.cos(radians(origin.latitude));
    this.normal = normalRadius(this.sine);
    this.sineBearing = Math.sin(radians(bearingDegrees));
    this.cosineBearing = Math.cos(radians(bearingDegrees));
  }

  /** Whether somebody has said where the site is. */
  get isPlaced() {
    return this.origin.latitude !== 0 || this.origin.longitude !== 0;
  }

  /** Metres of a place in degrees. */
  point(latitude, longitude) {
    const [east, north] = this.eastNorth(
      radians(latitude), radians(wrapped(longitude - this.origin.longitude)));
    return [
      east * this.cosineBearing - north * this.sineBearing,
      east * this.sineBearing + north * this.cosineBearing,
    ];
  }

  /** Latitude and longitude of a point in metres, by Newton's method. */
  degrees(point) {
    const east = point[0] * this.cosineBearing + point[1] * this.sineBearing;
    const north = -point[0] * this.sineBearing + point[1] * this.cosineBearing;
    let latitude = radians(this.origin.latitude);
    let turn = 0;
    for (let i = 0; i < STEPS; i += 1) {
      const at = this.eastNorth(latitude, turn);
      const sine = Math.sin(latitude);
      const cosine = Math.cos(latitude);
      const normal = normalRadius(sine);
      const meridian = meridianRadius(sine);
      const eastByLatitude = -meridian * sine * Math.sin(turn);
      const eastByTurn = normal * cosine * Math.cos(turn);
      const northByLatitude = meridian
        * (cosine * this.cosine + sine * this.sine * Math.cos(turn));
      const northByTurn = normal * this.sine * cosine * Math.sin(turn);
      const determinant = eastByLatitude * northByTurn - eastByTurn * northByLatitude;
      if (!determinant) break;
      const missing = [east - at[0], north - at[1]];
      latitude += (missing[0] * northByTurn - missing[1] * eastByTurn) / determinant;
      turn += (missing[1] * eastByLatitude - missing[0] * northByLatitude) / determinant;
    }
    return [degrees(latitude), wrapped(this.origin.longitude + degrees(turn))];
  }

  eastNorth(latitude, turn) {
    const sine = Math.sin(latitude);
    const cosine = Math.cos(latitude);
    const normal = normalRadius(sine);
    const east = normal * cosine * Math.sin(turn);
    const turned = sine * this.cosine - cosine * this.sine * Math.cos(turn);
    const flattening = ECCENTRICITY_SQUARED * (this.normal * this.sine - normal * sine)
      * this.cosine;
    return [east, normal * turned + flattening];
  }
}
