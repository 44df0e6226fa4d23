import Events
import Geometry
import Positioning
import SeededRandomness
import Site

/// Draws radio maps and scans, however unlikely. Readings are extremely strong or weak, single, all
/// equal, or far away. Floors may be missing from the site.
struct RandomRadio {
    static let site: SiteIndex = {
        let house = BuildingID("house")
        func room(_ id: String, _ floor: String, _ x: Double) -> RoomRecord {
            RoomRecord(
                id: RoomID(id), floor: FloorID(floor), name: id,
                kind: id == "hall" ? "corridor" : id == "up" ? "stairs" : "room",
                outline: [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]])
        }
        var document = SiteDocument(
            name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [BuildingRecord(id: house, name: "House", timeZone: "Europe/London")],
            floors: [
                FloorRecord(id: FloorID("f0"), building: house, ordinal: 0, level: "0"),
                FloorRecord(id: FloorID("f1"), building: house, ordinal: 1, level: "1"),
            ],
            rooms: [
                room("a", "f0", 0), room("hall", "f0", 10), room("up", "f0", 20),
                room("b", "f1", 0), room("c", "f1", 10),
            ], locations: [])
        document.accessPointPlaces = (1...4).map {
            AccessPointPlace(
                address: HardwareAddress(value: $0), floor: FloorID("f1"),
                point: Point(x: Double($0) * 5, y: 4))
        }
        return try! SiteIndex(document)
    }()

    static let region = EventID(high: 1, low: 2)
    private static let rooms = ["a", "b", "c", "gone", "hall", "up"].map { RoomID($0) }
    private static let floors = ["f0", "f1", "gone"].map { FloorID($0) }

    var random: SeededRandom

    init(seed: Int) { random = SeededRandom(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    mutating func chance(_ share: Double) -> Bool { .random(in: 0..<1, using: &random) < share }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

    /// A strength in dBm, often at the edge of the range.
    mutating func strength() -> Int {
        switch number(0...9) {
        case 0: pick([-128, -127, -121, -120, -119, -105])
        case 1: pick([0, -1, -2])
        case 2: pick([-94, -93, -92])
        default: number(-110 ... -20)
        }
    }

    private static let transmitters: [Transmitter] =
        ((1...9).map { .wifi(HardwareAddress(value: $0)) }
        + (1...3).map { .beacon(uuid: region, major: 1, minor: $0) }
        + [.bluetooth(HardwareAddress(value: 7)), .node(ScannerID("n"))]).sorted()

    private mutating func coordinate() -> Double {
        switch number(0...19) {
        case 0: pick([1e6, -1e6, 99_999.5, -3_000])
        case 1: 0
        default: Double(number(0...300)) / 10
        }
    }

    /// - Parameters:
    ///   - surveys: the largest number of surveys.
    ///   - floors: the largest number of floors.
    mutating func map(surveys most: Int, floors mostFloors: Int = 3) -> RadioMap {
        let known = Self.transmitters.prefix(number(1...Self.transmitters.count))
        let floorCount = number(1...min(mostFloors, Self.floors.count))
        let isOneLevel = chance(0.1)
        let level = strength()
        let mostReadings = chance(0.3) ? 1 : known.count
        let scanners = number(1...6)
        let count = chance(0.05) ? 0 : number(1...most)
        // Some maps have few places with many surveys each, others many places with one.
        let points = (0..<number(1...max(1, count))).map { _ in
            (
                point: Point(x: coordinate(), y: coordinate()),
                floor: Int32(number(0...floorCount - 1))
            )
        }
        var map = RadioMap(
            transmitters: Array(known), floors: Array(Self.floors.prefix(floorCount)),
            rooms: Self.rooms,
            places: points.enumerated().map {
                RadioMap.Place(name: "p\($0.offset)", floor: $0.element.floor)
            }, fingerprints: [], readingStart: [0], readingTransmitter: [], readingRSSI: [])
        for survey in 0..<count {
            let place = number(0...points.count - 1)
            map.fingerprints.append(
                RadioMap.Fingerprint(
                    survey: EventID(high: 0, low: UInt64(survey)), point: points[place].point,
                    floor: points[place].floor,
                    room: Int32(number(-1...Self.rooms.count - 1)), place: Int32(place),
                    walk: Int32(number(0...2 * scanners)), scanner: Int32(number(0...scanners - 1)))
            )
            let heard = chance(0.05) ? 0 : number(1...max(1, mostReadings))
            let numbers = known.indices.shuffled(using: &random).prefix(heard).sorted()
            for number in numbers {
                map.readingTransmitter.append(Int32(number))
                map.readingRSSI.append(Int8(clamping: isOneLevel ? level : strength()))
            }
            map.readingStart.append(Int32(map.readingTransmitter.count))
        }
        return map
    }

    /// - Parameter weakest: in dBm. Some scans have no stronger reading.
    mutating func scan(at seconds: Double, weakest: Int) -> ScanRecorded {
        let moment = Timestamp(microseconds: 1_780_000_000_000_000 + Int64(seconds * 1e6))
        var scan = ScanRecorded(
            id: EventID(high: 5, low: random.next()), site: SiteID("house"),
            device: DeviceID("d"), scanner: ScannerID("d"), at: moment, receivedAt: moment)
        let isFaint = chance(0.25)
        let count = chance(0.3) ? 1 : number(0...12)
        for _ in 0..<count {
            let rssi = isFaint ? min(strength(), weakest) : strength()
            switch number(0...9) {
            case 0...6:
                let address = HardwareAddress(value: UInt64(number(1...11)))
                scan.wifi.append(WiFiReading(bssid: address, rssi: rssi))
            case 7...8:
                scan.ble.append(
                    BluetoothReading(
                        uuid: Self.region, major: 1, minor: UInt16(number(1...4)), rssi: rssi,
                        txPower: chance(0.3) ? pick([-128, -59, 0, 127]) : nil))
            default: scan.heardBy.append(NodeReading(scanner: ScannerID("n"), rssi: rssi))
            }
        }
        if chance(0.2) { scan.steps = pick([0, 1, 30, 1_000_000]) }
        if chance(0.2) { scan.headingDegrees = pick([0, -360, 360, 87.5]) }
        if chance(0.1) { scan.speedMetresPerSecond = pick([0, 1e-300, 1.2, 1_000]) }
        if chance(0.3) { scan.pressureHectopascals = pick([300, 1_012.5, 1_013, 1_100]) }
        if chance(0.1) {
            scan.gnss = SatelliteFix(
                latitude: pick([51.5, 90, -90, 0]), longitude: pick([-0.1, 180, -180]),
                accuracyMetres: pick([0, 1e-300, 5, 40, 1e6]))
        }
        if chance(0.3) { addField(&scan) }
        return scan
    }

    private mutating func addField(_ scan: inout ScanRecorded) {
        let first = pick([0, 1 << 53 - 60_000, 12_345])
        let step = number(1...60)
        scan.magneticSamples = (0..<number(1...900)).map { index in
            func part() -> Double {
                chance(0.02) ? pick([0, 1e6, -1e6]) : Double(number(-600...600)) / 10
            }
            return MagneticSample(
                atMilliseconds: first + index * step,
                field: MagneticField(x: part(), y: part(), z: part()),
                gravity: chance(0.5) ? MagneticField(x: part(), y: 0, z: part()) : nil)
        }
    }
}
