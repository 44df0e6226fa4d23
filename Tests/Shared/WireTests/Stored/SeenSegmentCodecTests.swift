import Devices
import Events
import Testing
import Wire

@Suite("Seen scans as bytes") struct SeenSegmentCodecTests {
    private let segment = SeenSegment(
        number: 3, lastAppended: Timestamp(microseconds: 1_700_000_000_000_000),
        idHashes: [1, .max, 0xFEED_FACE_CAFE_BEEF], contentHashes: [7, 0, .max],
        deviceHashes: [9, 8],
        newestScans: [
            Timestamp(microseconds: 1_700_000_000_000_000),
            Timestamp(microseconds: 1_699_999_999_001_000),
        ])

    @Test("A segment is read back as it was written")
    func roundTrip() throws {
        let bytes = SeenSegmentCodec.encode(segment)
        #expect(bytes.count == 21 + 3 * 12 + 2 * 12)
        #expect(try SeenSegmentCodec.decode(bytes) == segment)
        #expect(SeenSegmentKey.number(SeenSegmentKey.bytes(.max)) == .max)
        #expect(SeenSegmentKey.number(Array("museum/d/7".utf8)) == nil)
    }

    /// PostgreSQL appends at microseconds. A time that is read back up to a millisecond later would
    /// give other positions after a takeover.
    @Test("Times of scans are read back exactly, whenever the log appended them")
    func exactTimes() throws {
        for microseconds: Int64 in [0, 1, 499, 999] {
            var exact = segment
            exact.lastAppended = segment.lastAppended.advanced(byMicroseconds: microseconds)
            let read = try SeenSegmentCodec.decode(SeenSegmentCodec.encode(exact))
            #expect(read.newestScans == segment.newestScans)
        }
    }

    @Test("Of a scan from the future or from months ago the nearest time is kept")
    func farTimes() throws {
        var far = segment
        far.newestScans = [Timestamp(microseconds: 0), Timestamp(microseconds: .max)]
        let read = try SeenSegmentCodec.decode(SeenSegmentCodec.encode(far))
        #expect(read.newestScans[1] == segment.lastAppended)
        #expect(segment.lastAppended - read.newestScans[0] == 1_000 * Int64(UInt32.max))
    }

    @Test("Truncated, longer, newer and overfull segments are refused")
    func faults() {
        let bytes = SeenSegmentCodec.encode(segment)
        for count in 0..<bytes.count {
            #expect(throws: BinaryFault.self) {
                try SeenSegmentCodec.decode(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: BinaryFault.trailingBytes(1)) { try SeenSegmentCodec.decode(bytes + [0]) }
        var newer = bytes
        newer[0] = 3
        #expect(throws: BinaryFault.unknownVersion(3)) { try SeenSegmentCodec.decode(newer) }
        var overfull = bytes
        overfull[16] = 1
        #expect(throws: BinaryFault.countTooLarge) { try SeenSegmentCodec.decode(overfull) }
    }

    @Test("A bucket of a former release is read as that release wrote it")
    func formerBucket() throws {
        // Version, number, newest scan, last arrival, count; hashes of ids; hashes of contents.
        let bytes: [UInt8] =
            [1, 3, 0, 0, 0] + [UInt8](repeating: 255, count: 8) + [7, 0, 0, 0, 0, 0, 0, 0] + [2]
            + [1, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 255, count: 8)
            + [5, 0, 0, 0, 6, 0, 0, 0]
        #expect(
            try FormerBucketCodec.decode(bytes)
                == FormerBucket(
                    number: 3, newestScan: Timestamp(microseconds: -1),
                    lastArrival: Timestamp(microseconds: 7), idHashes: [1, .max],
                    contentHashes: [5, 6]))
        var overfull = bytes
        overfull[21] = 65
        #expect(throws: BinaryFault.countTooLarge) { try FormerBucketCodec.decode(overfull) }
    }
}
