import Events
import Sightings

/// Reports and their times of append, for tests of the join.
struct JoinBench {
    static let site = SiteID("museum")
    /// 2026-11-26T12:00:00Z, the beginning of a window of two seconds.
    static let noon: Int64 = 1_795_694_400_000
    static let rules = SightingRules(
        windowMicroseconds: 2_000_000, graceMicroseconds: 1_000_000, nodes: 3, windows: 5,
        devices: 6)

    struct Report: Hashable {
        var sighting: SightingReported
        var appended: Timestamp
    }

    static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: noon + Int64((seconds * 1_000).rounded()))
    }

    static func report(
        _ device: String, by scanner: String, at seconds: Double, rssi: Int = -60,
        distance: MeasuredDistance? = nil, appended: Double? = nil, site: SiteID = site
    ) -> Report {
        let appended = moment(appended ?? seconds)
        return Report(
            sighting: SightingReported(
                id: EventID(high: 1, low: 2), site: site, device: DeviceID(device),
                scanner: ScannerID(scanner), at: moment(seconds), receivedAt: appended,
                rssi: rssi, distance: distance),
            appended: appended)
    }

    var join: SightingJoin
    var closed: [SightingJoin.Closed] = []
    var drops: [SightingJoin.Drop] = []
    /// The content of the state topic.
    var stored: [DeviceKey: HeardSightings] = [:]

    init(_ rules: SightingRules = rules) { join = SightingJoin(rules) }

    /// By a machine whose clock is right.
    var nextWork: Timestamp? { join.nextWork(at: join.time) }

    mutating func pass(to seconds: Double) { pass(to: Self.moment(seconds)) }

    mutating func pass(to moment: Timestamp) { closed += join.pass(to: moment) }

    mutating func add(_ report: Report) {
        pass(to: report.appended)
        if let drop = join.add(report.sighting) { drops.append(drop) }
    }

    mutating func store() {
        for (key, heard) in join.removeChanges() { stored[key] = heard }
    }

    /// Goes on as another process does that reads the state.
    mutating func restart() {
        store()
        var next = SightingJoin(join.rules)
        next.restore(time: join.time)
        for (key, heard) in stored { next.restore(heard, of: key) }
        join = next
    }
}

extension SightingJoin.Closed {
    /// The window as a line: the second after noon, the device, and the nodes.
    var line: String {
        let seconds = (start.milliseconds - JoinBench.noon) / 1_000
        let nodes = window.readings.map { "\($0.scanner)\($0.rssi)" }.joined(separator: " ")
        return "\(seconds) \(device.device): \(nodes)"
    }
}
