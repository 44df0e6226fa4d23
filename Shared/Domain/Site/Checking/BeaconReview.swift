import Events

/// Finds mistakes among a site's beacons: two that send the same, bytes of one battery that
/// contradict each other, rings that are too small, and places far outside of the site.
struct BeaconReview {
    /// A ring needs as many beacons as a polygon has corners.
    private static let fewestOfRing = 3

    /// All that a reading tells of a beacon.
    private struct Sent: Hashable {
        var uuid: EventID?
        var major: Int?
        var minor: Int?
        var address: HardwareAddress?

        /// The numbers count only beside a UUID, and the address only without one.
        init(_ beacon: SiteBeacon) {
            if beacon.uuid == nil {
                address = beacon.address
            } else {
                (uuid, major, minor) = (beacon.uuid, beacon.major, beacon.minor)
            }
        }
    }

    private(set) var findings: [ReviewFinding] = []

    init(_ site: SiteIndex) {
        let beacons = site.document.beacons
        for alike in Self.grouped(beacons, by: { Sent($0) }) where alike.count > 1 {
            add(
                .beaconsAlike, alike,
                "\(alike.count) beacons send the same, so only \(alike[0].id) counts.")
        }
        let stating = beacons.filter { $0.uuid != nil && $0.batteryByte != nil }
        for ofUUID in Self.grouped(stating, by: \.uuid) { reviewBatteries(ofUUID) }
        for group in Self.grouped(beacons.filter { $0.group != nil }, by: \.group) {
            reviewRing(group)
        }
        for beacon in beacons where beacon.group == nil && beacon.closesRing {
            add(.ringTooSmall, [beacon], "The beacon \(beacon.id) closes a ring, but has no group.")
        }
        for beacon in beacons where site.extent.isFarOutside(beacon.point) {
            add(
                .beaconOutsideSite, [beacon],
                "The beacon \(beacon.id) is more than \(Int(SiteExtent.farMetres)) m outside of "
                    + "all that the site draws.")
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
        findings.append(
            ReviewFinding(code, .warning, beacons.map { .beacon($0.id) }, text))
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
