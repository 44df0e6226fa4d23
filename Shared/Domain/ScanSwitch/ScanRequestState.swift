public import Events

/// The reason why a request for a scan is not made, changed or cancelled.
public enum ScanRequestRefusal: Error, Hashable, Sendable {
    /// None, too many, or one of them twice.
    case scannersOutOfRange
    case unknownScanner(ScannerID)
    /// The scanner belongs to none of the asker's buildings, and the asker is not paired with it.
    case notYourScanner(ScannerID)
    /// Who is only paired with a scanner stores nothing, and surveys no place.
    case mayNotStore
    /// A place is of a survey, and a survey is stored.
    case placeWithoutStore
    case timeoutOutOfRange
    /// Another request has the same id.
    case sameIDForAnother
    case tooManyOfAsker
    case tooManyOfScanner(ScannerID)
    /// The asker has made too many within a minute.
    case tooManyOfAskerLately
    /// The scanner was asked too often within a minute.
    case tooManyOfScannerLately(ScannerID)
    /// The asker has asked for too many scans within a day.
    case tooManyOfAskerInDay
    case unknown
}

/// A request for a scan as its asker wishes it.
public struct ScanWish: Hashable, Sendable {
    public var scanners: [ScannerID]
    public var place: SurveyPlace?
    public var room: RoomID?
    public var store: Bool
    public var timeoutSeconds: Int

    public init(
        scanners: [ScannerID], place: SurveyPlace? = nil, room: RoomID? = nil, store: Bool = false,
        timeoutSeconds: Int = ScanRequestLimits.usualTimeoutSeconds
    ) {
        self.scanners = scanners
        self.place = place
        self.room = room
        self.store = store
        self.timeoutSeconds = timeoutSeconds
    }
}

/// A scanner, and its asker's reach, when the request is decided.
public struct AskedScanner: Hashable, Sendable {
    /// Whether a valid token speaks for it.
    public var isKnown: Bool
    /// The buildings of its token; empty for the whole site.
    public var buildings: Set<BuildingID>
    public var isPairedWithAsker: Bool
    /// The requests to it that are open.
    public var open: Int
    /// The requests to it of the last minute, in whatever state.
    public var lately: Int

    public init(
        isKnown: Bool, buildings: Set<BuildingID>, isPairedWithAsker: Bool, open: Int, lately: Int
    ) {
        self.isKnown = isKnown
        self.buildings = buildings
        self.isPairedWithAsker = isPairedWithAsker
        self.open = open
        self.lately = lately
    }
}

/// The part of the site whose scanners an asker may use.
public enum AskerReach: Hashable, Sendable {
    /// Surveyors of the whole site.
    case wholeSite
    case buildings(Set<BuildingID>)
    /// Visitors: only scanners that they are paired with.
    case paired

    /// Whether the asker may use the scanner without a pairing.
    public func covers(_ scanner: AskedScanner, placeIn building: BuildingID?) -> Bool {
        switch self {
        case .wholeSite: true
        case .paired: false
        case .buildings(let own):
            // A scanner of the whole site is carried around: then the place tells its building.
            if scanner.buildings.isEmpty {
                building.map(own.contains) ?? false
            } else {
                scanner.buildings.isSubset(of: own)
            }
        }
    }
}

/// The state of a request for a scan, as who decides on it knows it.
public struct ScanRequestState: Hashable, Sendable {
    /// One event for each scanner; empty before the request is made.
    public private(set) var requested: [ScanRequested]
    public private(set) var cancelledAt: Timestamp?

    public init(requested: [ScanRequested] = [], cancelledAt: Timestamp? = nil) {
        self.requested = requested
        self.cancelledAt = cancelledAt
    }

    /// The events of a new request; nil if the same asker made the same before, so that a retry is
    /// harmless.
    ///
    /// - Parameters:
    ///   - building: the building of the wish's place.
    ///   - openOfAsker: the open requests of the asker.
    ///   - latelyOfAsker: the asker's requests of the last minute, in whatever state.
    ///   - scansInDay: the scans that the asker asked for within a day, in whatever state.
    ///   - known: the scanners of the wish, as far as they are known.
    public func ask(
        _ wish: ScanWish, id: EventID, site: SiteID, asker: String, reach: AskerReach,
        placeIn building: BuildingID?, openOfAsker: Int, latelyOfAsker: Int, scansInDay: Int,
        known: [ScannerID: AskedScanner], at moment: Timestamp
    ) throws(ScanRequestRefusal) -> [ScanRequested]? {
        guard (1...ScanRequestLimits.scanners).contains(wish.scanners.count),
            Set(wish.scanners).count == wish.scanners.count
        else { throw .scannersOutOfRange }
        guard ScanRequestLimits.timeoutSeconds.contains(wish.timeoutSeconds) else {
            throw .timeoutOutOfRange
        }
        guard wish.store || wish.place == nil else { throw .placeWithoutStore }
        let until = moment.advanced(byMicroseconds: Int64(wish.timeoutSeconds) * 1_000_000)
        let events = wish.scanners.map {
            ScanRequested(
                site: site, id: id, scanner: $0, asker: asker, place: wish.place, room: wish.room,
                store: wish.store, askedAt: moment, until: until)
        }
        if !requested.isEmpty {
            guard isSame(events) else { throw .sameIDForAnother }
            return nil
        }
        for scanner in wish.scanners {
            try check(scanner, known[scanner], wish, reach, building)
        }
        guard openOfAsker < ScanRequestLimits.openOfAsker else { throw .tooManyOfAsker }
        guard latelyOfAsker < ScanRequestLimits.latelyOfAsker else { throw .tooManyOfAskerLately }
        guard scansInDay + wish.scanners.count <= ScanRequestLimits.scansOfAskerInDay else {
            throw .tooManyOfAskerInDay
        }
        return events
    }

    private func check(
        _ id: ScannerID, _ scanner: AskedScanner?, _ wish: ScanWish, _ reach: AskerReach,
        _ building: BuildingID?
    ) throws(ScanRequestRefusal) {
        // Who may not ask any scanner does not learn which there are.
        let isReached = scanner.map { reach.covers($0, placeIn: building) } ?? (reach != .paired)
        let isPaired = scanner?.isPairedWithAsker ?? false
        guard isReached || isPaired else { throw .notYourScanner(id) }
        guard let scanner, scanner.isKnown else { throw .unknownScanner(id) }
        guard isReached || !wish.store else { throw .mayNotStore }
        guard scanner.open < ScanRequestLimits.openOfScanner else { throw .tooManyOfScanner(id) }
        guard scanner.lately < ScanRequestLimits.latelyOfScanner else {
            throw .tooManyOfScannerLately(id)
        }
    }

    /// Whether a retry asks the same: a retry comes later, so its times differ.
    private func isSame(_ events: [ScanRequested]) -> Bool {
        guard events.count == requested.count else { return false }
        return zip(events, requested).allSatisfy { event, former in
            var event = event
            event.askedAt = former.askedAt
            event.until = former.until
            return event == former
        }
    }

    /// The events of a cancellation; empty if the request is cancelled or over.
    public func cancel(at moment: Timestamp) throws(ScanRequestRefusal) -> [ScanRequestCancelled] {
        guard let first = requested.first else { throw .unknown }
        guard cancelledAt == nil, first.until > moment else { return [] }
        return requested.map { ScanRequestCancelled(request: $0.key, cancelledAt: moment) }
    }
}
