/// A new radio map is ready (topic `radio-maps`, key `site`).
public struct RadioMapAnnounced: Hashable, Sendable {
    public var site: SiteID
    /// Counts the site's radio maps from 1.
    public var version: Int
    /// SHA-256 of the artifact, in hex; its name at fingerprint-builder.
    public var hash: String
    public var byteCount: Int
    /// The site version that places were resolved against.
    public var siteVersion: Int
    /// For each partition of `surveys`, the next offset that was not yet used.
    public var surveyOffsets: [Int64]
    public var builderVersion: String
    public var builtAt: Timestamp
    public var fingerprints: Int
    public var accessPoints: Int

    public init(
        site: SiteID, version: Int, hash: String, byteCount: Int, siteVersion: Int,
        surveyOffsets: [Int64], builderVersion: String, builtAt: Timestamp, fingerprints: Int,
        accessPoints: Int
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
    }
}

/// A radio map has chosen how scans are located by it (topic `radio-maps`, key `site/positioner`).
public struct PositionerChosen: Hashable, Sendable {
    public var site: SiteID
    /// The map that the choice was made for.
    public var radioMapVersion: Int
    /// The hash of that map's artifact.
    public var hash: String
    /// As `WHEREABOUTS_POSITIONER` takes it, with all parameters.
    public var positioner: String
    /// Metres: the mean error in cross-validation; nil for a map that was too small to choose.
    public var meanErrorMetres: Double?
    /// The share of right floors in cross-validation.
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

/// What was heard at one place, summed up over its surveys (topic `fingerprints`, key
/// `site/floor/place`).
public struct FingerprintBuilt: Hashable, Sendable {
    public struct Statistic: Hashable, Sendable {
        /// The transmitter, as it is written in the radio map.
        public var accessPoint: String
        public var mean: Double
        public var deviation: Double
        /// Share of the place's surveys that heard it.
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
