/// A surveyor walked a route and recorded its magnetic field (topic `magnetic-routes`, key
/// `site/route`). A route may be recorded again. It locates devices only once its newest recording
/// is validated.
public struct MagneticRouteRecorded: Hashable, Sendable {
    public var site: SiteID
    public var route: MagneticRouteID
    /// The number of this event among those of the route, from 1.
    public var version: Int
    public var floor: FloorID
    /// The line that the surveyor walked.
    public var polyline: [MagneticRoutePoint]
    public var walk: MagneticWalk
    public var recordedAt: Timestamp

    public init(
        site: SiteID, route: MagneticRouteID, version: Int, floor: FloorID,
        polyline: [MagneticRoutePoint], walk: MagneticWalk, recordedAt: Timestamp
    ) {
        self.site = site
        self.route = route
        self.version = version
        self.floor = floor
        self.polyline = polyline
        self.walk = walk
        self.recordedAt = recordedAt
    }
}

/// A second walk along a route was compared with its recording (topic `magnetic-routes`, key
/// `site/route`).
public struct MagneticRouteValidated: Hashable, Sendable {
    public var site: SiteID
    public var route: MagneticRouteID
    public var version: Int
    /// The version of the recording that the walk was compared with.
    public var recording: Int
    public var walk: MagneticWalk
    /// The direction of the walk along the route.
    public var direction: MagneticDirection
    /// The mean error along the route after the first ten steps, in metres.
    public var meanMetres: Double
    public var percentile95Metres: Double
    /// The mean probability that the walker was not on the route.
    public var elsewhere: Double
    /// Whether the route may locate devices.
    public var isReliable: Bool
    public var validatedAt: Timestamp
    /// The recording, repeated because compaction removes its record. Nil in events of earlier
    /// releases.
    public var recorded: MagneticRouteRecorded?
    /// The doubt whether the recording still fits the field, summed up over its validations. Nil in
    /// events of earlier releases, which count as 0.
    public var doubt: Double?

    public init(
        site: SiteID, route: MagneticRouteID, version: Int, recording: Int, walk: MagneticWalk,
        direction: MagneticDirection, meanMetres: Double, percentile95Metres: Double,
        elsewhere: Double, isReliable: Bool, validatedAt: Timestamp,
        recorded: MagneticRouteRecorded? = nil, doubt: Double? = nil
    ) {
        self.site = site
        self.route = route
        self.version = version
        self.recording = recording
        self.walk = walk
        self.direction = direction
        self.meanMetres = meanMetres
        self.percentile95Metres = percentile95Metres
        self.elsewhere = elsewhere
        self.isReliable = isReliable
        self.validatedAt = validatedAt
        self.recorded = recorded
        self.doubt = doubt
    }
}

/// A route was deleted and no longer locates devices (topic `magnetic-routes`, key `site/route`).
public struct MagneticRouteDeleted: Hashable, Sendable {
    public var site: SiteID
    public var route: MagneticRouteID
    public var version: Int
    public var deletedAt: Timestamp

    public init(site: SiteID, route: MagneticRouteID, version: Int, deletedAt: Timestamp) {
        self.site = site
        self.route = route
        self.version = version
        self.deletedAt = deletedAt
    }
}
