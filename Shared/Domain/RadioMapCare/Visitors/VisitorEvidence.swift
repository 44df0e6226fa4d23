public import Events
import Geometry
public import Positioning
public import Site

/// Finds access points that have moved, vanished or appeared from the scans of a site's visitors,
/// day by day, the newest day first.
///
/// A scan is placed by its other access points, so the one in question can't hide its move. Nobody
/// has checked these scans, so findings are hints for surveyors, and no map is made of them. All
/// that is kept of devices is one day's voices, and only until that day is done.
public struct VisitorEvidence: Sendable {
    /// The days that are looked at.
    public static let days = 4
    /// The days that must agree: the newest ones on which enough devices have a voice.
    static let agreeingDays = 2
    /// The most findings of a site; those with most voices.
    static let mostChanges = 100
    /// A scan with more access points of the map says nothing. No telephone receives so many, and
    /// each of them costs a pass over all cells.
    static let mostReceived = 200
    /// Scans that arrived later than this were kept for long, and say nothing of today's radio.
    private static let oldestSeconds: Int64 = 3_600

    private let ground: VisitorGround
    private let rules: AccessPointRules
    /// Boxes on the wall are no visitors.
    private let scanners: Set<String>
    private var day = VisitorDay()
    /// The newest first.
    private var past: [[HardwareAddress: VisitorTally]] = []
    /// Whether the newest day is still going on.
    private var isUnfinished = false

    public init(_ map: RadioMap, site: SiteIndex) {
        ground = VisitorGround(map)
        rules = site.document.accessPoints
        scanners = Set(site.document.scanners.map(\.id.text))
    }

    /// Whether another scan of the device on this day would count. Costs nothing, so that others
    /// need not be read.
    public func wants(_ device: DeviceID) -> Bool {
        !scanners.contains(device.text) && day.wants(device)
    }

    /// Adds a scan of the day.
    public mutating func add(_ scan: ScanRecorded) {
        guard wants(scan.device),
            abs(scan.receivedAt - scan.correctedAt) <= Self.oldestSeconds * 1_000_000
        else { return }
        var received: [HardwareAddress: Int] = [:]
        var fresh: [HardwareAddress: Int] = [:]
        for reading in scan.wifi
        where reading.ageMilliseconds ?? 0 <= RadioScan.oldestReadingMilliseconds {
            if ground.receivers[reading.bssid] != nil {
                received[reading.bssid] = max(received[reading.bssid] ?? -128, reading.rssi)
            } else if rules.allows(
                reading.bssid, networks: reading.ssid.map { [$0] } ?? [])
            {
                fresh[reading.bssid] = max(fresh[reading.bssid] ?? -128, reading.rssi)
            }
        }
        guard received.count <= Self.mostReceived else { return }
        day.add(of: scan.device, at: scan.receivedAt, received, fresh: fresh, on: ground)
    }

    /// Ends a day. Scans that are added from then on are of the day before it.
    ///
    /// - Parameter isOver: false for the newest day while more of its scans are to come. Where it
    ///   lacks voices, it takes nothing back.
    public mutating func endDay(isOver: Bool = true) {
        if past.isEmpty { isUnfinished = !isOver }
        past.append(day.tallies)
        day = VisitorDay()
    }

    /// The findings of all days that have ended, those with most voices first.
    public var changes: [NoticedChange] {
        guard isUsual else { return [] }
        let addresses = Set(past.flatMap(\.keys)).sorted()
        let found = addresses.compactMap { address in
            change(of: address, past.compactMap { $0[address] })
        }
        return Array(
            found.sorted {
                (Self.weight($1), $0.change.transmitter) < (Self.weight($0), $1.change.transmitter)
            }.prefix(Self.mostChanges))
    }

    private static func weight(_ change: NoticedChange) -> Int {
        max(change.voices?.lost ?? 0, change.voices?.found ?? 0)
    }

    /// Whether most voices agree with the map. Else no single access point has changed: the map or
    /// the scans are of another place.
    private var isUsual: Bool {
        let voices = past.flatMap(\.values).map(\.voices)
        let lost = voices.reduce(0) { $0 + $1.lost }
        let all = voices.reduce(lost) { $0 + $1.there }
        return Double(lost) <= ChangeDetector.largestUsualShare * Double(all)
    }

    /// - Parameter days: the newest first.
    private func change(of address: HardwareAddress, _ days: [VisitorTally]) -> NoticedChange? {
        let isKnown = ground.receivers[address] != nil
        let lost = Self.newest(days, where: \.knowsOldPlaces, agree: \.isLost)
        // A day on which visitors came and nobody found it any more takes the finding back.
        // One that is not over may confirm it, but its missing voices may still come.
        let recent = past.enumerated().filter { number, day in
            let mayCome = isUnfinished && number == 0 && day[address]?.knowsNewPlaces != true
            return !day.isEmpty && !mayCome
        }.map(\.element).prefix(Self.agreeingDays)
        let found = Self.newest(
            recent.compactMap { $0[address] }, where: \.knowsNewPlaces, agree: \.isFound)
        let after = found.flatMap { whereabouts($0.trustedCells) }
        guard isKnown else {
            return found.map { noticed(address, .appeared, $0, before: nil, after: after) }
        }
        let left = Self.newest(days, where: \.knowsOldPlaces, agree: \.isLeft)
        let before = whereabouts(known(address))
        if var all = left, let found, let before, let after,
            before.floor != after.floor
                || before.point.distance(to: after.point) >= ChangeVerdict.movedMetres
        {
            (all.voices.found, all.voices.silent) = (found.voices.found, found.voices.silent)
            all.foundCells = found.foundCells
            return noticed(address, .moved, all, before: before, after: after)
        }
        guard let all = lost else { return nil }
        let isGone = all.voices.lost >= VisitorTally.ratio * all.received
        return noticed(
            address, isGone ? .vanished : .strengthChanged, all, before: before, after: nil)
    }

    /// The sum of the newest days that are evidence; nil where they are too few, or one of them
    /// does not agree.
    private static func newest(
        _ days: [VisitorTally], where isEvidence: (VisitorTally) -> Bool,
        agree: (VisitorTally) -> Bool
    ) -> VisitorTally? {
        let newest = days.filter(isEvidence).prefix(agreeingDays)
        guard newest.count == agreeingDays, newest.allSatisfy(agree) else { return nil }
        return newest.reduce(into: VisitorTally()) { $0 += $1 }
    }

    private func known(_ address: HardwareAddress) -> [Int: HeardSum] {
        var cells: [Int: HeardSum] = [:]
        for (cell, known) in ground.receivers[address] ?? [] { cells[cell] = known.sum }
        return cells
    }

    /// The middle of the strongest cells.
    private func whereabouts(_ cells: [Int: HeardSum]) -> TransmitterChange.Whereabouts? {
        ChangeDetector.whereabouts(
            Dictionary(uniqueKeysWithValues: cells.map { (ground.cells[$0], $1) }))
    }

    private func noticed(
        _ address: HardwareAddress, _ kind: TransmitterChange.Kind, _ tally: VisitorTally,
        before: TransmitterChange.Whereabouts?, after: TransmitterChange.Whereabouts?
    ) -> NoticedChange {
        NoticedChange(
            change: TransmitterChange(
                transmitter: .wifi(address), kind: kind,
                since: tally.first ?? Timestamp(microseconds: 0), cellsLost: tally.lostCells.count,
                cellsGained: tally.foundCells.count, cellsAgreeing: tally.thereCells.count,
                before: before, after: after),
            source: .visitors, voices: tally.voices)
    }
}
