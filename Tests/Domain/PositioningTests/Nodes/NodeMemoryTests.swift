import SeededRandomness
import Testing

@testable import Positioning

@Suite("What nodes heard lately") struct NodeMemoryTests {
    private static func readings(_ levels: [Float]) -> [(node: Int, rssi: Float)] {
        levels.enumerated().map { (node: $0.offset, rssi: $0.element) }
    }

    @Test("The stored bytes give the same memory", arguments: 0..<20 as Range<UInt64>)
    func bytes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var memory = NodeMemory(at: Int64.random(in: 0...Int64.max, using: &random))
        for _ in 0..<Int.random(in: 0...9, using: &random) {
            memory.add(
                Self.readings((0..<6).map { _ in Float.random(in: -95...0, using: &random) }),
                seconds: 4)
        }
        (memory.floor, memory.room) = (2, 7)
        memory.rooms.shares = [
            RoomFilter.Share(room: -1, probability: 0.25),
            RoomFilter.Share(room: 7, probability: 0.75),
        ]
        #expect(try #require(NodeMemory(memory.bytes, nodes: 6)) == memory)
        #expect(memory.levels.isEmpty || NodeMemory(memory.bytes, nodes: 5) == nil)
    }

    @Test("Bytes of something else are no memory", arguments: 0..<500 as Range<UInt64>)
    func otherBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var memory = NodeMemory(at: 5)
        memory.add(Self.readings([-60, -70]), seconds: 0)
        var bytes = memory.bytes
        bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        if let read = NodeMemory(bytes, nodes: 2) { #expect(read.levels.count < 2) }
        var changed = memory.bytes
        changed[Int.random(in: 0..<changed.count, using: &random)] ^= 0xFF
        if let read = NodeMemory(changed, nodes: 2) {
            #expect(read.levels.allSatisfy { $0.node < 2 && $0.slow.isFinite })
        }
    }

    @Test("At rest the noise averages out; after a move the old place is soon forgotten")
    func moves() {
        var random = SeededRandom(seed: 1)
        func noise() -> Float { Float.random(in: -6...6, using: &random) }
        var memory = NodeMemory(at: 0)
        let before: [Float] = [-55, -65, -75, -85]
        for _ in 0..<150 { memory.add(Self.readings(before.map { $0 + noise() }), seconds: 4) }
        for (level, truth) in zip(memory.levels, before) { #expect(abs(level.slow - truth) < 1.5) }
        let after: [Float] = before.reversed()
        for _ in 0..<12 { memory.add(Self.readings(after.map { $0 + noise() }), seconds: 4) }
        for (level, truth) in zip(memory.levels, after) { #expect(abs(level.slow - truth) < 8) }
    }

    @Test("A device that is put into a pocket has not moved")
    func pocket() {
        var memory = NodeMemory(at: 0)
        for _ in 0..<50 { memory.add(Self.readings([-55, -65, -75]), seconds: 4) }
        for _ in 0..<5 { memory.add(Self.readings([-65, -75, -85]), seconds: 4) }
        #expect(memory.levels.allSatisfy { $0.seconds > 2 * NodeMemory.fastSeconds })
    }

    @Test("The limit of a move is the .9995 quantile of the chi-square distribution")
    func limit() {
        // From tables; the approximation is good to a few percent.
        let table: [(Float, Float)] = [(2, 15.2), (3, 17.73), (5, 22.1), (10, 31.4)]
        for (freedom, quantile) in table {
            #expect(abs(NodeMemory.mostSquare(freedom: freedom) / quantile - 1) < 0.05)
        }
    }

    @Test("A node that hears a part of the scans is taken to be weaker than its readings")
    func partly() {
        var memory = NodeMemory(at: 0)
        for number in 0..<60 {
            var readings: [(node: Int, rssi: Float)] = [(node: 0, rssi: -60)]
            if number % 4 == 0 { readings.append((node: 1, rssi: -92)) }
            memory.add(readings, seconds: 4)
        }
        #expect(memory.levels.map(\.node) == [0, 1])
        #expect(memory.excess(of: memory.levels[0]) == 0)
        // A quarter of a normal distribution lies above its mean by 1.27 deviations of 4 dB.
        #expect(abs(memory.excess(of: memory.levels[1]) - 5) < 0.8)
        #expect(memory.newPart(4) < 0.03)
    }

    @Test("A node that hears nothing for long is forgotten, and so are the faintest of too many")
    func forgets() {
        var memory = NodeMemory(at: 0)
        memory.add([(node: 3, rssi: -60)], seconds: 0)
        memory.add([(node: 4, rssi: -60)], seconds: NodeMemory.silentSeconds + 1)
        #expect(memory.levels.map(\.node) == [4])
        memory.add(
            (0..<NodeMemory.mostNodes + 1).map { (node: $0, rssi: Float(-40 - $0)) }, seconds: 1)
        #expect(memory.levels.count == NodeMemory.mostNodes)
        #expect(!memory.levels.contains { Int($0.node) == NodeMemory.mostNodes })
    }
}
