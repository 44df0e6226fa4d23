// What a surveyor sees of one floor: its plan, its places, its surveys, and what the coach says.

import { ask, query, sitePath } from '/app/service.js';
import { coveredShare, distances, fitFrame, placeOfRecord, placesOf, pointsLeft }
  from './survey-model.js';
import { gridOf, planPoints } from './survey-plan.js';

const PAGE = 1000;
const MOST_PAGES = 10;
const MOST_ADVICE = 50;
// A point of the plan counts as surveyed within this distance of a survey.
const POINT_METRES = 3.5;
const ENOUGH_PAIRS = 3;

/** A list in pages, at most so many. */
async function readAll(path, members, list) {
  let all = [];
  let after = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await ask(path + query(Object.assign({ limit: PAGE, after }, members)));
    all = all.concat(answer[list] || []);
    after = answer.next;
    if (!after) break;
  }
  return { all, isCut: Boolean(after) };
}

/** The same, empty where the service has no such list: the site was never published, or may not. */
async function readIfAny(path, members, list) {
  return readAll(path, members, list).catch((fault) => {
    if (fault.status === 404 || fault.status === 403) return { all: [], isCut: false };
    throw fault;
  });
}

export class SurveyFloor {
  constructor(site, draft, queue, id) {
    this.site = site;
    this.draft = draft;
    this.queue = queue;
    this.id = id;
    this.rooms = [];
    this.locations = [];
    this.published = new Set();
    this.surveys = [];
    this.quality = [];
    this.figures = null;
    this.coach = null;
    this.gaps = [];
    this.radio = { beacons: [], 'access-point-places': [], scanners: [] };
    this.frame = null;
    this.grid = { step: 2, cells: [] };
    this.plan = [];
  }

  /** Reads the plan once, and what surveys say. */
  async read() {
    if (!this.reading) {
      this.reading = Promise.all([this.readPlan(), this.readRecords(), this.readSurveys()])
        .catch((fault) => {
          this.reading = null;
          throw fault;
        });
    }
    await this.reading;
    return this;
  }

  path(kind) {
    return sitePath(this.site.id, kind);
  }

  async readPlan() {
    const members = { version: 'draft', floor: this.id };
    const [rooms, metres] = await Promise.all([
      readAll(this.path('rooms'), Object.assign({ coordinates: 'wgs84' }, members), 'rooms'),
      ask(this.path('rooms') + query(Object.assign({ limit: 20 }, members))),
    ]);
    this.rooms = rooms.all;
    this.readFrame(metres.rooms || []);
    this.grid = gridOf(this.rooms);
    this.plan = planPoints(this.rooms);
  }

  /** The site's metres, from corners of rooms that are read in both forms. */
  readFrame(inMetres) {
    const pairs = [];
    inMetres.forEach((room) => {
      const other = this.rooms.find((one) => one.id === room.id);
      if (!other || !room.outline || !other.outline) return;
      room.outline.forEach((corner, index) => {
        const placed = other.outline[index];
        if (placed) {
          pairs.push({
            x: corner[0], y: corner[1], latitude: placed.latitude, longitude: placed.longitude,
          });
        }
      });
    });
    if (pairs.length >= ENOUGH_PAIRS) this.frame = fitFrame(pairs);
  }

  /** Locations and transmitters of the draft, and which locations are published. */
  async readRecords() {
    const members = { version: 'draft', floor: this.id, coordinates: 'wgs84' };
    const kinds = Object.keys(this.radio);
    const lists = { beacons: 'beacons', 'access-point-places': 'accessPointPlaces' };
    const [locations, published, ...radio] = await Promise.all([
      readAll(this.path('locations'), members, 'locations'),
      readIfAny(this.path('locations'), { floor: this.id }, 'locations'),
    ].concat(kinds.map((kind) => readIfAny(this.path(kind), members, lists[kind] || kind))));
    this.locations = locations.all;
    this.published = new Set(published.all.map((one) => one.id));
    kinds.forEach((kind, index) => { this.radio[kind] = radio[index].all; });
  }

  /** The surveys, the quality of the radio map, and the coach's advice. */
  async readSurveys() {
    const floor = { floor: this.id };
    const [surveys, quality, coach] = await Promise.all([
      readIfAny(this.path('surveys'), floor, 'surveys'),
      ask(this.path('survey-quality') + query(Object.assign({ limit: PAGE }, floor)))
        .catch((fault) => this.none(fault)),
      ask(this.path('survey-coach') + query(Object.assign({ count: MOST_ADVICE }, floor)))
        .catch((fault) => this.none(fault)),
    ]);
    this.surveys = surveys.all;
    this.isCut = surveys.isCut;
    this.quality = quality ? quality.places : [];
    const own = quality && quality.floors.find((one) => one.floor === this.id);
    const before = this.figures;
    this.figures = own ? Object.assign({ version: quality.radioMapVersion }, own) : null;
    if (before && this.figures && this.figures.version !== before.version
      && typeof before.expectedError === 'number'
      && typeof this.figures.expectedError === 'number') {
      this.gained = { from: before.expectedError, to: this.figures.expectedError };
    }
    this.coach = coach && coach.radioMapVersion ? coach : null;
    this.gaps = coach ? coach.magneticGaps : [];
  }

  none(fault) {
    if (fault.status === 404 || fault.status === 403) return null;
    throw fault;
  }

  // MARK: With what waits in this browser

  /** The draft's locations with the edits that wait. */
  shownLocations() {
    const known = new Map(this.locations.map((one) => [one.id, one]));
    this.draft.queue.waiting().filter((one) => one.kind === 'locations').forEach((edit) => {
      if (edit.do === 'put' && edit.value.floor === this.id) {
        known.set(edit.record, Object.assign({ id: edit.record }, edit.value));
      } else if (edit.do === 'remove') known.delete(edit.record);
      else if (edit.do === 'patch' && known.has(edit.record)) {
        known.set(edit.record, Object.assign({}, known.get(edit.record), edit.value));
      }
    });
    return Array.from(known.values());
  }

  /** Surveys of this browser that the service does not list yet. */
  ownSurveys() {
    const listed = new Set(this.surveys.map((one) => one.id));
    const here = new Set(this.shownLocations().map((one) => one.id));
    return this.queue.items.filter((one) => one.do === 'survey' && !listed.has(one.id)
      && (one.state === 'waiting' || one.state === 'sent')).map((one) => (
      Object.assign({}, one.body.place, {
        id: one.id, at: one.body.at, state: 'taken',
        readings: one.body.wifi.length + one.body.ble.length,
        isSent: one.state === 'sent',
      }))).filter((one) => (one.location ? here.has(one.location) : one.floor === this.id));
  }

  /** The listed surveys, without those that this browser has withdrawn since. */
  shownSurveys() {
    const withdrawn = new Set(this.queue.items.filter((one) => one.state === 'withdrawn')
      .map((one) => one.id));
    this.queue.waiting().filter((one) => one.do === 'withdraw')
      .forEach((one) => withdrawn.add(one.survey));
    return this.surveys.filter((one) => !withdrawn.has(one.id));
  }

  /** From when on the draft counts the surveys of a location that was cleared. */
  cleared() {
    const since = new Map();
    const undone = this.draft.undoneRevisions();
    this.draft.journal.forEach((edit) => {
      if (edit.do !== 'clear' || edit.kind !== 'locations' || undone.has(edit.revision)) return;
      since.set(edit.record, Date.parse(edit.at));
    });
    return since;
  }

  /** The places with their states; kept until something changes. */
  places() {
    const own = this.ownSurveys();
    return placesOf({
      locations: this.shownLocations(), published: this.published,
      surveys: this.shownSurveys().concat(own.filter((one) => one.isSent)),
      quality: this.quality, waiting: own.filter((one) => !one.isSent), cleared: this.cleared(),
      frame: this.frame, now: Date.now(),
    });
  }

  /** The surveys of a place, the newest first. */
  surveysOf(place) {
    const all = this.shownSurveys().concat(this.ownSurveys());
    const near = place.id ? (one) => one.location === place.id : (one) => {
      if (one.location) return false;
      const at = placeOfRecord(one, this.frame);
      return at && distances([at], [place.place])[0] <= 1.5;
    };
    return all.filter(near).sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  }

  /** Where surveys that count were made. */
  surveyed(places) {
    return (places || this.places()).filter((one) => one.surveys > 0).map((one) => one.place);
  }

  /**
   * The points to go to: the coach's once there is a radio map, else those of the plan that no
   * survey is near to. Of each the place, the room, and what it gains.
   */
  points(places) {
    const surveyed = this.surveyed(places);
    if (this.coach && this.coach.places.length) {
      // What was surveyed since the coach looked is done.
      const since = this.ownSurveys().map((one) => this.placeOfSurvey(one, places))
        .filter(Boolean);
      return pointsLeft(this.coach.places.map((one) => ({
        place: { latitude: one.latitude, longitude: one.longitude }, room: one.room || '',
        gain: one.gain, gainHere: one.gainHere, expectedError: one.expectedError,
      })), since, POINT_METRES);
    }
    return pointsLeft(this.plan, surveyed, POINT_METRES);
  }

  placeOfSurvey(survey, places) {
    if (!survey.location) return placeOfRecord(survey, this.frame);
    const found = (places || []).find((one) => one.id === survey.location);
    return found ? found.place : null;
  }

  /** The share of the floor that is near a survey. */
  covered(places) {
    return coveredShare(this.away(places));
  }

  /** The distance from each square to the nearest survey, computed once for each list of places. */
  away(places) {
    if (this.awayOf !== places || !this.awayAll) {
      this.awayOf = places;
      this.awayAll = distances(this.grid.cells, this.surveyed(places));
    }
    return this.awayAll;
  }

  /** A room of the floor by its id, or null. */
  room(id) {
    return this.rooms.find((one) => one.id === id) || null;
  }

  /** Squares with figures for the picture: metres to the nearest survey, or the expected error. */
  heat(kind, places) {
    if (kind === 'coverage') {
      const values = this.away(places);
      return {
        step: this.grid.step,
        cells: this.grid.cells.map((place, index) => ({ place, value: values[index] })),
      };
    }
    const expected = this.coach && this.coach.expected;
    if (kind !== 'error' || !expected || !this.frame) return { step: 0, cells: [] };
    return {
      step: expected.stepMetres,
      cells: expected.spots.map(([x, y, value]) => ({ place: this.frame.degrees(x, y), value })),
    };
  }

  /** Where more beacons would help most; empty before the coach has looked. */
  beaconAdvice() {
    const expected = this.coach && this.coach.expected;
    return expected ? expected.beacons : [];
  }
}
