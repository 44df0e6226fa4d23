import Geometry

/// What a scan can say that heard no transmitter any stronger than the map's weakest reading: that
/// it was made somewhere about the surveys that heard the same transmitters.
///
/// However well such readings fit one survey, they would fit any place at the edge of a
/// transmitter's reach, most of which nobody has surveyed.
struct FaintHearing: Sendable {
    /// Metres: how far beyond the surveys that heard it a transmitter is likely to be heard
    /// faintly.
    static let beyondMetres = 20.0
    /// dB. A map whose strongest reading is no stronger than the weakest by this has no faint ones.
    static let leastRange = 20

    /// dBm; nil for a map without readings.
    private let faintest: Int?
    private let transmitters: TransmitterNumbers
    /// By transmitter: about the surveys that heard it; nil where none did.
    private let regions: [BoundingBox?]

    init(_ map: RadioMap) {
        transmitters = TransmitterNumbers(map)
        let weakest = map.readingRSSI.min().map(Int.init)
        let strongest = map.readingRSSI.max().map(Int.init) ?? 0
        faintest = weakest.map { strongest - $0 >= Self.leastRange ? $0 : $0 - 1 }
        var regions = [BoundingBox?](repeating: nil, count: map.transmitters.count)
        for fingerprint in map.fingerprints.indices {
            let point = map.fingerprints[fingerprint].point
            for position in map.readings(of: fingerprint) {
                let transmitter = Int(map.readingTransmitter[position])
                regions[transmitter]?.include(point)
                if regions[transmitter] == nil { regions[transmitter] = BoundingBox([point]) }
            }
        }
        self.regions = regions
    }

    /// Metres about the point that hold the place of a faint scan with 95 %; nil for a scan that
    /// heard anything stronger.
    func radius95(of scan: RadioScan, about point: Point) -> Double? {
        guard let faintest else { return nil }
        // Most scans are told apart by their first strong reading.
        let isStrong = scan.readings.contains {
            Int($0.rssi) > faintest && transmitters[$0.transmitter] != nil
        }
        guard !isStrong else { return nil }
        var farthest: Double?
        for reading in scan.readings {
            guard let number = transmitters[reading.transmitter] else { continue }
            guard let region = regions[Int(number)] else { continue }
            let x = max(abs(region.minimum.x - point.x), abs(region.maximum.x - point.x))
            let y = max(abs(region.minimum.y - point.y), abs(region.maximum.y - point.y))
            farthest = max(farthest ?? 0, (x * x + y * y).squareRoot())
        }
        return farthest.map { $0 + Self.beyondMetres }
    }
}
