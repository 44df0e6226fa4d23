public import Events
import Geometry
import Glibc
public import Site

/// Locates devices by the nodes of a site that hear them, without a radio map. Several nodes give
/// ranges, and one or two the proximity.
///
/// The readings of each node are smoothed over time (`NodeMemory`). The way from each cell of the
/// site to each node gives the strength to expect there (`NodeHearingModel`). All readings together
/// give the probability of each cell (`NodePosterior`): robust weighted least squares over a grid.
/// Place, covariance, radii and rooms are those of these probabilities.
public struct PreparedNodes: SelectivePositioner {
    /// The name of its states in a device's memory. No positioner has such a name.
    public static let memoryName = "+nodes"
    /// With fewer nodes of the radio map, the map can't tell where a device is.
    static let fewestSurveyed = 3
    static let certainNodes = 3
    static let certainShare: Float = 0.5
    /// The published room changes at once when its floor has a smaller share than this.
    static let leastFloorShare: Float = 0.05

    private let site: SiteIndex
    let fields: NodeFields
    /// The nodes and the other transmitters of the radio map.
    private let surveyedNodes: Set<ScannerID>
    private let surveyedOthers: Set<Transmitter>

    /// Nil for a site that places no scanners.
    ///
    /// - Parameter calibration: the newest of the site; nil before the first.
    public init?(_ site: SiteIndex, calibration: NodesCalibrated?, map: RadioMap) {
        guard !site.document.scanners.isEmpty else { return nil }
        self.init(site, NodeGround(site), calibration, map)
    }

    /// The same site with another calibration or radio map, which is prepared much faster.
    public func with(_ calibration: NodesCalibrated?, _ map: RadioMap) -> PreparedNodes {
        PreparedNodes(site, fields.ground, calibration, map)
    }

    private init(
        _ site: SiteIndex, _ ground: NodeGround, _ calibration: NodesCalibrated?, _ map: RadioMap
    ) {
        self.site = site
        fields = NodeFields(ground, NodeHearingModel(calibration))
        var (nodes, others): (Set<ScannerID>, Set<Transmitter>) = ([], [])
        for transmitter in map.transmitters {
            if case .node(let scanner) = transmitter {
                nodes.insert(scanner)
            } else {
                others.insert(transmitter)
            }
        }
        (surveyedNodes, surveyedOthers) = (nodes, others)
    }

    /// The nodes in use, in the order by which memories know them.
    public var scanners: [ScannerID] { fields.nodes.map(\.scanner) }

    /// Whether nodes are to locate a scan. Some node with a place heard the device, and the radio
    /// map knows too little of the scan.
    public func suits(_ scan: RadioScan) -> Bool {
        var (isHeard, surveyed) = (false, 0)
        for reading in scan.readings {
            guard case .node(let scanner) = reading.transmitter else {
                if surveyedOthers.contains(reading.transmitter) { return false }
                continue
            }
            if fields.numberByScanner[scanner] != nil { isHeard = true }
            if surveyedNodes.contains(scanner) { surveyed += 1 }
        }
        return isHeard && surveyed < Self.fewestSurveyed
    }

    public func uses(_ transmitter: Transmitter) -> Bool {
        guard case .node(let scanner) = transmitter else { return false }
        return fields.numberByScanner[scanner] != nil
    }

    public func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        let at = scan.at.microseconds
        var memory = NodeMemory(at: at)
        var seconds = 0.0
        if let known = NodeMemory(state.bytes, nodes: fields.nodes.count) {
            seconds = (Double(at) - Double(known.at)) / 1e6
            if seconds >= 0, seconds <= NodeMemory.longestGapSeconds { memory = known }
        }
        // A scan that comes out of order is located alone.
        let isOld = seconds < 0
        memory.at = at
        memory.add(readings(of: scan), seconds: Float(max(0, seconds)))
        guard !memory.levels.isEmpty else { return (.lost, isOld ? state : .empty) }
        let estimate = estimate(&memory, ranges(of: scan), seconds: Float(max(0, seconds)))
        return (estimate, isOld ? state : PositionerState(bytes: memory.bytes))
    }

    private func readings(of scan: RadioScan) -> [(node: Int, rssi: Float)] {
        scan.readings.compactMap { reading in
            guard case .node(let scanner) = reading.transmitter,
                let node = fields.numberByScanner[scanner]
            else { return nil }
            return (node, Float(reading.rssi))
        }
    }

    private func ranges(of scan: RadioScan) -> [Int: MeasuredDistance] {
        var ranges: [Int: MeasuredDistance] = [:]
        for range in scan.ranges {
            guard case .node(let scanner) = range.transmitter,
                let node = fields.numberByScanner[scanner]
            else { continue }
            ranges[node] = range.distance
        }
        return ranges
    }

    private func estimate(
        _ memory: inout NodeMemory, _ ranges: [Int: MeasuredDistance], seconds: Float
    ) -> Estimate {
        let heard = memory.levels.map { level in
            let excess = memory.excess(of: level)
            // The correction is known to about a half of it, as for links.
            return NodePosterior.Heard(
                node: Int(level.node), rssi: level.slow - excess,
                variance: level.variance + excess * excess / 4, distance: ranges[Int(level.node)])
        }
        let posterior = NodePosterior(heard, scans: memory.scans, fields)
        let shares = NodeShares(posterior, fields)
        guard let best = shares.floors.max(by: { $0.value < $1.value }) else { return .lost }
        publish(&memory, shares, seconds: seconds)
        let floor = memory.room < 0 ? best.key : memory.floor
        let spread = NodeSpread(posterior, fields, floor: floor)
        let isCertain =
            heard.count >= Self.certainNodes
            && shares.floors[floor, default: 0] >= Self.certainShare
        let place = Estimate.Place(
            floor: site.floor(FloorIndex(Int(floor))).id, point: spread.mean,
            room: memory.room < 0 ? nil : site.room(RoomIndex(Int(memory.room))).id,
            covariance: spread.covariance, radius68: spread.radius68, radius95: spread.radius95)
        // The published room may be that of earlier scans. It is listed in any case.
        let listed = shares.rooms.merging([memory.room: 0]) { share, _ in share }
        let rooms = listed.compactMap { room, share in
            room < 0 || Double(share) < RoomPosterior.leastProbability && room != memory.room
                ? nil
                : PositionEstimated.RoomProbability(
                    id: site.room(RoomIndex(Int(room))).id, probability: min(1, Double(share)))
        }.sorted { ($1.probability, $0.id) < ($0.probability, $1.id) }
        return Estimate(state: isCertain ? .located : .uncertain, place: place, rooms: rooms)
    }

    /// Decides on the published room: it stays until another one is clearly more probable.
    private func publish(_ memory: inout NodeMemory, _ shares: NodeShares, seconds: Float) {
        let isFirst = memory.floor < 0
        let isElsewhere =
            !isFirst && shares.floors[memory.floor, default: 0] < Self.leastFloorShare
        if isElsewhere { memory.rooms = RoomFilter() }
        let newPart = isElsewhere ? 1 : memory.newPart(seconds)
        memory.rooms.add(
            shares.evidence, priors: shares.priors, newPart: newPart, seconds: seconds)
        guard let best = memory.rooms.best(among: shares.floorByRoom), best.room != memory.room
        else { return }
        let isSettling = memory.seconds < RoomFilter.settlingSeconds
        let isClear =
            best.probability >= RoomFilter.leastProbability
            && best.probability
                >= RoomFilter.leastRatio * memory.rooms.probability(of: memory.room)
        guard isFirst || isElsewhere || isSettling || isClear else { return }
        memory.room = best.room
        memory.floor = shares.floorByRoom[best.room] ?? -1
    }
}
