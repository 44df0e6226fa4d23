import Archive
import SeededRandomness
import Testing

@Suite struct ZstandardTests {
    @Test("Unpacking gives the same bytes again", arguments: [0, 1, 70_000, 3_000_000])
    func roundTrip(count: Int) throws {
        var random = SeededRandom(seed: count)
        // Random bytes can't be compressed, so the buffer must be wide enough for more than them.
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let packed = try Zstandard.compress(bytes)
        #expect(try Zstandard.unpack(packed, limit: count) == bytes)
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(try Zstandard.compress(zeros).count < 2_000)
    }

    @Test("What unpacks to more than the limit, or is no such file, is refused")
    func refused() throws {
        let packed = try Zstandard.compress([UInt8](repeating: 7, count: 1_000_000))
        #expect(throws: ArchiveError.self) { try Zstandard.unpack(packed, limit: 999_999) }
        #expect(throws: ArchiveError.self) {
            try Zstandard.unpack(Array(packed.prefix(packed.count / 2)), limit: 1_000_000)
        }
    }
}
