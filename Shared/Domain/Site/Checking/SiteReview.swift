public import Events
import Geometry

/// A list of things for people to check in a site. Examples are rooms without a way, lifts without
/// levels, rooms that overlap and places without surveys.
///
/// For a document that is not valid, only its faults are listed.
public struct SiteReview: Hashable, Sendable {
    /// Errors first, then warnings, then remarks; each group in the order of the document.
    public let findings: [ReviewFinding]

    /// - Parameters:
    ///   - surveyed: the locations that have surveys; nil to skip this check.
    ///   - unknownMembers: members of the document's text that no site has, such as a misspelt one.
    ///   - isTimeZone: whether there is a time zone of this name. The default only checks its form.
    public init(
        _ document: SiteDocument, surveyed: Set<LocationID>? = nil,
        unknownMembers: [String] = [], isTimeZone: (String) -> Bool = looksLikeTimeZone
    ) {
        let unknown = unknownMembers.map { member in
            ReviewFinding(
                .unknownMember, .warning, [],
                "No site has a member \(member), so it was left out: it may be misspelt.")
        }
        do throws(SiteFaults) {
            let site = try SiteIndex(document)
            let reach = ReachReview(site).findings
            var found = unknown + reach
            found += VisibilityReview(site, reach: reach).findings
            found += WaysReview(site).findings
            found += OverlapReview(site).findings
            found += DetailReview(site, isTimeZone: isTimeZone).findings
            found += BeaconReview(site).findings
            found += FarReview(site).findings
            found += Self.repeatedNames(document) + Self.proposedRooms(document)
            if let surveyed { found += Self.unsurveyed(document, surveyed) }
            // The sort is stable, so findings of one severity stay in the order of the document.
            findings = found.sorted { $0.severity < $1.severity }
        } catch {
            findings = error.faults.map(ReviewFinding.init) + unknown
        }
    }

    public var hasErrors: Bool { findings.contains { $0.severity == .error } }

    private static func unsurveyed(
        _ document: SiteDocument, _ surveyed: Set<LocationID>
    ) -> [ReviewFinding] {
        document.locations.filter { !surveyed.contains($0.id) }.map { location in
            ReviewFinding(
                .locationWithoutSurvey, .remark, [.location(location.id)],
                "No survey was made at \(location.name ?? location.id.text).")
        }
    }

    private static func proposedRooms(_ document: SiteDocument) -> [ReviewFinding] {
        document.rooms.filter(\.isProposed).map { room in
            ReviewFinding(
                .roomProposed, .remark, [.room(room.id)],
                "\(room.name.isEmpty ? room.id.text : room.name) is only proposed.")
        }
    }

    private static func repeatedNames(_ document: SiteDocument) -> [ReviewFinding] {
        struct Label: Hashable {
            let floor: FloorID
            let name: String
        }
        var named: [Label: [RoomID]] = [:]
        var order: [Label] = []
        for room in document.rooms where !room.name.isEmpty {
            let label = Label(floor: room.floor, name: room.name)
            if named[label] == nil { order.append(label) }
            named[label, default: []].append(room.id)
        }
        return order.compactMap { label in
            guard let rooms = named[label], rooms.count > 1 else { return nil }
            return ReviewFinding(
                .repeatedName, .remark, rooms.map(ReviewFinding.Subject.room),
                "\(rooms.count) rooms of one floor are called \(label.name).")
        }
    }
}

/// One finding of a review.
public struct ReviewFinding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
        /// The record can't be right.
        case error
        /// The record is probably wrong.
        case warning
        /// The record is unusual, but may be intended.
        case remark

        public static func < (left: Self, right: Self) -> Bool {
            guard let one = allCases.firstIndex(of: left),
                let other = allCases.firstIndex(of: right)
            else { return false }
            return one < other
        }
    }

    /// Stable codes of findings, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A fault found by `SiteValidation`; the text names it.
        case invalid
        case roomWithoutOpening = "room-without-opening"
        case roomCutOff = "room-cut-off"
        case nothingLeadsOutdoors = "nothing-leads-outdoors"
        case noConnections = "no-connections"
        case liftWithoutLevels = "lift-without-levels"
        case connectionLeadsNowhere = "connection-leads-nowhere"
        case roomsOverlap = "rooms-overlap"
        case locationWithoutSurvey = "location-without-survey"
        case repeatedName = "repeated-name"
        case awayFromRoom = "away-from-room"
        case hoursUnreadable = "hours-unreadable"
        case timeZoneUnknown = "time-zone-unknown"
        case planPointsDisagree = "plan-points-disagree"
        case unknownMember = "unknown-member"
        case beaconsAlike = "beacons-alike"
        case batteryBytesDiffer = "battery-bytes-differ"
        case ringTooSmall = "ring-too-small"
        case beaconOutsideSite = "beacon-outside-site"
        case scannerOutsideSite = "scanner-outside-site"
        case onlyThroughStaff = "only-through-staff"
        case planNotShown = "plan-not-shown"
        case factUnfitting = "fact-unfitting"
        case roomProposed = "room-proposed"
    }

    /// The record that a finding is about.
    public enum Subject: Hashable, Sendable {
        case room(RoomID)
        case location(LocationID)
        case connection(ConnectionID)
        case building(BuildingID)
        case floorPlan(FloorPlanID)
        case entry(DirectoryID)
        case beacon(BeaconID)
        case scanner(ScannerID)

        public var kind: String {
            switch self {
            case .room: "room"
            case .location: "location"
            case .connection: "connection"
            case .building: "building"
            case .floorPlan: "floor-plan"
            case .entry: "directory"
            case .beacon: "beacon"
            case .scanner: "scanner"
            }
        }

        public var id: String {
            switch self {
            case .room(let id): id.text
            case .location(let id): id.text
            case .connection(let id): id.text
            case .building(let id): id.text
            case .floorPlan(let id): id.text
            case .entry(let id): id.text
            case .beacon(let id): id.text
            case .scanner(let id): id.text
            }
        }
    }

    /// The most records of one kind that a finding about many lists.
    static let mostSubjects = 100

    public var code: Code
    public var severity: Severity
    /// The record itself first, then the records that it conflicts with.
    public var subjects: [Subject]
    public var text: String
    /// The record of a fault that `SiteValidation` found.
    var faulty: SiteThing?

    public init(_ code: Code, _ severity: Severity, _ subjects: [Subject], _ text: String) {
        self.code = code
        self.severity = severity
        self.subjects = subjects
        self.text = text
    }

    init(_ fault: SiteFault) {
        let connection = "connection "
        guard fault.code != .sameFloor || !fault.subject.hasPrefix(connection) else {
            let id = ConnectionID(String(fault.subject.dropFirst(connection.count)))
            self.init(
                .liftWithoutLevels, .error, [.connection(id)],
                "The lift \(id) stops on fewer than two levels.")
            return
        }
        self.init(
            .invalid, .error, [], "\(fault.subject): \(fault.detail) (\(fault.code.rawValue)).")
        faulty = SiteThing(subject: fault.subject)
    }
}
