import Devices
import Events
import Positioning
import SeededRandomness
import Testing

@testable import Wire

@Suite("The memory of a question without the states that do not fit") struct LocateMemoryTests {
    private static let overhead = 40

    private static func device(_ sizes: [String: Int]) -> Device {
        let now = Timestamp(milliseconds: 1_795_305_600_000)
        return Device(
            times: DeviceTimes(newestScan: now, lastArrival: now),
            memory: PositionerMemory(
                entries: sizes.mapValues {
                    PositionerMemory.Entry(
                        basis: 7, state: PositionerState(bytes: [UInt8](repeating: 1, count: $0)))
                }))
    }

    /// As a seal does it, without a secret.
    private static func seal(_ bytes: [UInt8]) -> [UInt8]? {
        let sealed = [UInt8](repeating: 0, count: overhead) + bytes
        return sealed.count <= LocateMemory.mostBytes ? sealed : nil
    }

    /// The positioners whose states are kept, and those whose are left out.
    private static func sealed(_ sizes: [String: Int]) -> [[String]] {
        let (bytes, leftOut) = LocateMemory.sealed(device(sizes), by: seal)
        let kept = LocateMemory.decode(Array(bytes.dropFirst(overhead)))
        #expect(kept.times == device(sizes).times)
        return [kept.memory.entries.keys.sorted(), leftOut]
    }

    @Test("All that fits is kept, and else the largest goes first, by name")
    func parts() {
        #expect(Self.sealed(["auto": 3_000, "field": 2_900]) == [["auto", "field"], []])
        #expect(Self.sealed(["auto": 3_000, "field": 3_200]) == [["auto"], ["field"]])
        #expect(Self.sealed(["auto": 9_000, "nodes": 7_000]) == [[], ["auto", "nodes"]])
        #expect(Self.sealed([:]) == [[], []])
    }

    /// The slow way: each number of the largest is tried, from none on.
    @Test("As few of the largest as possible are left out", arguments: 0..<30)
    func few(seed: Int) {
        var random = SeededRandom(seed: seed)
        var sizes: [String: Int] = [:]
        for number in 0..<Int.random(in: 0...6, using: &random) {
            sizes["p\(number)"] = Int.random(in: 1...4_000, using: &random)
        }
        let byName = sizes.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
        let count = (0...byName.count).first { count in
            let rest = sizes.filter { !byName.prefix(count).contains($0.key) }
            return Self.seal(LocateMemory.encode(Self.device(rest))) != nil
        }
        let left = byName.prefix(count ?? 0).sorted()
        let result = Self.sealed(sizes)
        #expect(result[1] == left)
        #expect(Set(result[0]).union(left) == Set(sizes.keys))
    }
}
