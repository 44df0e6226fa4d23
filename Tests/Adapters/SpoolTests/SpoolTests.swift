import Foundation
import Glibc
import SeededRandomness
import Testing

@testable import Spool

private func text(_ record: SpoolRecord) -> String { String(decoding: record.bytes, as: UTF8.self) }

private func all(_ spool: Spool, _ queue: SpoolQueue = .droppable) throws -> [String] {
    var found: [String] = []
    while true {
        let batch = try spool.oldest(of: queue, atMost: 3, bytes: 1_000)
        guard let last = batch.last else { return found }
        found += batch.map(text)
        spool.acknowledge(through: last.sequence, of: queue, now: 0)
    }
}

@Suite struct SpoolTests {
    @Test("Records come back in order, each queue by itself, also from a folder opened again")
    func order() throws {
        let folder = NSTemporaryDirectory() + "spool-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let spool = try Spool(folder: folder, limitBytes: 1 << 20)
            for number in 0..<10 {
                #expect(spool.append(Array("scan \(number)".utf8), to: .droppable, now: 0))
            }
            #expect(spool.append(Array("survey".utf8), to: .kept, now: 0))
            let batch = try spool.oldest(of: .droppable, atMost: 4, bytes: 1_000)
            #expect(batch.map(text) == ["scan 0", "scan 1", "scan 2", "scan 3"])
            spool.acknowledge(through: batch[2].sequence, of: .droppable, now: 0)
            spool.sync()
        }
        let spool = try Spool(folder: folder, limitBytes: 1 << 20)
        #expect(spool.counts.waiting == [.droppable: 7, .kept: 1, .passing: 0])
        #expect(try all(spool) == (3..<10).map { "scan \($0)" })
        #expect(try all(spool, .kept) == ["survey"])
        #expect(spool.counts.waiting == [.droppable: 0, .kept: 0, .passing: 0])
        #expect(spool.counts.bytes == 0)
    }

    @Test("A file cut at any byte gives all records that are whole", arguments: 0..<6)
    func cut(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 1 << 20)
        var ends: [Int] = []
        for number in 0..<12 {
            let filler = String(repeating: "x", count: Int.random(in: 0..<40, using: &random))
            _ = spool.append(Array("\(number) \(filler)".utf8), to: .droppable, now: 0)
            ends.append(disk.files.values.first!.bytes.count)
        }
        let (name, file) = try #require(disk.files.first)
        for count in 0...file.bytes.count {
            let rest = BreakableDisk([name: .init(bytes: Array(file.bytes.prefix(count)))])
            let opened = try Spool(disk: rest, limitBytes: 1 << 20)
            #expect(opened.counts.waiting[.droppable] == ends.count { $0 <= count })
            // A record that comes later is found behind the cut one.
            _ = opened.append(Array("later".utf8), to: .droppable, now: 0)
            let found = try all(opened)
            #expect(found.count == ends.count { $0 <= count } + 1)
            #expect(found.last == "later")
        }
    }

    @Test("Garbage in a file costs no more than the records that it lies in", arguments: 0..<200)
    func garbage(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 1 << 20)
        var ends = [0]
        for number in 0..<20 {
            _ = spool.append(Array("record \(number)".utf8), to: .droppable, now: 0)
            ends.append(disk.files.values.first!.bytes.count)
        }
        var (name, file) = try #require(disk.files.first)
        let start = Int.random(in: 0..<file.bytes.count, using: &random)
        let end = min(file.bytes.count, start + Int.random(in: 1...60, using: &random))
        for index in start..<end { file.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        let opened = try Spool(disk: BreakableDisk([name: file]), limitBytes: 1 << 20)
        let found = try all(opened)
        for number in 0..<20 where ends[number + 1] <= start || ends[number] >= end {
            #expect(found.contains("record \(number)"))
        }
        #expect(found.allSatisfy { $0.hasPrefix("record ") })
        #expect(Set(found).count == found.count)
    }

    /// Appends, reads and acknowledges until the disk dies. Returns the texts that were kept for
    /// sure, and those that were sent and acknowledged.
    private func work(
        _ spool: Spool, _ disk: BreakableDisk, _ seed: Int
    ) -> (kept: [String], gone: Set<String>) {
        var random = SeededRandom(seed: UInt64(seed))
        var kept: [String] = []
        var gone: Set<String> = []
        for number in 0..<30 where !disk.isDead {
            let isKept = Bool.random(using: &random)
            let queue: SpoolQueue = isKept ? .kept : .droppable
            if spool.append(Array("\(queue) \(number)".utf8), to: queue, now: 0) {
                kept.append("\(queue) \(number)")
            }
            if Int.random(in: 0..<3, using: &random) == 0,
                let batch = try? spool.oldest(of: queue, atMost: 2, bytes: 100),
                let last = batch.last
            {
                gone.formUnion(batch.map(text))
                spool.acknowledge(through: last.sequence, of: queue, now: 0)
            }
            if Int.random(in: 0..<5, using: &random) == 0 { spool.sync() }
        }
        return (kept, gone)
    }

    @Test("A process killed at any step loses nothing and makes nothing twice", arguments: 0..<4)
    func killed(seed: Int) throws {
        let whole = BreakableDisk()
        _ = work(try Spool(disk: whole, limitBytes: 1 << 20), whole, seed)
        for step in 1..<whole.steps {
            for lastBytes in [0, 1, 9, 25, 1_000] {
                let disk = BreakableDisk()
                disk.stepsLeft = step
                disk.lastBytes = lastBytes
                let spool = try Spool(disk: disk, limitBytes: 1 << 20)
                let (kept, gone) = work(spool, disk, seed)
                let again = BreakableDisk(disk.files)
                let opened = try Spool(disk: again, limitBytes: 1 << 20)
                let found = try all(opened) + all(opened, .kept)
                #expect(Set(found).count == found.count)
                #expect(Set(kept).subtracting(found).isSubset(of: gone))
            }
        }
    }

    @Test("A loss of power costs only records that are younger than the last sync")
    func power() throws {
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 1 << 20)
        for number in 0..<50 {
            let now = Int64(number) * 100_000_000
            _ = spool.append(Array("\(number)".utf8), to: .droppable, now: now)
            spool.syncIfDue(now: now)
        }
        // Ten records a second for five seconds: a sync at each fourth one, a quarter of a second
        // or more after the first of them.
        #expect((12...13).contains(disk.syncs))
        let (name, file) = try #require(disk.files.first)
        for count in file.syncedCount...file.bytes.count {
            let left = BreakableDisk([name: .init(bytes: Array(file.bytes.prefix(count)))])
            let found = try all(Spool(disk: left, limitBytes: 1 << 20))
            #expect(found.count >= 46)
            #expect(found == (0..<found.count).map(String.init))
        }
    }

    @Test("What a killed process had not brought onto the disk, the next one does at its start")
    func adopted() throws {
        let disk = BreakableDisk()
        let first = try Spool(disk: disk, limitBytes: 1 << 20)
        _ = first.append(Array("1".utf8), to: .droppable, now: 0)
        #expect(disk.files.values.allSatisfy { $0.syncedCount == 0 })
        _ = try Spool(disk: disk, limitBytes: 1 << 20)
        #expect(disk.files.values.allSatisfy { $0.syncedCount == $0.bytes.count })
    }

    @Test("A full spool drops what passes before what may be dropped, and tells the numbers")
    func passing() throws {
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 64 << 10)
        let filler = String(repeating: "y", count: 500)
        for number in 0..<60 {
            for queue in [SpoolQueue.passing, .droppable] {
                _ = spool.append(Array("\(number) \(filler)".utf8), to: queue, now: 0)
            }
        }
        #expect(spool.counts.dropped == 0)
        for number in 60..<100 {
            _ = spool.append(Array("\(number) \(filler)".utf8), to: .droppable, now: 0)
        }
        #expect(try all(spool).count == 100, "only others went")
        let left = try all(spool, .passing).count
        #expect(left < 60 && spool.counts.dropped == 60 - left)
        #expect(spool.counts.refused == 0)
    }

    @Test("A full spool drops the oldest droppable records and counts them, and never others")
    func full() throws {
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 64 << 10)
        let filler = String(repeating: "y", count: 500)
        for number in 0..<40 {
            #expect(spool.append(Array("kept \(number) \(filler)".utf8), to: .kept, now: 0))
        }
        for number in 0..<400 {
            _ = spool.append(Array("\(number) \(filler)".utf8), to: .droppable, now: 0)
        }
        #expect(spool.counts.bytes <= 64 << 10)
        let left = try all(spool)
        #expect(left.count + spool.counts.dropped == 400)
        #expect(spool.counts.refused == 0)
        #expect(left.first == "\(400 - left.count) \(filler)")
        #expect(try all(spool, .kept).count == 40)
    }

    @Test("On a full disk old records make room, and what has no room is counted")
    func fullDisk() throws {
        let disk = BreakableDisk()
        disk.capacity = 20_000
        let spool = try Spool(disk: disk, limitBytes: 1 << 20)
        let filler = String(repeating: "z", count: 300)
        var accepted = 0
        for number in 0..<200 {
            if spool.append(Array("\(number) \(filler)".utf8), to: .droppable, now: 0) {
                accepted += 1
            }
        }
        #expect(accepted + spool.counts.refused == 200)
        let left = try all(spool)
        #expect(left.count + spool.counts.dropped == accepted)
        #expect(spool.append(Array("after".utf8), to: .kept, now: 0))
        #expect(spool.fault == nil)
    }

    @Test("A disk full of surveys gets free as they are sent, also if the process is killed")
    func fullOfKept() throws {
        let texts = (0..<40).map { "survey \($0) \(String(repeating: "k", count: 300))" }
        for step in -1..<40 {
            let disk = BreakableDisk()
            // Segments of 4,096 bytes, so twelve records.
            let spool = try Spool(disk: disk, limitBytes: 64 << 10)
            for text in texts { #expect(spool.append(Array(text.utf8), to: .kept, now: 0)) }
            disk.capacity = disk.files.values.reduce(0) { $0 + $1.bytes.count }
            for _ in 0..<2 { #expect(!spool.append(Array("no room".utf8), to: .kept, now: 0)) }
            #expect(disk.files.values.allSatisfy { !$0.bytes.isEmpty })
            disk.stepsLeft = step
            #expect(try all(spool, .kept) == texts)
            let opened = try Spool(disk: BreakableDisk(disk.files), limitBytes: 64 << 10)
            #expect(opened.append(Array("after".utf8), to: .kept, now: 0))
            let left = try all(opened, .kept)
            try #require(left.last == "after")
            #expect(left.dropLast() == texts.suffix(left.count - 1), "none is missing between")
            if !disk.isDead { #expect(left == ["after"]) }
        }
    }

    @Test("A record that is put back is on the disk before the one that was read goes")
    func putBack() throws {
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 64 << 10)
        // Two of them have more bytes than a segment.
        let texts = (0..<2).map { "survey \($0) \(String(repeating: "k", count: 3_000))" }
        for text in texts { #expect(spool.append(Array(text.utf8), to: .kept, now: 0)) }
        let first = try spool.oldest(of: .kept, atMost: 1, bytes: 4_000)
        #expect(spool.putBack(first, to: .kept, now: 0))
        spool.acknowledge(through: first[0].sequence, of: .kept, now: 0)
        // A loss of power leaves this.
        let left = disk.files.mapValues { file in
            BreakableDisk.File(bytes: Array(file.bytes.prefix(file.syncedCount)))
        }
        let opened = try Spool(disk: BreakableDisk(left), limitBytes: 64 << 10)
        #expect(try all(opened, .kept) == [texts[1], texts[0]])
    }

    @Test("Records that can't all be put back stay, and each is put back once")
    func putBackLater() throws {
        let disk = BreakableDisk()
        let spool = try Spool(disk: disk, limitBytes: 1 << 20)
        for number in 0..<3 {
            #expect(spool.append(Array("survey \(number)".utf8), to: .kept, now: 0))
        }
        let batch = try spool.oldest(of: .kept, atMost: 3, bytes: 1_000)
        let used = disk.files.values.reduce(0) { $0 + $1.bytes.count }
        // One more has room.
        disk.capacity = used / 3 * 4
        #expect(!spool.putBack(Array(batch[1...]), to: .kept, now: 0))
        #expect(try spool.oldest(of: .kept, atMost: 3, bytes: 1_000) == batch)
        #expect(spool.counts.refused == 0, "nothing is lost")
        disk.capacity = Int.max
        // The one before them may go meanwhile.
        spool.acknowledge(through: batch[0].sequence, of: .kept, now: 0)
        #expect(spool.putBack(Array(batch[1...]), to: .kept, now: 0))
        spool.acknowledge(through: batch[2].sequence, of: .kept, now: 0)
        #expect(try all(spool, .kept) == ["survey 1", "survey 2"])
    }
}
