import Events
import Geometry
import Positioning
import SeededRandomness

/// A radio map of any size, made from the fingerprints of another: an even selection of them, or
/// repetitions of all with noise added.
struct RepeatedMap {
    enum Growth: String, CaseIterable {
        case buildings = "more buildings, each with floors and access points of its own"
        case surveys = "more surveys of the same places, which receive the same access points"
    }

    /// The noise of a reading is uniform between minus and plus this many dB.
    private static let noise = 4
    /// Metres between two copies of the buildings.
    private static let pitchMetres = 1_000.0
    /// The difference between the addresses of an access point in two successive copies.
    private static let addressPitch: UInt64 = 0x1_0000

    private(set) var map: RadioMap

    /// Equal arguments give equal maps.
    init(_ original: RadioMap, fingerprints count: Int, growth: Growth, seed: UInt64) {
        let size = original.fingerprints.count
        let copies = (count + size - 1) / size
        let places = growth == .buildings ? copies : 1
        map = .empty
        for copy in 0..<places { map.addNames(of: original, copy: copy) }
        var random = SeededRandom(seed: seed)
        for number in 0..<count {
            let copy = copies == 1 ? 0 : number / size
            let source = copies == 1 ? number * size / count : number % size
            let place = growth == .buildings ? copy : 0
            map.addFingerprint(source, of: original, number: number, copy: copy, place: place) {
                copy == 0 ? 0 : Int(random.next() % UInt64(2 * Self.noise + 1)) - Self.noise
            }
        }
    }

    fileprivate static func transmitter(_ transmitter: Transmitter, copy: Int) -> Transmitter {
        guard case .wifi(let address) = transmitter else { return transmitter }
        return .wifi(HardwareAddress(value: address.value + UInt64(copy) * addressPitch))
    }

    fileprivate static func point(_ point: Point, place: Int) -> Point {
        Point(x: point.x + Double(place) * pitchMetres, y: point.y)
    }
}

extension RadioMap {
    /// Adds a copy's transmitters, floors, rooms and places. Their names are sorted if those of the
    /// original are.
    fileprivate mutating func addNames(of original: RadioMap, copy: Int) {
        let floor = Int32(floors.count)
        let number = String(1_000 + copy)
        transmitters += original.transmitters.map { RepeatedMap.transmitter($0, copy: copy) }
        floors += original.floors.map { FloorID("\(number)-\($0)") }
        rooms += original.rooms.map { RoomID("\(number)-\($0)") }
        places += original.places.map { Place(name: $0.name, floor: $0.floor + floor) }
    }

    /// Adds a copy of one fingerprint.
    ///
    /// - Parameters:
    ///   - copy: the number of the repetition; each has a scanner of its own.
    ///   - place: the number of the copy of the buildings in which the fingerprint lies.
    ///   - noise: called for each reading; returns the dB to add.
    fileprivate mutating func addFingerprint(
        _ source: Int, of original: RadioMap, number: Int, copy: Int, place: Int,
        noise: () -> Int
    ) {
        var fingerprint = original.fingerprints[source]
        fingerprint.survey = EventID(
            millisecondsSinceEpoch: Int64(number), random: 0, UInt64(number))
        fingerprint.point = RepeatedMap.point(fingerprint.point, place: place)
        fingerprint.floor += Int32(place * original.floors.count)
        if fingerprint.room >= 0 { fingerprint.room += Int32(place * original.rooms.count) }
        fingerprint.place += Int32(place * original.places.count)
        fingerprint.scanner = Int32(copy)
        fingerprint.walk = Int32(number)
        fingerprints.append(fingerprint)
        for reading in original.readings(of: source) {
            readingTransmitter.append(
                original.readingTransmitter[reading] + Int32(place * original.transmitters.count))
            let rssi = Int(original.readingRSSI[reading]) + noise()
            readingRSSI.append(Int8(clamping: min(0, rssi)))
        }
        readingStart.append(Int32(readingTransmitter.count))
    }
}
