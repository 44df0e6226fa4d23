import Events
import Geometry
import Glibc
import Site

/// Finds the places where a device may be by the site's beacons that it hears, on floors that these
/// serve (`BeaconGround`).
///
/// A beacon is a node the other way round: the same walls and floors lie between it and the device.
/// So the probability of each cell is that of `NodePosterior`. Each beacon counts up to a limit, so
/// that one that was moved, or is dead, spoils neither floor nor place.
struct BeaconEvidence: Sendable {
    /// The deviation of a reading from the model by place, in dB: furniture and fittings.
    static let linkDeviation = 3.0
    /// dB squared: the noise of one reading.
    static let readingVariance: Float = 16
    /// The most that one beacon may count, in squared deviations, since it may have been moved.
    static let mostCost: Float = 9
    /// A strongest beacon with this loss beyond one metre is on the device's floor or behind a
    /// ceiling, alike. Both are in dB; the second is the scale of the logistic curve.
    static let ceilingDecibels: Float = 21
    static let ceilingDeviation: Float = 3
    /// The least loss beyond one metre, in dB: that of half a metre. A stronger reading is as near
    /// as can be, and says nothing else about the device.
    static let leastLoss = 10 * NodeHearingModel.usualExponent * log10(0.5)

    private let beacons: BeaconTable
    let fields: NodeFields
    private let records: [SiteBeacon]
    /// The number among the fields of each of the document's beacons; nil for one that is not used.
    private let numbers: [Int?]
    /// The map's index of each of the site's floors and rooms; -1 for one that it lacks.
    private let floors: [Int32]
    private let rooms: [Int32]
    /// The beacons by the map's floor.
    private let places: SquareIndex<Int32, Point>

    /// Nil for a site without such floors.
    init?(_ stated: StatedFloors, site: SiteIndex) {
        guard !stated.byBeacons.isEmpty else { return nil }
        let shared = site.derived.value(
            where: { (last: BeaconFields) in last.floors == stated.byBeacons },
            make: { BeaconFields(stated.byBeacons, site: site) })
        beacons = site.beacons
        records = site.document.beacons
        fields = shared.fields
        numbers = shared.numbers
        let known = Dictionary(
            stated.map.floors.enumerated().map { ($1, Int32($0)) },
            uniquingKeysWith: { first, _ in first })
        floors = site.floors.map { known[$0.id] ?? -1 }
        let named = Dictionary(
            stated.map.rooms.enumerated().map { ($1, Int32($0)) },
            uniquingKeysWith: { first, _ in first })
        rooms = site.rooms.map { named[$0.id] ?? -1 }
        var places = SquareIndex<Int32, Point>(side: BeaconGround.servedMetres)
        for (record, number) in zip(records, numbers) where number != nil {
            if let floor = known[record.floor] {
                places.insert(record.point, at: record.point, on: floor)
            }
        }
        self.places = places
    }

    /// Whether the place is on the ground of these beacons. They tell it better than few surveys.
    func serves(_ candidate: Candidate) -> Bool {
        places.near(candidate.point, on: candidate.floor).contains {
            $0.distance(to: candidate.point) <= BeaconGround.servedMetres
        }
    }

    /// The strongest reading of each beacon, as if all of them sent with the usual power.
    func heard(_ scan: RadioScan) -> [NodePosterior.Heard] {
        var strongest: [Int: Float] = [:]
        for var reading in scan.bluetooth {
            beacons.removeBattery(from: &reading)
            guard let index = beacons.beacon(reading), let number = numbers[index] else { continue }
            let record = records[index]
            let power = record.txPower ?? reading.txPower
            let loss = power.map { Double($0 - reading.rssi) } ?? Self.usualLoss(reading.rssi)
            if let farthest = record.farthestMetres, Self.metres(loss) > farthest { continue }
            let rssi = Float(NodeHearingModel.usualLevel - max(Self.leastLoss, loss))
            strongest[number] = max(strongest[number] ?? -.infinity, rssi)
        }
        // In a fixed order, so that equal scans give equal sums.
        return strongest.sorted { $0.key < $1.key }.map {
            NodePosterior.Heard(
                node: $0.key, rssi: $0.value, variance: Self.readingVariance, distance: nil)
        }
    }

    private static func usualLoss(_ rssi: Int) -> Double {
        NodeHearingModel.usualLevel - Double(rssi)
    }

    private static func metres(_ loss: Double) -> Double {
        pow(10, loss / (10 * NodeHearingModel.usualExponent))
    }

    /// The probability that the device is on a floor of these beacons and not on one above or
    /// below, by the strongest.
    func share(of heard: [NodePosterior.Heard]) -> Double {
        let strongest = heard.map(\.rssi).max() ?? -.infinity
        let loss = Float(NodeHearingModel.usualLevel) - strongest
        return Double(1 / (1 + exp((loss - Self.ceilingDecibels) / Self.ceilingDeviation)))
    }

    /// Adds the cells where the device may be, with this weight in all.
    func add(
        _ heard: [NodePosterior.Heard], weight: Double, to candidates: inout [Candidate]
    ) {
        let posterior = NodePosterior(heard, scans: 1, fields, mostCost: Self.mostCost)
        for (number, share) in zip(posterior.cells, posterior.probabilities) where share > 0 {
            let cell = fields.cells[Int(number)]
            let floor = floors[Int(cell.floor)]
            guard floor >= 0 else { continue }
            candidates.append(
                Candidate(
                    point: cell.point, floor: floor,
                    room: cell.room < 0 ? -1 : rooms[Int(cell.room)],
                    weight: weight * Double(share)))
        }
    }
}
