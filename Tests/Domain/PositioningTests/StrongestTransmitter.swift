import Events
import Geometry
public import Positioning
public import Site

/// Puts a device at the place where surveys received the scan's strongest transmitter best.
public struct StrongestTransmitter: Positioner {
    public let name = "strongest"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedStrongestTransmitter(map)
    }
}

struct PreparedStrongestTransmitter: PreparedPositioner {
    /// The deviation in metres, a guess instead of an error model.
    private static let deviation = 6.0

    private let map: RadioMap
    /// For each transmitter the fingerprint that received it best.
    private let best: [Transmitter: (fingerprint: Int, rssi: Int8)]

    init(_ map: RadioMap) {
        var best: [Transmitter: (fingerprint: Int, rssi: Int8)] = [:]
        for fingerprint in map.fingerprints.indices {
            for reading in map.readings(of: fingerprint) {
                let transmitter = map.transmitters[Int(map.readingTransmitter[reading])]
                let rssi = map.readingRSSI[reading]
                if let known = best[transmitter], known.rssi >= rssi { continue }
                best[transmitter] = (fingerprint, rssi)
            }
        }
        self.map = map
        self.best = best
    }

    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        let known = scan.readings.filter { best[$0.transmitter] != nil }
        guard let strongest = known.max(by: { $0.rssi < $1.rssi }),
            let found = best[strongest.transmitter]
        else { return (.lost, .empty) }
        let fingerprint = map.fingerprints[found.fingerprint]
        let variance = Self.deviation * Self.deviation
        // The factors are Rayleigh quantiles: sqrt(-2 ln 0.32) and sqrt(-2 ln 0.05).
        let place = Estimate.Place(
            floor: map.floors[Int(fingerprint.floor)], point: fingerprint.point,
            room: fingerprint.room < 0 ? nil : map.rooms[Int(fingerprint.room)],
            covariance: .init(xx: variance, xy: 0, yy: variance),
            radius68: 1.51 * Self.deviation, radius95: 2.45 * Self.deviation)
        return (Estimate(state: .located, place: place), .empty)
    }
}
