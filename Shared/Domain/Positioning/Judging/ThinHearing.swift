import Geometry

/// Finds scans that received far fewer transmitters than the surveys around their place, such as
/// those of a telephone that receives badly. The radii of a map's self-test don't hold for them.
struct ThinHearing: Sendable {
    /// The share of the usual number of transmitters below which a scan is thin. Hardly any scan of
    /// walks or telephones that are held out is (docs/accuracy.md, section Thin scans).
    static let leastShare = 0.25
    private static let squareMetres = 8.0

    private struct Square: Hashable {
        let floor: Int32
        let x: Int
        let y: Int

        init(_ point: Point, _ floor: Int32) {
            self.floor = floor
            x = Int((point.x / ThinHearing.squareMetres).rounded(.down))
            y = Int((point.y / ThinHearing.squareMetres).rounded(.down))
        }
    }

    /// Wi-Fi and the rest are counted apart: some telephones report only one of them.
    private typealias Counts = SIMD2<Int>

    private let transmitters: TransmitterNumbers
    /// The median numbers of transmitters of the surveys in each square, and on each floor; 0 where
    /// there are none.
    private let usual: [Square: Counts]
    private let usualOfFloor: [Counts]

    init(_ map: RadioMap) {
        transmitters = TransmitterNumbers(map)
        let kinds = map.transmitters.map(Self.kind)
        var squares: [Square: [Counts]] = [:]
        var floors = [[Counts]](repeating: [], count: map.floors.count)
        for (index, fingerprint) in map.fingerprints.enumerated() {
            var counts = Counts()
            for position in map.readings(of: index) {
                counts[kinds[Int(map.readingTransmitter[position])]] += 1
            }
            squares[Square(fingerprint.point, fingerprint.floor), default: []].append(counts)
            floors[Int(fingerprint.floor)].append(counts)
        }
        usual = squares.mapValues(Self.median)
        usualOfFloor = floors.map(Self.median)
    }

    private static func kind(_ transmitter: Transmitter) -> Int {
        if case .wifi = transmitter { 0 } else { 1 }
    }

    private static func median(_ counts: [Counts]) -> Counts {
        guard !counts.isEmpty else { return Counts() }
        return Counts(
            counts.map { $0[0] }.sorted()[counts.count / 2],
            counts.map { $0[1] }.sorted()[counts.count / 2])
    }

    /// Whether the scan received few transmitters for this place.
    ///
    /// - Parameter overlap: a number of the map's transmitters that the scan received; they may be
    ///   more.
    func isThin(_ scan: RadioScan, overlap: Int, at point: Point, floor: Int32) -> Bool {
        let usual = usual[Square(point, floor)] ?? usualOfFloor[Int(floor)]
        guard Double(overlap) < Self.leastShare * Double(usual.wrappedSum()) else { return false }
        var known = Counts()
        for reading in scan.readings where transmitters[reading.transmitter] != nil {
            known[Self.kind(reading.transmitter)] += 1
        }
        let expected = usual.replacing(with: 0, where: known .== 0).wrappedSum()
        return Double(known.wrappedSum()) < Self.leastShare * Double(expected)
    }
}
