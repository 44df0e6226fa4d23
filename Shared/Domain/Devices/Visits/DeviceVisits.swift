public import Events

/// The zones that one device is in or may be in, and their changes with each position.
///
/// Only the scans' own time counts. So it makes no difference whether the next scan or the passing
/// of time ends a visit.
public struct DeviceVisits: Hashable, Sendable {
    /// The most zones at once. More would mean that the rules hardly ever let a device leave.
    /// Beyond the limit, the zone in which the device was not seen for longest is dropped.
    public static let maximumStays = 16

    /// One zone that the device is in or may be in.
    public struct Stay: Hashable, Sendable {
        public var zone: Zone
        public var entered: Timestamp
        public var lastInside: Timestamp
        /// The time since which the device is seen outside; nil while it is inside.
        public var firstOutside: Timestamp?
        /// The number of scans inside, and the sum of the zone's probability over them.
        public var scans: Int
        public var probabilitySum: Double
        /// Whether the stay has lasted for the minimum dwell.
        public var isVisit: Bool

        public init(
            zone: Zone, entered: Timestamp, lastInside: Timestamp, firstOutside: Timestamp?,
            scans: Int, probabilitySum: Double, isVisit: Bool
        ) {
            self.zone = zone
            self.entered = entered
            self.lastInside = lastInside
            self.firstOutside = firstOutside
            self.scans = scans
            self.probabilitySum = probabilitySum
            self.isVisit = isVisit
        }

        /// The parts that stay the same as long as the device is inside.
        fileprivate var identity: Identity { Identity(zone: zone, entered: entered) }

        fileprivate struct Identity: Hashable {
            let zone: Zone
            let entered: Timestamp
        }

        public var confidence: Double { probabilitySum / Double(max(1, scans)) }
    }

    /// The beginning or end of a visit.
    public enum Change: Hashable, Sendable {
        case started(Stay)
        case ended(Stay, VisitEnded.Reason)
    }

    /// In the order of entering.
    public private(set) var stays: [Stay]
    /// When the device was located last; nil where there is no stay.
    public private(set) var lastLocated: Timestamp?
    /// Whether the last scan was inside of all zones, and all are visits. As long as the scans that
    /// follow are, too, only times change. They are those of the device's newest scan then, so
    /// nothing has to be stored (`moved`).
    public private(set) var isSteady: Bool

    /// Scans inside count for a visit's confidence this often, at least.
    static let countingPause = Duration.seconds(30)

    public init(stays: [Stay] = [], lastLocated: Timestamp? = nil, isSteady: Bool = false) {
        self.stays = stays
        self.lastLocated = lastLocated
        self.isSteady = isSteady
    }

    /// The same as it is at the device's newest scan, if that is newer.
    func moved(to newest: Timestamp?) -> DeviceVisits {
        guard isSteady, let newest, let lastLocated, newest > lastLocated else { return self }
        var moved = self
        moved.lastLocated = newest
        for index in moved.stays.indices { moved.stays[index].lastInside = newest }
        return moved
    }

    /// The same, for a newest scan that is the last one inside for now.
    func halted(at newest: Timestamp?) -> DeviceVisits {
        var halted = moved(to: newest)
        halted.isSteady = false
        return halted
    }

    /// Whether these visits, which are stored, also say what those after a scan say.
    func serves(_ after: DeviceVisits) -> Bool {
        guard isSteady, after.isSteady, let lastLocated, let now = after.lastLocated,
            now < lastLocated.advanced(by: Self.countingPause)
        else { return false }
        return stays.map(\.identity) == after.stays.map(\.identity)
    }

    /// Applies a scan, which must be neither late nor older than the previous one.
    ///
    /// - Parameters:
    ///   - at: the time at which the scan was made.
    ///   - sighting: nil where the device was lost.
    ///   - renamed: the time from which on the device has another id; nil for an enrolled device.
    public mutating func evolve(
        at: Timestamp, _ sighting: ZoneSighting?, _ rules: VisitRules, renamed: Timestamp? = nil
    ) -> [Change] {
        var changes: [Change] = []
        if let end = end(rules.silence, renamed: renamed), at > end {
            changes = endAll(rules.silence, renamed: renamed)
        }
        guard let sighting, renamed.map({ at < $0 }) ?? true else {
            isSteady = false
            return changes
        }
        var kept: [Stay] = []
        for stay in stays {
            if let stay = Self.next(stay, sighting, rules, &changes) { kept.append(stay) }
        }
        let entering = sighting.probabilities
            .filter { $0.value >= rules.enterProbability }.sorted { $0.key < $1.key }
        for (zone, probability) in entering where !kept.contains(where: { $0.zone == zone }) {
            var stay = Stay(
                zone: zone, entered: at, lastInside: at, firstOutside: nil, scans: 1,
                probabilitySum: probability, isVisit: false)
            Self.startIfLongEnough(&stay, rules, &changes)
            kept.append(stay)
        }
        while kept.count > Self.maximumStays { Self.giveWay(&kept, &changes) }
        stays = kept
        lastLocated = kept.isEmpty ? nil : at
        isSteady = !kept.isEmpty && kept.allSatisfy { $0.isVisit && $0.lastInside == at }
        return changes
    }

    /// The time at which the visits end if the device is not located again. No later scan can
    /// change them then. A scan that arrives more than `Lateness.limitSeconds` after it was made is
    /// late. Between arrival and log lies less than the margin.
    public func deadline(
        _ rules: VisitRules, lateAfter: Duration, renamed: Timestamp? = nil
    ) -> Timestamp? {
        end(rules.silence, renamed: renamed).map { $0.advanced(by: lateAfter + Self.appendMargin) }
    }

    /// The time that an accepted scan may wait before it is in the log, including differences of
    /// clocks.
    static let appendMargin = Duration.seconds(60)

    /// Ends all visits of a device whose deadline has passed.
    public mutating func endAll(
        _ silence: Duration, renamed: Timestamp? = nil
    ) -> [Change] {
        let reason = reason(silence, renamed: renamed)
        let changes = stays.filter(\.isVisit).map { Change.ended($0, reason) }
        stays = []
        lastLocated = nil
        isSteady = false
        return changes
    }

    /// The time of a scan after which the visits are over, because the device was silent or has
    /// another id. Nil where there is no stay.
    private func end(_ silence: Duration, renamed: Timestamp?) -> Timestamp? {
        guard let silent = lastLocated?.advanced(by: silence) else { return nil }
        // A scan at the time of the new id belongs to that id.
        return renamed.map { min(silent, $0.advanced(byMicroseconds: -1)) } ?? silent
    }

    private func reason(_ silence: Duration, renamed: Timestamp?) -> VisitEnded.Reason {
        guard let renamed, let silent = lastLocated?.advanced(by: silence), renamed <= silent
        else { return .silent }
        return .renamed
    }

    /// The stay after a sighting; nil when it is over.
    private static func next(
        _ stay: Stay, _ sighting: ZoneSighting, _ rules: VisitRules, _ changes: inout [Change]
    ) -> Stay? {
        var stay = stay
        let probability = sighting.probabilities[stay.zone] ?? 0
        if probability >= rules.leaveProbability {
            stay.lastInside = sighting.at
            stay.firstOutside = nil
            stay.scans += 1
            stay.probabilitySum += probability
            startIfLongEnough(&stay, rules, &changes)
            return stay
        }
        guard stay.isVisit else { return nil }
        let isTolerated =
            sighting.at <= stay.lastInside.advanced(by: rules.toleranceTimeout)
            && sighting.distance(to: stay.zone) <= rules.exitTolerance
        guard !isTolerated else { return stay }
        let outside = stay.firstOutside ?? sighting.at
        stay.firstOutside = outside
        guard sighting.at >= outside.advanced(by: rules.exitDelay) else { return stay }
        changes.append(.ended(stay, .left))
        return nil
    }

    private static func startIfLongEnough(
        _ stay: inout Stay, _ rules: VisitRules, _ changes: inout [Change]
    ) {
        guard !stay.isVisit, stay.lastInside >= stay.entered.advanced(by: rules.minimumDwell)
        else { return }
        stay.isVisit = true
        changes.append(.started(stay))
    }

    private static func giveWay(_ stays: inout [Stay], _ changes: inout [Change]) {
        guard
            let oldest = stays.indices.min(by: {
                (stays[$0].lastInside, $0) < (stays[$1].lastInside, $1)
            })
        else { return }
        let stay = stays.remove(at: oldest)
        if stay.isVisit { changes.append(.ended(stay, .left)) }
    }
}

extension Timestamp {
    /// The sum, to the microsecond.
    func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return advanced(byMicroseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}
