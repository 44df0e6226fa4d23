/// A new radio map is ready (topic `radio-maps`, key `site`).
public struct RadioMapAnnounced: Hashable, Sendable {
    public var site: SiteID
    /// The number of this radio map among those of the site, from 1.
    public var version: Int
    /// SHA-256 of the radio map as one file, in hex. fingerprint-builder serves it under this hash.
    public var hash: String
    public var byteCount: Int
    /// The version of the site in which the surveys' places were looked up.
    public var siteVersion: Int
    /// For each partition of `survey-records`, the offset of the first survey that is not in this
    /// radio map. In announcements of earlier releases, of `surveys`.
    public var surveyOffsets: [Int64]
    public var builderVersion: String
    public var builtAt: Timestamp
    public var fingerprints: Int
    public var accessPoints: Int
    /// The parts that are joined to the radio map, by building. Empty for a map that is empty or in
    /// one file, as those of earlier releases.
    public var parts: [Part]

    /// The part of a radio map in one building.
    public struct Part: Hashable, Sendable {
        public var building: BuildingID
        /// SHA-256 of the part's file, in hex.
        public var hash: String
        public var byteCount: Int

        public init(building: BuildingID, hash: String, byteCount: Int) {
            self.building = building
            self.hash = hash
            self.byteCount = byteCount
        }
    }

    public init(
        site: SiteID, version: Int, hash: String, byteCount: Int, siteVersion: Int,
        surveyOffsets: [Int64], builderVersion: String, builtAt: Timestamp, fingerprints: Int,
        accessPoints: Int, parts: [Part] = []
    ) {
        self.site = site
        self.version = version
        self.hash = hash
        self.byteCount = byteCount
        self.siteVersion = siteVersion
        self.surveyOffsets = surveyOffsets
        self.builderVersion = builderVersion
        self.builtAt = builtAt
        self.fingerprints = fingerprints
        self.accessPoints = accessPoints
        self.parts = parts
    }
}

/// The positioner that was chosen for a radio map (topic `radio-maps`, key `site/positioner`).
public struct PositionerChosen: Hashable, Sendable {
    public var site: SiteID
    /// The radio map that the choice was made for.
    public var radioMapVersion: Int
    /// The hash of that radio map's file.
    public var hash: String
    /// The positioner with all its parameters, written as in `WHEREABOUTS_POSITIONER`.
    public var positioner: String
    /// The mean error in cross-validation, in metres; nil for a radio map that is too small for it.
    public var meanErrorMetres: Double?
    /// The share of correct floors in cross-validation.
    public var floorHit: Double?
    public var chosenAt: Timestamp

    public init(
        site: SiteID, radioMapVersion: Int, hash: String, positioner: String,
        meanErrorMetres: Double?, floorHit: Double?, chosenAt: Timestamp
    ) {
        self.site = site
        self.radioMapVersion = radioMapVersion
        self.hash = hash
        self.positioner = positioner
        self.meanErrorMetres = meanErrorMetres
        self.floorHit = floorHit
        self.chosenAt = chosenAt
    }
}

/// The readings at one place, summed up over its surveys (topic `fingerprints`, key
/// `site/floor/place`).
public struct FingerprintBuilt: Hashable, Sendable {
    public struct Statistic: Hashable, Sendable {
        /// The transmitter, as the radio map names it.
        public var accessPoint: String
        public var mean: Double
        public var deviation: Double
        /// The share of the place's surveys that received it.
        public var detection: Double
        public init(accessPoint: String, mean: Double, deviation: Double, detection: Double) {
            self.accessPoint = accessPoint
            self.mean = mean
            self.deviation = deviation
            self.detection = detection
        }
    }

    public var site: SiteID
    public var place: String
    public var floor: FloorID
    public var room: RoomID?
    public var x: Double
    public var y: Double
    public var surveys: Int
    public var readings: [Statistic]
    public var radioMapVersion: Int

    public init(
        site: SiteID, place: String, floor: FloorID, room: RoomID?, x: Double, y: Double,
        surveys: Int, readings: [Statistic], radioMapVersion: Int
    ) {
        self.site = site
        self.place = place
        self.floor = floor
        self.room = room
        self.x = x
        self.y = y
        self.surveys = surveys
        self.readings = readings
        self.radioMapVersion = radioMapVersion
    }
}
