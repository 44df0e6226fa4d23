import Events
import Geometry
import Positioning

/// Says what of an estimate may not be.
struct EstimateJudge {
    /// Metres: a transmitter that is heard no stronger than any survey of the map heard anything
    /// may be anywhere about, and a radius of 95 % says so.
    static let leastFaintMetres = 20.0

    let map: RadioMap
    private let numbers: [Transmitter: Int]

    init(_ map: RadioMap) {
        self.map = map
        numbers = Dictionary(uniqueKeysWithValues: map.transmitters.enumerated().map { ($1, $0) })
    }

    /// Nil for an estimate that may be.
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

    /// The same of what was made of a single scan's radio by surveys.
    func fault(_ estimate: Estimate, of scan: RadioScan) -> String? {
        if let fault = fault(estimate) { return fault }
        guard let place = estimate.place, isFaint(scan) else { return nil }
        guard estimate.state != .located, place.radius95 >= Self.leastFaintMetres else {
            return "\(estimate.state) within \(place.radius95) m of a faint scan"
        }
        return nil
    }

    /// Whether the scan heard transmitters of the map, each weaker than any of its readings.
    private func isFaint(_ scan: RadioScan) -> Bool {
        guard let weakest = map.readingRSSI.min() else { return false }
        let heard = Set(map.readingTransmitter)
        let known = scan.readings.filter { numbers[$0.transmitter] != nil }
        return known.contains { numbers[$0.transmitter].map { heard.contains(Int32($0)) } ?? false }
            && known.allSatisfy { $0.rssi < weakest }
    }
}
