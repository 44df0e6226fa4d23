import Events
import Geometry
import Glibc

/// The strength at which each node hears a device in each cell of the site's ground. Everything
/// that does not depend on a scan.
struct NodeFields: Sendable {
    static let pitchMetres = 1.0
    /// Cells farther from a node than this, in plan, are never where it hears a device best.
    static let reachMetres = 25.0
    /// Devices behind more floors are hardly heard.
    static let mostFloorsBetween = 1
    /// Nodes within this many metres of the strongest one should hear the device too.
    static let neighbourMetres = 15.0
    /// The share of devices in passages, stairs and lifts, against rooms of the same size. Hardly
    /// anybody stays there.
    static let passageShare: Float = 0.1

    /// A node with its field.
    struct Node: Sendable {
        var scanner: ScannerID
        var point: Point
        var elevation: Float
        /// The deviation of a reading from the expected strength, in dB.
        var deviation: Float
        /// The expected strength at one metre, in dBm, and the path loss exponent.
        var base: Float
        var exponent: Float
        /// Whether links show that it hears as well as its figures say.
        var isCalibrated: Bool
        /// The cells around the node, ascending.
        var cells: [Int32]
        /// dBm, for each of its cells.
        var rssi: [Float]

        /// The nodes that stand near it, by number.
        var neighbours: [Int] = []

        /// The deviation in metres of the distance that a strength shows.
        func metres(_ rssi: Float, deviation: Float) -> Float {
            let slope = 10 * exponent / Float(M_LN10)
            return max(1, exp((base - rssi) / slope)) * deviation / slope
        }

        /// The expected strength in each of these ascending cells, in dBm; not a number beyond the
        /// node's reach.
        func rssi(in wanted: [Int32], into strengths: inout [Float]) {
            strengths.removeAll(keepingCapacity: true)
            var position = 0
            for cell in wanted {
                while position < cells.count, cells[position] < cell { position += 1 }
                let isReached = position < cells.count && cells[position] == cell
                strengths.append(isReached ? rssi[position] : .nan)
            }
        }
    }

    let ground: NodeGround
    /// Ordered by scanner; nodes that are deaf are left out.
    private(set) var nodes: [Node] = []
    let numberByScanner: [ScannerID: Int]

    var cells: [NodeGround.Cell] { ground.cells }

    init(_ ground: NodeGround, _ model: NodeHearingModel) {
        self.ground = ground
        let scanners = ground.scanners.filter { !model.deaf.contains($0.id) }
        numberByScanner = Dictionary(
            scanners.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
        for scanner in scanners {
            let facts = model.node(scanner.id)
            nodes.append(
                Node(
                    scanner: scanner.id, point: scanner.point, elevation: scanner.elevation,
                    deviation: Float(facts.deviation), base: Float(model.level + facts.offset),
                    exponent: Float(facts.exponent), isCalibrated: facts.isCalibrated,
                    cells: scanner.cells,
                    rssi: scanner.cells.indices.map {
                        Float(model.rssi(facts, scanner.path($0)))
                    }))
        }
        for number in nodes.indices {
            let point = nodes[number].point
            nodes[number].neighbours = nodes.indices.filter {
                $0 != number && abs(nodes[$0].elevation - nodes[number].elevation) < 2
                    && nodes[$0].point.distance(to: point) <= Self.neighbourMetres
            }
        }
    }
}
