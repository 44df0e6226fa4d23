import Events
import Privacy
import SeededRandomness
import Testing

@Suite("Keys of pseudonyms") struct DayKeysTests {
    private static let hour: Int64 = 3_600_000_000
    private static let day: Int64 = 24 * hour
    private static let start = Timestamp(microseconds: 1_800_000_000_000_000)

    /// Days that begin at `start`, of 24 hours each.
    private static func key(_ number: Int64) -> DayKey {
        DayKey(
            begins: start.advanced(byMicroseconds: number * day),
            ends: start.advanced(byMicroseconds: (number + 1) * day),
            secret: [UInt8](repeating: UInt8(number), count: DayKey.secretBytes))
    }

    /// A time in hours after `start`.
    private static func at(_ hours: Double) -> Timestamp {
        start.advanced(byMicroseconds: Int64(hours * Double(hour)))
    }

    private let keys = DayKeys([Self.key(2), Self.key(0), Self.key(1)])

    @Test("A scan gets the key of its day, whenever it arrives", arguments: [25.0, 30, 47.9])
    func ofItsDay(now: Double) throws {
        for hours in [0.0, 12, 23.999] {
            let key = try keys.key(at: Self.at(hours), now: Self.at(now))
            #expect(key == Self.key(0))
        }
        let next = try keys.key(at: Self.at(24), now: Self.at(now))
        let last = try keys.key(at: Self.at(48), now: Self.at(now))
        #expect(next == Self.key(1) && last == Self.key(2))
    }

    @Test("A key is not used later than a day after its own day")
    func forgotten() {
        #expect(throws: DayKeys.Missing.forgotten) {
            try keys.key(at: Self.at(23), now: Self.at(48))
        }
        #expect(throws: DayKeys.Missing.forgotten) {
            try keys.key(at: Self.at(-1), now: Self.at(1))
        }
    }

    @Test("Without the key of now a scan waits, and a time far ahead is refused")
    func missing() {
        #expect(throws: DayKeys.Missing.notYet) {
            try DayKeys([]).key(at: Self.at(1), now: Self.at(1))
        }
        #expect(throws: DayKeys.Missing.notYet) {
            try keys.key(at: Self.at(73), now: Self.at(72.5))
        }
        #expect(throws: DayKeys.Missing.ahead) {
            try keys.key(at: Self.at(120), now: Self.at(72.5))
        }
    }

    @Test("Where all keys begin later, since a clock was ahead, a scan waits for others")
    func allAhead() {
        for hours in [-1.0, -30, -9_000] {
            #expect(throws: DayKeys.Missing.notYet) {
                try keys.key(at: Self.at(hours - 0.5), now: Self.at(hours))
            }
        }
    }

    @Test("Only a clock that is over an hour off is corrected")
    func skew() throws {
        let arrival = Self.at(30)
        var scan = ScanRecorded(
            id: EventID(high: 1, low: 2), site: SiteID("site"), device: DeviceID("device"),
            scanner: ScannerID("node"), at: Self.at(29.5), sentAt: Self.at(29.5),
            receivedAt: arrival)
        #expect(scan.timeOfKey == Self.at(29.5))
        scan.at = Timestamp(microseconds: 5_000_000)
        scan.sentAt = Timestamp(microseconds: 8_000_000)
        #expect(scan.timeOfKey == arrival.advanced(byMicroseconds: -3_000_000))
        scan.sentAt = nil
        #expect(scan.timeOfKey == Timestamp(microseconds: 5_000_000))
    }
}

@Suite("A pseudonym") struct PseudonymTests {
    @Test("is the device id that it is read from", arguments: 0..<50)
    func text(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let hash = (0..<Pseudonym.hashBytes).map { _ in
            UInt8.random(in: .min ... .max, using: &random)
        }
        let ends = Timestamp(microseconds: .random(in: 0...4_000_000_000_000_000, using: &random))
        let pseudonym = Pseudonym(ends: ends, hash: hash)
        #expect(DeviceID(validating: pseudonym.device.text) == pseudonym.device)
        #expect(Pseudonym(pseudonym.device) == pseudonym)
        #expect(pseudonym.ends >= ends && pseudonym.ends - ends < 60_000_000)
    }

    @Test(
        "has one form only",
        arguments: [
            "pi-0042", "anon", "anon-", "anon-1-2", "anon-1c9c380-00112233445566778899aabbccddeef",
            "anon-1C9C380-00112233445566778899aabbccddeeff",
            "anon-01c9c380-00112233445566778899aabbccddeeff",
            "anon-1c9c380-00112233445566778899AAbbccddeeff",
            "anon--1-00112233445566778899aabbccddeeff",
            "anon-1c9c380-+0112233445566778899aabbccddeeff",
            "anon-ffffffffff1-00112233445566778899aabbccddeeff",
            "anon-ffffffffff-00112233445566778899aabbccddeeff",
            "anon-100000000-00112233445566778899aabbccddeeff",
        ])
    func otherForms(text: String) { #expect(Pseudonym(DeviceID(text)) == nil) }
}
