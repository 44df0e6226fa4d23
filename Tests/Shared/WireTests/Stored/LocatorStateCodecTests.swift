import Devices
import Events
import Positioning
import Testing
import Wire

@Suite struct LocatorStateCodecTests {
    private let bucket = DeviceHistory.Bucket(
        number: 3, newestScan: Timestamp(microseconds: -1),
        lastArrival: Timestamp(microseconds: 1_700_000_000_000_000),
        idHashes: [1, .max, 0xFEED_FACE_CAFE_BEEF], contentHashes: [7, 0, .max])

    @Test("A bucket is read back as it was written")
    func roundTrip() throws {
        let bytes = LocatorStateCodec.encode(bucket)
        #expect(bytes.count == 22 + 3 * 12)
        #expect(try LocatorStateCodec.decode(bytes) == bucket)
    }

    @Test("Truncated, longer, newer and overfull buckets are refused")
    func faults() {
        let bytes = LocatorStateCodec.encode(bucket)
        for count in 0..<bytes.count {
            #expect(throws: BinaryFault.truncated) {
                try LocatorStateCodec.decode(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: BinaryFault.trailingBytes(1)) { try LocatorStateCodec.decode(bytes + [0]) }
        var newer = bytes
        newer[0] = 2
        #expect(throws: BinaryFault.unknownVersion(2)) { try LocatorStateCodec.decode(newer) }
        var overfull = bytes
        overfull[21] = 65
        #expect(throws: BinaryFault.countTooLarge) { try LocatorStateCodec.decode(overfull) }
    }
}
