import Events

/// Finds mistakes among a site's beacons. Two send the same, bytes of batteries contradict each
/// other, or rings are too small.
struct BeaconReview {
    /// A ring needs as many beacons as a polygon has corners.
    private static let fewestOfRing = 3

    /// The UUID and the numbers by which `BeaconTable` knows a beacon; the numbers count only
    /// beside a UUID.
    private struct Name: Hashable {
        var uuid: EventID?
        var major: UInt16?
        var minor: UInt16?

        init(_ beacon: SiteBeacon) {
            uuid = beacon.uuid
            guard uuid != nil else { return }
            major = beacon.major.map { UInt16(clamping: $0) }
            minor = beacon.minor.map { UInt16(clamping: $0) }
        }
    }

    private(set) var findings: [ReviewFinding] = []

    init(_ site: SiteIndex) {
        let beacons = site.document.beacons
        reviewAlike(beacons)
        let stating = beacons.filter { $0.uuid != nil && $0.batteryByte != nil }
        for ofUUID in Self.grouped(stating, by: \.uuid) { reviewBatteries(ofUUID) }
        for group in Self.grouped(beacons.filter { $0.group != nil }, by: \.group) {
            reviewRing(group)
        }
        for beacon in beacons where beacon.group == nil && beacon.closesRing {
            add(.ringTooSmall, [beacon], "The beacon \(beacon.id) closes a ring, but has no group.")
        }
    }

    /// Each UUID with its numbers, and each address, stands for the first beacon that has it. The
    /// address also counts of a beacon with a UUID.
    private mutating func reviewAlike(_ beacons: [SiteBeacon]) {
        let named = beacons.filter { $0.uuid != nil }
        for alike in Self.grouped(named, by: { Name($0) }) where alike.count > 1 {
            add(
                .beaconsAlike, alike,
                "\(alike.count) beacons have the same UUID and numbers, which stand for "
                    + "\(alike[0].id) alone.")
        }
        let addressed = beacons.filter { $0.address != nil }
        for alike in Self.grouped(addressed, by: \.address) where alike.count > 1 {
            // Beacons that also have one name are a finding already.
            let isFound = alike[0].uuid != nil && Set(alike.map { Name($0) }).count == 1
            guard !isFound else { continue }
            add(
                .beaconsAlike, alike,
                "\(alike.count) beacons have the same address, which stands for \(alike[0].id) "
                    + "alone.")
        }
    }

    private mutating func reviewBatteries(_ beacons: [SiteBeacon]) {
        let others = beacons.filter { $0.batteryByte != beacons[0].batteryByte }
        guard !others.isEmpty else { return }
        add(
            .batteryBytesDiffer, [beacons[0]] + others,
            "batteryByte holds for a whole UUID, and \(others[0].id) states another byte than "
                + "\(beacons[0].id), which counts.")
    }

    private mutating func reviewRing(_ group: [SiteBeacon]) {
        guard let closing = group.first(where: \.closesRing), group.count < Self.fewestOfRing
        else { return }
        add(
            .ringTooSmall, [closing],
            "The beacon \(closing.id) closes a ring, which needs \(Self.fewestOfRing) beacons of "
                + "its group; there are \(group.count).")
    }

    private mutating func add(
        _ code: ReviewFinding.Code, _ beacons: [SiteBeacon], _ text: String
    ) {
        let subjects = beacons.prefix(ReviewFinding.mostSubjects)
            .map { ReviewFinding.Subject.beacon($0.id) }
        findings.append(ReviewFinding(code, .warning, subjects, text))
    }

    /// The beacons with the same key, in the order of the document.
    private static func grouped<Key: Hashable>(
        _ beacons: [SiteBeacon], by key: (SiteBeacon) -> Key
    ) -> [[SiteBeacon]] {
        var groups: [[SiteBeacon]] = []
        var numbers: [Key: Int] = [:]
        for beacon in beacons {
            let shared = key(beacon)
            if let number = numbers[shared] {
                groups[number].append(beacon)
            } else {
                numbers[shared] = groups.count
                groups.append([beacon])
            }
        }
        return groups
    }
}
