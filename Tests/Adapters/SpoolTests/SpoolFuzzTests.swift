import Foundation
import SeededRandomness
import Testing

@testable import Spool

/// `WHEREABOUTS_FUZZ=100000` opens so many damaged spools.
@Suite struct SpoolFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"].flatMap(Int.init) ?? 2_000

    @Test("A spool with one to five mutations opens, gives whole records only, and goes on")
    func damage() throws {
        var random = SeededRandom(seed: 1)
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 1 << 20)
        var sent: Set<String> = []
        for number in 0..<8 {
            let text = "record \(number) " + String(repeating: "r", count: 20 * number)
            sent.insert(text)
            _ = spool.append(Array(text.utf8), to: .droppable, now: 0)
        }
        let last = try #require(try spool.oldest(of: .droppable, atMost: 2, bytes: 10_000).last)
        spool.acknowledge(through: last.sequence, of: .droppable, now: 0)
        var past = 0
        for _ in 0..<Self.count {
            var files = disk.files
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let name = files.keys.sorted().randomElement(using: &random)!
                Self.damage(&files[name]!.bytes, &random)
            }
            let opened = try Spool(disk: BreakableDisk(files), limitBytes: 1 << 20)
            #expect(opened.append(Array("after".utf8), to: .droppable, now: 0))
            var found: [String] = []
            while let last = try opened.oldest(of: .droppable, atMost: 5, bytes: 10_000).last {
                found += try opened.oldest(of: .droppable, atMost: 5, bytes: 10_000)
                    .map { String(decoding: $0.bytes, as: UTF8.self) }
                opened.acknowledge(through: last.sequence, of: .droppable, now: 0)
                try #require(found.count < 100)
            }
            #expect(found.last == "after")
            #expect(Set(found.dropLast()).isSubset(of: sent))
            if found.count > 1 { past += 1 }
        }
        print("fuzz: \(past) of \(Self.count) spools still had records")
        #expect(2 * past >= Self.count)
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        default: bytes.removeLast(min(bytes.count, end - place))
        }
    }
}
