import Devices
import Positioning
import Testing
import Wire

@Suite struct PositionerMemoryCodecTests {
    private let memory = PositionerMemory(
        entries: [
            "track": .init(basis: .max, state: PositionerState(bytes: [1, 0, 255])),
            "exec-0a1b2c3d": .init(basis: 0, state: PositionerState(bytes: Array("{}".utf8))),
        ])

    @Test("A memory is read back as it was written, and always gives the same bytes")
    func roundTrip() throws {
        let bytes = PositionerMemoryCodec.encode(memory)
        #expect(try PositionerMemoryCodec.decode(bytes) == memory)
        for _ in 0..<10 { #expect(PositionerMemoryCodec.encode(memory) == bytes) }
        let nothing = PositionerMemory()
        #expect(
            try PositionerMemoryCodec.decode(PositionerMemoryCodec.encode(nothing)) == nothing)
    }

    @Test("Truncated, longer and newer memories are refused")
    func faults() {
        let bytes = PositionerMemoryCodec.encode(memory)
        for count in 0..<bytes.count {
            #expect(throws: BinaryFault.self) {
                try PositionerMemoryCodec.decode(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: BinaryFault.trailingBytes(1)) {
            try PositionerMemoryCodec.decode(bytes + [0])
        }
        #expect(throws: BinaryFault.unknownVersion(9)) {
            try PositionerMemoryCodec.decode([9] + bytes.dropFirst())
        }
    }
}
