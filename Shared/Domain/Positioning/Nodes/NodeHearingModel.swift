public import Events
import Glibc

/// The strength at which each node of a site hears a device, by the way between them.
///
/// It is the calibration with what is usual for nodes that it lacks: log-distance path loss with a
/// loss for each wall and floor (S. Seidel and T. Rappaport, "914 MHz path loss prediction models
/// for indoor wireless communications in multifloored buildings", 1992).
public struct NodeHearingModel: Hashable, Sendable {
    /// The usual figures, before anything is fitted. Devices send 0 dBm. 40 dB are lost in the
    /// first metre at 2.4 GHz, and some 19 dB in two small antennas and their boxes.
    public static let usualLevel = -59.0
    public static let usualExponent = 2.2
    public static let usualWallLoss = 4.0
    public static let usualFloorLoss = 15.0
    /// The deviation of a link from the model, by furniture and fittings, in dB.
    public static let usualDeviation = 5.0
    /// The deviation of nodes among one another, in dB: their radios, boxes and corners.
    public static let offsetDeviation = 7.0
    /// The deviation of a link's readings over time, in dB.
    static let noiseDeviation = 4.0

    /// The facts about one node.
    struct Node: Hashable, Sendable {
        var offset = 0.0
        var exponent = NodeHearingModel.usualExponent
        /// The deviation of a device's reading from the model, in dB.
        var deviation: Double
        /// Whether links show that it hears as well as its figures say.
        var isCalibrated = false
    }

    let level: Double
    let wallLoss: Double
    let floorLoss: Double
    private let nodes: [ScannerID: Node]
    /// A node that was not calibrated.
    private let stranger: Node
    /// The nodes that are left out.
    public let deaf: Set<ScannerID>

    public init(_ calibration: NodesCalibrated?) {
        level = calibration?.level ?? Self.usualLevel
        wallLoss = calibration?.wallLoss ?? Self.usualWallLoss
        floorLoss = calibration?.floorLoss ?? Self.usualFloorLoss
        let link = calibration?.deviation ?? Self.usualDeviation
        func deviation(_ error: Double) -> Double { (link * link + error * error).squareRoot() }
        stranger = Node(deviation: deviation(Self.offsetDeviation))
        var known: [ScannerID: Node] = [:]
        var deaf: Set<ScannerID> = []
        for node in calibration?.nodes ?? [] {
            known[node.scanner] = Node(
                offset: node.offset, exponent: node.exponent,
                deviation: deviation(node.offsetError),
                isCalibrated: node.state == .working && node.links > 0)
            if node.state == .deaf { deaf.insert(node.scanner) }
        }
        nodes = known
        self.deaf = deaf
    }

    /// The usual figures for senders whose power is known.
    ///
    /// - Parameter deviation: that of a reading from the model, in dB.
    init(deviation: Double) {
        (level, wallLoss, floorLoss) = (
            Self.usualLevel, Self.usualWallLoss, Self.usualFloorLoss
        )
        stranger = Node(deviation: deviation)
        (nodes, deaf) = ([:], [])
    }

    /// The dB by which the mean of the readings is too high, because only strong signals are heard.
    /// It is the mean of the upper share of a normal distribution (A. C. Cohen, "Truncated and
    /// censored samples", 1991).
    public static func excess(share: Double) -> Double {
        guard share < 1 else { return 0 }
        // The quantile by halving; the error function has no inverse in the C library.
        var (low, high) = (-6.0, 6.0)
        while high - low > 1e-6 {
            let middle = (low + high) / 2
            if erfc(middle / 2.0.squareRoot()) / 2 > share { low = middle } else { high = middle }
        }
        let density = exp(-low * low / 2) / (2 * Double.pi).squareRoot()
        return noiseDeviation * density / share
    }

    func node(_ scanner: ScannerID) -> Node { nodes[scanner] ?? stranger }

    /// The strength at which the node hears a usual device, in dBm.
    func rssi(_ node: Node, _ path: RadioPath) -> Double {
        level + node.offset - 10 * node.exponent * path.decades - wallLoss * Double(path.walls)
            - floorLoss * Double(path.floors)
    }

    /// The strength at which a usual node hears a usual device, in dBm.
    public func usualRSSI(_ path: RadioPath) -> Double { rssi(stranger, path) }
}
