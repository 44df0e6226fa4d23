public import Events
import Geometry
public import Site

/// A node on the wall of each lab and kitchen of a simulated building, which hears Bluetooth
/// devices. Its receiver and its sender have offsets of their own.
///
/// The radio is the one of `RadioModel`, but for the power. Devices send 0 dBm, and 40 dB are lost
/// in the first metre at 2.4 GHz (docs/simulator.md).
public struct SimulatedNodes: Sendable {
    static let levelAtOneMetre = -59.0
    /// dB; the largest offset of a node's receiver, and of its sender.
    static let receiverOffsetDecibels = 12.0
    static let senderOffsetDecibels = 5.0
    static let weakestHeard = -95
    static let heightMetres = 1.5
    /// Metres from the wall on which a node hangs.
    static let wallMetres = 0.3
    /// The share of advertisements that a node misses, because it listens to another channel.
    static let missedShare = 0.1

    struct Node: Sendable {
        let id: ScannerID
        let place: PlacedDevice
        let storey: Int
        /// dB.
        let receiverOffset: Double
        let senderOffset: Double
        /// By the storey of the sender.
        let shadows: [ShadowField]
    }

    public let building: SimulatedBuilding
    let nodes: [Node]

    public init(in building: SimulatedBuilding, seed: UInt64) {
        self.building = building
        var nodes: [Node] = []
        for storey in 0..<SimulatedBuilding.storeys {
            for room in building.plan.rooms(of: .room) {
                let part = 20_000 + UInt64(nodes.count)
                var random = SimulationRandom(seed: seed, part: part)
                nodes.append(Self.node(nodes.count, building.plan.rooms[room], storey, &random))
            }
        }
        self.nodes = nodes
    }

    private static func node(
        _ number: Int, _ room: PlanRoom, _ storey: Int, _ random: inout SimulationRandom
    ) -> Node {
        var x = random.uniform(room.x.lowerBound + wallMetres, room.x.upperBound - wallMetres)
        var y = random.uniform(room.y.lowerBound + wallMetres, room.y.upperBound - wallMetres)
        switch random.index(below: 4) {
        case 0: x = room.x.lowerBound + wallMetres
        case 1: x = room.x.upperBound - wallMetres
        case 2: y = room.y.lowerBound + wallMetres
        default: y = room.y.upperBound - wallMetres
        }
        let receiver = random.uniform(-receiverOffsetDecibels, receiverOffsetDecibels)
        let sender = random.uniform(-senderOffsetDecibels, senderOffsetDecibels)
        return Node(
            id: ScannerID("node-\(number)"),
            place: PlacedDevice(
                x: x, y: y, z: Double(storey) * RadioModel.storeyMetres + heightMetres, heading: 0),
            storey: storey, receiverOffset: receiver, senderOffset: sender,
            shadows: (0..<SimulatedBuilding.storeys).map { _ in ShadowField(random: &random) })
    }

    /// The building's document with the places of its nodes.
    public var document: SiteDocument {
        var document = building.document
        document.scanners = nodes.map {
            SiteScanner(
                id: $0.id, floor: SimulatedBuilding.floor($0.storey),
                point: Point(x: $0.place.x, y: $0.place.y), heightMetres: Self.heightMetres)
        }
        return document
    }

    /// The true offset of a node's receiver, in dB.
    public func receiverOffset(of scanner: ScannerID) -> Double? {
        nodes.first { $0.id == scanner }?.receiverOffset
    }

    /// The level in dBm at which a node hears a sender, before noise, bodies and the sender's
    /// offset.
    func level(of node: Node, from place: PlacedDevice) -> Double {
        let receiver = AccessPoint(
            bssid: HardwareAddress(value: 0), frequency: 2_402, x: node.place.x, y: node.place.y,
            z: node.place.z, storey: node.storey)
        // Nil only below the hopeless level, which is not given.
        let mean = RadioModel.meanLevel(from: receiver, to: place, in: building.plan)!
        let storey = min(max(RadioModel.storey(place.z), 0), SimulatedBuilding.storeys - 1)
        return mean - RadioModel.levelAtOneMetre + Self.levelAtOneMetre + node.receiverOffset
            + RadioModel.shadowSigmaDecibels * node.shadows[storey].value(x: place.x, y: place.y)
    }
}

/// The sender of one device, as all nodes hear it: the levels without noise, and the noise.
struct SimulatedSender: Sendable {
    private let levels: [(node: Int, level: Double)]
    private var noises: [FadingNoise?]
    private let sigma: Double
    private let ids: [ScannerID]
    private let muted: Set<ScannerID>

    /// - Parameters:
    ///   - offset: the sender's, in dB.
    ///   - body: whether somebody carries the device.
    ///   - muted: nodes that hear nothing.
    init(
        at place: PlacedDevice, offset: Double, hasBody: Bool, but own: ScannerID? = nil,
        muted: Set<ScannerID> = [], noiseSigma: Double, in nodes: SimulatedNodes
    ) {
        sigma = noiseSigma
        ids = nodes.nodes.map(\.id)
        self.muted = muted
        noises = [FadingNoise?](repeating: nil, count: ids.count)
        levels = nodes.nodes.enumerated().compactMap { number, node in
            guard node.id != own else { return nil }
            var level = nodes.level(of: node, from: place) + offset
            if hasBody {
                let receiver = AccessPoint(
                    bssid: HardwareAddress(value: 0), frequency: 2_402, x: node.place.x,
                    y: node.place.y, z: node.place.z, storey: node.storey)
                level -= RadioModel.bodyLoss(from: receiver, to: place)
            }
            let hopeless = Double(SimulatedNodes.weakestHeard) - 4.5 * noiseSigma
            return level < hopeless ? nil : (number, level)
        }
    }

    mutating func heardBy(
        seconds: Double, _ random: inout SimulationRandom
    ) -> [NodeReading] {
        var readings: [NodeReading] = []
        for (number, level) in levels {
            if noises[number] == nil {
                noises[number] = FadingNoise(sigma: sigma, atSeconds: seconds, random: &random)
            }
            let noise =
                noises[number]?.value(sigma: sigma, atSeconds: seconds, random: &random) ?? 0
            let isMissed = random.uniform() < SimulatedNodes.missedShare
            let whole = min(Int((level + noise).rounded()), 0)
            guard !isMissed, whole >= SimulatedNodes.weakestHeard, !muted.contains(ids[number])
            else { continue }
            readings.append(NodeReading(scanner: ids[number], rssi: whole))
        }
        return readings
    }
}
