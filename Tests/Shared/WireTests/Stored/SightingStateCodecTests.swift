import Events
import Sightings
import Testing
import Wire

@Suite struct SightingStateCodecTests {
    private static let length: Int64 = 2_000_000
    private let heard = HeardSightings(
        open: [
            SightingWindow(
                number: 7, closesWith: 9,
                readings: [
                    NodeReading(
                        scanner: ScannerID("node-1"), rssi: -50,
                        distance: MeasuredDistance(metres: 3.5, deviation: 0.25)),
                    NodeReading(scanner: ScannerID("node-2"), rssi: -120),
                ], at: Timestamp(microseconds: 15_000_000),
                receivedAt: Timestamp(microseconds: 18_000_001)),
            SightingWindow(
                number: 9, closesWith: 9,
                readings: [NodeReading(scanner: ScannerID("node-1"), rssi: 0)],
                at: Timestamp(microseconds: 18_000_000),
                receivedAt: Timestamp(microseconds: 18_000_000)),
        ], closed: ClosedWindows(newest: 6, bits: [5, 0, 1 << 63]))

    private func decode(_ bytes: [UInt8]) throws -> HeardSightings? {
        try SightingStateCodec.decode(bytes, windowMicroseconds: Self.length)
    }

    private var bytes: [UInt8] {
        SightingStateCodec.encode(heard, windowMicroseconds: Self.length)
    }

    @Test("What is kept of a device is read back as it was written")
    func roundTrip() throws {
        #expect(try decode(bytes) == heard)
        let fresh = HeardSightings(open: heard.open)
        #expect(
            try decode(SightingStateCodec.encode(fresh, windowMicroseconds: Self.length)) == fresh)
        let time = Timestamp(microseconds: 1_795_694_400_000_001)
        #expect(try SightingStateCodec.decodeTime(SightingStateCodec.encode(time: time)) == time)
    }

    @Test("Windows of another length can't be used")
    func otherLength() throws {
        #expect(try SightingStateCodec.decode(bytes, windowMicroseconds: 1_000_000) == nil)
    }

    @Test("Truncated, longer and newer bytes are refused")
    func faults() {
        for count in bytes.indices {
            #expect(throws: BinaryFault.self) { try decode(Array(bytes.prefix(count))) }
        }
        #expect(throws: BinaryFault.trailingBytes(1)) { try decode(bytes + [0]) }
        #expect(throws: BinaryFault.unknownVersion(2)) { try decode([2] + bytes.dropFirst()) }
        let time = SightingStateCodec.encode(time: Timestamp(microseconds: 1))
        #expect(throws: BinaryFault.truncated) {
            try SightingStateCodec.decodeTime(Array(time.dropLast()))
        }
        #expect(throws: BinaryFault.trailingBytes(1)) {
            try SightingStateCodec.decodeTime(time + [0])
        }
    }

    @Test("The key of the time is no device's")
    func keys() {
        #expect(DeviceKey(recordKey: SightingStateKey.time) == nil)
        let key = DeviceKey(SiteID("museum"), DeviceID("tag"))
        #expect(DeviceKey(recordKey: SightingStateKey.bytes(key)) == key)
    }
}
