import Geometry

/// Widens the radius of a faint scan: one that received no transmitter stronger than the map's
/// weakest reading.
///
/// Such a scan may have been made anywhere around the surveys that received the same transmitters.
/// Its readings may fit one survey well, but they fit any place at the edge of a transmitter's
/// reach. Most of those places were never surveyed.
struct FaintHearing: Sendable {
    /// The distance beyond a transmitter's surveys at which it is likely still received faintly, in
    /// metres.
    static let beyondMetres = 20.0
    /// The same for a scan that the map can't explain, which may come from a neighbouring building.
    static let strangeBeyondMetres = 100.0
    /// dB. A map whose readings span less than this has no faint ones.
    static let leastRange = 20

    /// The strongest RSSI that counts as faint, in dBm; nil for a map without readings.
    private let faintest: Int?
    private let transmitters: TransmitterNumbers
    /// For each transmitter, the box around the surveys that received it; nil where none did.
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

    /// The radius around the point that contains a faint scan's place with 95 %, in metres. Nil for
    /// a scan with any stronger reading.
    func radius95(of scan: RadioScan, about point: Point) -> Double? {
        guard let faintest else { return nil }
        // Most scans have a strong reading near the start, so the search ends early.
        let isStrong = scan.readings.contains {
            Int($0.rssi) > faintest && transmitters[$0.transmitter] != nil
        }
        guard !isStrong else { return nil }
        return surroundings(of: scan, about: point)
    }

    /// The radius around the point that contains all surveys with a transmitter of the scan, and
    /// `beyondMetres` more. Nil for a scan without any of the map's.
    func surroundings(of scan: RadioScan, about point: Point) -> Double? {
        farthest(of: scan, from: point).map { $0 + Self.beyondMetres }
    }

    /// Metres from the point to the farthest place where a transmitter of the scan is likely still
    /// received. Nil for a scan without any of the map's.
    func reach(of scan: RadioScan, from point: Point) -> Double? {
        farthest(of: scan, from: point).map { $0 + Self.strangeBeyondMetres }
    }

    /// Metres to the farthest corner of the boxes around the surveys that received the same.
    private func farthest(of scan: RadioScan, from point: Point) -> Double? {
        var farthest: Double?
        for reading in scan.readings {
            guard let number = transmitters[reading.transmitter] else { continue }
            guard let region = regions[Int(number)] else { continue }
            let x = max(abs(region.minimum.x - point.x), abs(region.maximum.x - point.x))
            let y = max(abs(region.minimum.y - point.y), abs(region.maximum.y - point.y))
            farthest = max(farthest ?? 0, (x * x + y * y).squareRoot())
        }
        return farthest
    }
}
