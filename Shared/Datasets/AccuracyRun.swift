public import Accuracy
import Devices
public import Events
import Geometry
public import Positioning
import Site
import Wire

/// Locates a data set's test scans with the locator's own code, and compares the results with the
/// true places.
public struct AccuracyRun: Sendable {
    /// The result of one test scan.
    public struct Prediction: Hashable, Sendable {
        public var part: String
        public var test: Dataset.TestScan
        public var position: PositionEstimated
        /// The error in metres as the data set reports them; nil when the device was lost.
        public var error: Double?
    }

    public struct Result: Sendable {
        public var positioner: String
        public var summary: AccuracySummary
        /// One entry for each test scan, in the order of the data set, for every positioner.
        public var judged: [JudgedEstimate]
        /// One entry for each test scan, in the order of the data set.
        public var predictions: [Prediction]
    }

    public let dataset: Dataset
    public let seed: UInt64
    private let asTracks: Bool
    let built: BuiltParts

    /// - Parameter asTracks: locates the scans of each path in the order of their times, and the
    ///   positioner remembers the path so far. Otherwise every scan is located by itself.
    /// - Throws: `DatasetFault` for tracks of a set without paths.
    public init(_ dataset: Dataset, seed: UInt64, asTracks: Bool = false) throws(DatasetFault) {
        if asTracks, let test = dataset.tests.first(where: { $0.path == nil }) {
            throw DatasetFault(
                file: dataset.name,
                detail: "has no paths to track: scan \(test.scan.id) belongs to none")
        }
        self.dataset = dataset
        self.seed = seed
        self.asTracks = asTracks
        built = BuiltParts(dataset)
    }

    /// - Parameters:
    ///   - learnsConstant: whether the map's own trials state one radius for all scans, to compare
    ///     with. It prepares the positioner for each part of the map, which may last long.
    ///   - preparing: is called before the positioner is prepared for a part, which may last long.
    ///   - located: is called after each scan, for a progress display.
    /// - Throws: `DatasetFault` when the surveys do not fit the set's own site.
    public func run(
        _ positioner: any Positioner, learnsConstant: Bool = false, preparing: () -> Void = {},
        located: () -> Void = {}
    ) throws(DatasetFault) -> Result {
        let site = try dataset.siteIndex()
        var judged: [JudgedEstimate] = []
        var predictions: [Prediction] = []
        var elapsed = Duration.zero
        for (number, part) in dataset.parts.enumerated() {
            preparing()
            let (knowledge, learned) = try prepare(
                positioner, forPart: number, site: site, learnsConstant: learnsConstant)
            let middle = knowledge.map?.middle ?? Point(x: 0, y: 0)
            var scratch = DeviceScratch()
            var devices: [String: Device] = [:]
            var seen: Set<EventID> = []
            for test in asTracks ? inOrderOfTime(part.tests) : part.tests {
                let path = asTracks ? test.path : nil
                var device = path.flatMap { devices.removeValue(forKey: $0) } ?? Device()
                let scan = Self.unhurried(test.scan)
                let start = ContinuousClock.now
                let found = device.decide(
                    scan, in: knowledge, by: Self.rules, locatedAt: test.scan.receivedAt,
                    seed: seed, scratch: &scratch)
                elapsed += ContinuousClock.now - start
                guard let position = found.served else { continue }
                if let path {
                    guard seen.insert(scan.id).inserted else {
                        throw DatasetFault(
                            file: dataset.name, detail: "scan \(scan.id) is there more than once")
                    }
                    _ = device.evolve(found)
                    devices[path] = device
                }
                let compared = judge(test, position, fallback: middle, learned: learned)
                judged.append(compared)
                predictions.append(
                    Prediction(
                        part: part.name, test: test, position: position,
                        error: position.state == .lost ? nil : error(of: compared)))
                located()
            }
        }
        var summary = AccuracySummary(
            judged, groundPerReportedMetre: dataset.groundPerReportedMetre)
        if !judged.isEmpty {
            let microseconds = Double(elapsed / .nanoseconds(1)) / 1_000
            summary.microsecondsPerQuery = microseconds / Double(judged.count)
        }
        return Result(
            positioner: positioner.name, summary: summary, judged: judged, predictions: predictions)
    }

    /// The positioner with the part's radio map, and the constant radius that this map teaches.
    private func prepare(
        _ positioner: any Positioner, forPart part: Int, site: SiteIndex, learnsConstant: Bool
    ) throws(DatasetFault) -> (knowledge: SiteKnowledge, learned: Double?) {
        let map = try built.map(ofPart: part, site: site)
        let choice = positioner.followsChoice ? built.choice(ofPart: part, for: map) : nil
        let learned =
            learnsConstant
            ? LearnedConstant.radius95(
                of: positioner.following(choice?.positioner), on: map, site: site) : nil
        let knowledge = SiteKnowledge(
            SiteSources(
                dataset.site, site: PublishedSite(version: 1, index: site), choice: choice),
            map: map,
            positioners: [WorkingPositioner(positioner: positioner, option: positioner.name)],
            Self.rules.digests)
        return (knowledge, learned)
    }

    /// The scan with its own time as the time of arrival. Recordings are sent after the walk, and
    /// none of their scans should count as late.
    private static func unhurried(_ scan: ScanRecorded) -> ScanRecorded {
        var scan = scan
        (scan.at, scan.sentAt) = (scan.correctedAt, nil)
        scan.receivedAt = scan.at
        return scan
    }

    /// The scans in the order of their times. Scans of one time keep the set's order.
    private func inOrderOfTime(_ tests: [Dataset.TestScan]) -> [Dataset.TestScan] {
        tests.enumerated().sorted {
            ($0.element.scan.correctedAt, $0.offset) < ($1.element.scan.correctedAt, $1.offset)
        }.map(\.element)
    }

    /// Positions keep the ids of their scans, so that results can be matched.
    private static let rules = DeviceRules(
        digests: Digests(
            position: { scan, _ in scan }, visit: { _, _, _ in EventID(high: 0, low: 0) },
            groupVisit: { _, _, _ in EventID(high: 0, low: 0) },
            basis: { _ in 0 }))

    func judge(
        _ test: Dataset.TestScan, _ position: PositionEstimated, fallback: Point,
        learned: Double?
    ) -> JudgedEstimate {
        let truth = JudgedEstimate.Place(
            building: test.truth.building?.text, floor: test.truth.floor.text,
            room: test.truth.room?.text, point: Point(x: test.truth.x, y: test.truth.y))
        var estimate: JudgedEstimate.Place?
        if let x = position.x, let y = position.y {
            estimate = JudgedEstimate.Place(
                building: position.building?.text, floor: position.floor?.text,
                room: position.room?.text, point: Point(x: x, y: y))
        }
        return JudgedEstimate(
            truth: truth, estimate: estimate, fallback: fallback, radius68: position.radius68,
            radius95: position.radius95, isCertain: position.state == .located,
            isOutdoors: position.floor == .outdoors, learnedRadius95: learned, path: test.path)
    }

    func error(of judged: JudgedEstimate) -> Double? {
        judged.estimate.map {
            $0.point.distance(to: judged.truth.point) / dataset.groundPerReportedMetre
        }
    }
}
