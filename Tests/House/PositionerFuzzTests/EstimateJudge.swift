import Events
import Geometry
import Positioning

/// Finds faults in an estimate.
struct EstimateJudge {
    /// The least 95 % radius in metres for a faint scan. Its transmitters were received more weakly
    /// than in any survey, so the device may be anywhere nearby.
    static let leastFaintMetres = 20.0

    let map: RadioMap
    private let numbers: [Transmitter: Int]

    init(_ map: RadioMap) {
        self.map = map
        numbers = Dictionary(uniqueKeysWithValues: map.transmitters.enumerated().map { ($1, $0) })
    }

    func fault(_ estimate: Estimate) -> String? {
        guard let place = estimate.place else {
            return estimate.state == .lost ? nil : "\(estimate.state) without a place"
        }
        guard place.isFinite else { return "no numbers: \(place)" }
        guard place.radius68 > 0, place.radius95 >= place.radius68 else {
            return "radii \(place.radius68) and \(place.radius95)"
        }
        let covariance = place.covariance
        guard covariance.xx > 0, covariance.yy > 0,
            covariance.xx * covariance.yy
                >= covariance.xy * covariance.xy * (1 - 1e-6)
        else { return "covariance \(covariance)" }
        let total = estimate.rooms.reduce(0) { $0 + $1.probability }
        guard estimate.rooms.allSatisfy({ $0.probability >= 0 }), total <= 1 + 1e-6 else {
            return "rooms \(estimate.rooms)"
        }
        return nil
    }

    /// The fault of an estimate made from a single scan's radio readings and surveys.
    func fault(_ estimate: Estimate, of scan: RadioScan) -> String? {
        if let fault = fault(estimate) { return fault }
        guard let place = estimate.place, isFaint(scan) else { return nil }
        guard estimate.state != .located, place.radius95 >= Self.leastFaintMetres else {
            return "\(estimate.state) within \(place.radius95) m of a faint scan"
        }
        return nil
    }

    /// Whether the scan received transmitters of the map, each more weakly than any reading of the
    /// map.
    private func isFaint(_ scan: RadioScan) -> Bool {
        guard let weakest = map.readingRSSI.min() else { return false }
        let heard = Set(map.readingTransmitter)
        let known = scan.readings.filter { numbers[$0.transmitter] != nil }
        return known.contains { numbers[$0.transmitter].map { heard.contains(Int32($0)) } ?? false }
            && known.allSatisfy { $0.rssi < weakest }
    }
}
