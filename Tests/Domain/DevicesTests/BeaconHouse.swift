import Devices
import Events
import Foundation
import Geometry
import SeededRandomness
import Site

/// A house of two floors with six rooms of 30 m² and a beacon in each, and nothing surveyed.
///
///     0     6     12    18
///     +-----+-----+-----+ 12
///     |  3  |  4  |  5  |
///     +-----+-----+--+--+ 7
///     |  corridor    |st|
///     +-----+-----+--+--+ 5
///     |  0  |  1  |  2  |
///     +-----+-----+-----+ 0
///
/// Strength falls by 20 dB in a decade of metres, by 5 dB at a wall and by 18 dB at a floor
/// (docs/simulator.md). It has noise of 6 dB. One beacon is dead, and one was carried to another
/// room after its place was stated.
struct BeaconHouse {
    static let site = SiteID("house")
    static let region = EventID(high: 0xF782_6DA6_4FA2_4E98, low: 0x8024_BC5B_71E0_893E)
    static let noiseDecibels = 6.0
    private static let storeyMetres = 3.5

    /// A place on a floor.
    struct Spot {
        var floor: Int
        var point: Point
    }

    var document: SiteDocument
    /// Where each beacon really is; nil for the dead one.
    private var real: [Spot?]
    private var random: SeededRandom

    init(seed: Int) {
        random = SeededRandom(seed: seed)
        var stated: [Spot] = []
        for room in 0..<12 {
            stated.append(Self.spot(in: room, margin: 0.5, &random))
        }
        document = Self.document(stated)
        real = stated
        let dead = Int.random(in: 0..<12, using: &random)
        let moved = (dead + Int.random(in: 1..<12, using: &random)) % 12
        let target = (moved + Int.random(in: 1..<12, using: &random)) % 12
        real[moved] = Self.spot(in: target, margin: 0.5, &random)
        real[dead] = nil
    }

    // MARK: The house

    static func floor(_ number: Int) -> FloorID { FloorID("floor-\(number)") }
    static func room(_ number: Int) -> RoomID { RoomID("room-\(number)") }
    static func zone(_ number: Int) -> ZoneID { ZoneID("zone-\(number)") }

    /// The lower left corner of a room.
    private static func corner(_ room: Int) -> Point {
        [Double(room % 3) * 6, room % 6 < 3 ? 0 : 7]
    }

    private static func spot(
        in room: Int, margin: Double, _ random: inout SeededRandom
    ) -> Spot {
        let corner = corner(room)
        return Spot(
            floor: room / 6,
            point: Point(
                x: corner.x + .random(in: margin...6 - margin, using: &random),
                y: corner.y + .random(in: margin...5 - margin, using: &random)))
    }

    private static func document(_ beacons: [Spot]) -> SiteDocument {
        var document = SiteDocument(
            name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0)
        document.buildings = [
            BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Europe/London")
        ]
        for number in 0..<2 {
            document.floors.append(
                FloorRecord(
                    id: floor(number), building: BuildingID("house"), ordinal: number,
                    level: "\(number)"))
            for (name, x) in [("corridor", 0.0...15), ("stairs", 15.0...18)] {
                document.rooms.append(
                    RoomRecord(
                        id: RoomID("\(name)-\(number)"), floor: floor(number), name: name,
                        kind: name, outline: ring(x, 5...7)))
            }
        }
        for number in 0..<12 {
            let (floor, corner) = (floor(number / 6), corner(number))
            let outline = ring(corner.x...corner.x + 6, corner.y...corner.y + 5)
            document.rooms.append(
                RoomRecord(
                    id: room(number), floor: floor, name: "", kind: "room", outline: outline))
            document.zones.append(
                ZoneRecord(
                    id: zone(number), name: "", kind: "show", floor: floor, outline: outline))
            document.beacons.append(
                SiteBeacon(
                    id: BeaconID("beacon-\(number)"), floor: floor, point: beacons[number].point,
                    uuid: region, major: number / 6, minor: number % 6, txPower: -59))
        }
        return document
    }

    private static func ring(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> Ring {
        [
            [x.lowerBound, y.lowerBound], [x.upperBound, y.lowerBound],
            [x.upperBound, y.upperBound], [x.lowerBound, y.upperBound],
        ]
    }

    /// The room or part of the corridor; the same number means that no wall is between.
    private static func part(_ point: Point) -> Int {
        if (5...7).contains(point.y) { return point.x < 15 ? 6 : 7 }
        return min(2, max(0, Int(point.x / 6))) + (point.y < 5 ? 0 : 3)
    }

    // MARK: Scans

    private mutating func gaussian() -> Double {
        let (one, two) = (
            Double.random(in: 1e-12..<1, using: &random), Double.random(in: 0..<1, using: &random)
        )
        return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
    }

    /// A scan at a place, by a telephone with this offset in dB. It misses a tenth of all beacons.
    mutating func scan(
        at spot: Spot, number: Int, of device: DeviceID, seconds: Double, offset: Double
    ) -> ScanRecorded {
        let at = Timestamp(microseconds: 1_795_248_000_000_000 + Int64(seconds * 1e6))
        let low = device.text.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        var scan = ScanRecorded(
            id: EventID(high: UInt64(number), low: low),
            site: Self.site, device: device, scanner: ScannerID(device.text), at: at,
            receivedAt: at)
        for (number, place) in real.enumerated() {
            guard let place, Double.random(in: 0..<1, using: &random) >= 0.1 else { continue }
            let level = Self.level(from: place, to: spot) + offset
            let rssi = Int((level + Self.noiseDecibels * gaussian()).rounded())
            guard rssi >= -95 else { continue }
            scan.ble.append(
                BluetoothReading(
                    uuid: Self.region, major: UInt16(number / 6), minor: UInt16(number % 6),
                    rssi: min(0, rssi)))
        }
        return scan
    }

    /// Surveys at random places of the first rooms of a floor.
    mutating func surveys(of floor: Int, count: Int, rooms: Int = 6) -> [SurveyRecorded] {
        (0..<count).map { number in
            let room = floor * 6 + number % rooms
            let spot = Self.spot(in: room, margin: 0.2, &random)
            return SurveyRecorded(
                scan: scan(
                    at: spot, number: number, of: DeviceID("surveyor"),
                    seconds: Double(number) * 120, offset: 0),
                place: .metres(floor: Self.floor(floor), x: spot.point.x, y: spot.point.y))
        }
    }

    private static func level(from beacon: Spot, to place: Spot) -> Double {
        let plane = beacon.point.distance(to: place.point)
        let rise = Double(beacon.floor - place.floor) * storeyMetres + 0.8
        let metres = (plane * plane + rise * rise).squareRoot()
        var walls = 0
        var part = part(beacon.point)
        for step in 1...200 {
            let share = Double(step) / 200
            let next = Self.part(
                Point(
                    x: beacon.point.x + share * (place.point.x - beacon.point.x),
                    y: beacon.point.y + share * (place.point.y - beacon.point.y)))
            if next != part { walls += 1 }
            part = next
        }
        return -59 - 20 * log10(max(1, metres)) - 5 * Double(walls)
            - 18 * Double(abs(beacon.floor - place.floor))
    }

    // MARK: Visitors

    /// A visitor who stays one to three minutes in one room after the other. There is a place every
    /// two seconds, with the room, which is nil in the corridor and on the stairs.
    mutating func visit(seconds: Double) -> [(spot: Spot, room: Int?)] {
        var places: [(spot: Spot, room: Int?)] = []
        var room = Int.random(in: 0..<12, using: &random)
        var spot = Self.spot(in: room, margin: 0.2, &random)
        while Double(places.count) * 2 < seconds {
            for _ in 0..<Int.random(in: 30...90, using: &random) { places.append((spot, room)) }
            let isOtherFloor = Double.random(in: 0..<1, using: &random) < 0.25
            let floor = isOtherFloor ? 1 - room / 6 : room / 6
            room = floor * 6 + (room + Int.random(in: 1..<6, using: &random)) % 6
            let next = Self.spot(in: room, margin: 0.2, &random)
            var way = [spot.point, [spot.point.x, 6]]
            if isOtherFloor {
                places += walk(way + [[16.5, 6]], floor: spot.floor)
                places += (0..<5).map { _ in (Spot(floor: floor, point: [16.5, 6]), nil) }
                way = [[16.5, 6]]
            }
            places += walk(way + [[next.point.x, 6], next.point], floor: floor)
            spot = next
        }
        return places
    }

    /// The places every two seconds on a way at 1.1 m/s.
    private func walk(_ way: [Point], floor: Int) -> [(spot: Spot, room: Int?)] {
        var places: [(spot: Spot, room: Int?)] = []
        for (start, end) in zip(way, way.dropFirst()) {
            let metres = start.distance(to: end)
            for step in 0..<Int(metres / 2.2) {
                let share = Double(step + 1) * 2.2 / metres
                let point = Point(
                    x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
                let part = Self.part(point)
                places.append((Spot(floor: floor, point: point), part < 6 ? 6 * floor + part : nil))
            }
        }
        return places
    }
}
