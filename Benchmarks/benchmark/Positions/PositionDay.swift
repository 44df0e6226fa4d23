import EventLog
import Events
import Foundation
import SeededRandomness
import Wire

/// The positions of one day at 500 scans a second: 2,500 devices that send every five seconds and
/// stay in a room for some minutes. The day begins at midnight, UTC.
struct PositionDay: Sendable {
    static let site = ScanSamples.site
    static let devices = 2_500
    static let scansPerSecond = 500
    static let rooms = 500
    private static let roomsOnFloor = 20
    private static let floorsOfBuilding = 5
    private static let start = Timestamp(microseconds: 1_795_305_600_000_000)
    private static let interval = Int64(1_000_000 / scansPerSecond)

    private struct Walker: Sendable {
        var room: Int
        var x: Double
        var y: Double
    }

    private var random: SeededRandom
    private var walkers: [Walker] = []
    private var count = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for _ in 0..<Self.devices {
            walkers.append(Walker(room: .random(in: 0..<Self.rooms, using: &random), x: 0, y: 0))
        }
    }

    /// The time of a scan, counted from midnight.
    static func time(_ number: Int) -> Timestamp {
        start.advanced(byMicroseconds: Int64(number) * interval)
    }

    static func device(_ number: Int) -> DeviceID { DeviceID("device-\(number)") }
    static func room(_ number: Int) -> RoomID { RoomID("room-\(number)") }

    mutating func positions(_ number: Int) -> [PositionEstimated] {
        (0..<number).map { _ in next() }
    }

    /// The next positions as the log holds them.
    mutating func records(_ number: Int) -> [StoredRecord] {
        (0..<number).map { _ in
            let position = next()
            let record = position.record(source: "/benchmark")
            return StoredRecord(
                topic: record.topic, partition: 0, offset: Int64(count),
                appendedAtMicroseconds: position.locatedAt.microseconds + 5_000,
                key: record.key, value: record.value, headers: record.headers)
        }
    }

    private mutating func next() -> PositionEstimated {
        let number = count % Self.devices
        let at = Self.time(count)
        count += 1
        if Int.random(in: 0..<120, using: &random) == 0 {
            walkers[number].room = .random(in: 0..<Self.rooms, using: &random)
        }
        walkers[number].x = rounded(.random(in: 0...80, using: &random), 3)
        walkers[number].y = rounded(.random(in: 0...50, using: &random), 3)
        let walker = walkers[number]
        let floor = walker.room / Self.roomsOnFloor
        var position = PositionEstimated(
            id: identifier(version: 0x5000),
            scan: EventID(
                millisecondsSinceEpoch: at.milliseconds, random: random.next(), random.next()),
            at: at,
            locatedAt: at.advanced(byMicroseconds: .random(in: 20_000...900_000, using: &random)),
            device: Self.device(number), site: Self.site, siteVersion: 12, state: .located,
            late: false, positioner: "track", radioMapVersion: 31)
        position.choiceVersion = 31
        if Int.random(in: 0..<200, using: &random) == 0 {
            position.state = .lost
            return position
        }
        position.building = BuildingID("building-\(floor / Self.floorsOfBuilding)")
        position.floor = FloorID("floor-\(floor)")
        position.room = Self.room(walker.room)
        position.rooms = probabilities(around: walker.room)
        (position.x, position.y) = (walker.x, walker.y)
        position.latitude = rounded(51.5129 + walker.y / 111_200, 9)
        position.longitude = rounded(-0.1167 + walker.x / 69_200, 9)
        position.covariance = [
            rounded(.random(in: 1...20, using: &random), 6),
            rounded(.random(in: -2...2, using: &random), 6),
            rounded(.random(in: 1...20, using: &random), 6),
        ]
        position.radius68 = rounded(.random(in: 1...5, using: &random), 3)
        position.radius95 = rounded(.random(in: 5...12, using: &random), 3)
        if count % 3 == 0 { position.motion = .moderate }
        return position
    }

    /// One to four rooms, two and a half on average.
    private mutating func probabilities(around room: Int) -> [PositionEstimated.RoomProbability] {
        let count = Int.random(in: 1...4, using: &random)
        var rest = 1.0
        return (0..<count).map { number in
            let share = rounded(rest * .random(in: 0.5...0.9, using: &random), 6)
            rest -= share
            return .init(id: Self.room((room + number) % Self.rooms), probability: share)
        }
    }

    private mutating func identifier(version: UInt64) -> EventID {
        EventID(
            high: random.next() & ~0xF000 | version,
            low: random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    private func rounded(_ number: Double, _ decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (number * scale).rounded() / scale
    }
}
