/// A surveyor walked a route and recorded its field (topic `magnetic-routes`, key `site/route`).
/// The same route may be recorded again; it serves only after a validation of the newest recording.
public struct MagneticRouteRecorded: Hashable, Sendable {
    public var site: SiteID
    public var route: MagneticRouteID
    /// Counts the events of the route from 1.
    public var version: Int
    public var floor: FloorID
    /// The line of the walk.
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

/// A second walk along a route was matched with its recording (topic `magnetic-routes`, key
/// `site/route`).
public struct MagneticRouteValidated: Hashable, Sendable {
    public var site: SiteID
    public var route: MagneticRouteID
    public var version: Int
    /// The version of the recording that was walked again.
    public var recording: Int
    public var walk: MagneticWalk
    /// Which way the walk went.
    public var direction: MagneticDirection
    /// Of the error along the route after the first ten steps, in metres.
    public var meanMetres: Double
    public var percentile95Metres: Double
    /// Mean belief that the walker was not on the route.
    public var elsewhere: Double
    /// Whether the route serves.
    public var isReliable: Bool
    public var validatedAt: Timestamp

    public init(
        site: SiteID, route: MagneticRouteID, version: Int, recording: Int, walk: MagneticWalk,
        direction: MagneticDirection, meanMetres: Double, percentile95Metres: Double,
        elsewhere: Double, isReliable: Bool, validatedAt: Timestamp
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
    }
}

/// A route serves no more (topic `magnetic-routes`, key `site/route`).
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
