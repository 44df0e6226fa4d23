import Foundation
import Glibc
import Testing

@testable import Spool

/// A disk of which some files can't be read any more.
@Suite struct UnreadableFileTests {
    private static let filler = String(repeating: "x", count: 1_200)

    /// A spool of several segments, with its records' texts.
    private func filled(_ disk: BreakableDisk) throws -> [String] {
        // The least segment has 4,096 bytes, so three records.
        let spool = try Spool(disk: disk, limitBytes: 60_000)
        let texts = (0..<10).map { "\($0) \(Self.filler)" }
        for text in texts { #expect(spool.append(Array(text.utf8), to: .droppable, now: 0)) }
        return texts
    }

    private func rest(_ spool: Spool) throws -> [String] {
        var found: [String] = []
        while true {
            let batch = try spool.oldest(of: .droppable, atMost: 100, bytes: 100_000)
            guard let last = batch.last else { return found }
            found += batch.map { String(decoding: $0.bytes, as: UTF8.self) }
            spool.acknowledge(through: last.sequence, of: .droppable, now: 0)
        }
    }

    @Test("A segment that can't be read is set aside at the start, and the others are read")
    func atStart() throws {
        let disk = BreakableDisk()
        let texts = try filled(disk)
        let names = disk.files.keys.sorted()
        try #require(names.count > 2)
        disk.unreadable = [names[1]]
        let spool = try Spool(disk: disk, limitBytes: 60_000)
        #expect(spool.faultsOfFiles.map(\.number) == [EIO])
        #expect(disk.files[names[1]] == nil && disk.files["bad-\(names[1])"] != nil)
        #expect(spool.append(Array("after".utf8), to: .droppable, now: 0))
        let found = try rest(spool)
        #expect(Set(found.dropLast()).isSubset(of: texts) && found.count == 8)
        #expect(found.last == "after" && spool.counts.waiting[.droppable] == 0)
        // The next start finds nothing wrong.
        #expect(try Spool(disk: disk, limitBytes: 60_000).faultsOfFiles.isEmpty)
    }

    @Test("The last segment may be the bad one, and so may the position", arguments: [true, false])
    func others(isPosition: Bool) throws {
        let disk = BreakableDisk()
        _ = try filled(disk)
        let before = try Spool(disk: disk, limitBytes: 60_000)
        let first = try before.oldest(of: .droppable, atMost: 1, bytes: 1)
        before.acknowledge(through: first[0].sequence, of: .droppable, now: 0)
        let names = disk.files.keys.filter { $0.hasPrefix("droppable-") }.sorted()
        disk.unreadable = isPosition ? ["position.droppable"] : [names[names.count - 1]]
        let spool = try Spool(disk: disk, limitBytes: 60_000)
        #expect(spool.faultsOfFiles.count == 1)
        disk.unreadable = []
        #expect(spool.append(Array("after".utf8), to: .droppable, now: 0))
        let found = try rest(spool)
        #expect(found.last == "after" && Set(found).count == found.count)
        // Without a position, the record that was acknowledged comes once more.
        #expect(isPosition == (found.first == "0 \(Self.filler)"))
        let again = try Spool(disk: disk, limitBytes: 60_000)
        #expect(again.counts.waiting[.droppable] == 0 && again.faultsOfFiles.isEmpty)
    }

    @Test("A segment that can't be read any more while the spool is in use holds up no other")
    func later() throws {
        let disk = BreakableDisk()
        let texts = try filled(disk)
        let spool = try Spool(disk: disk, limitBytes: 60_000)
        disk.unreadable = [disk.files.keys.sorted()[0]]
        let found = try rest(spool)
        #expect(found == Array(texts.dropFirst(3)))
        #expect(spool.faultsOfFiles.count == 1 && spool.counts.waiting[.droppable] == 0)
    }

    @Test("Only some bad files are kept, and too many open files are no reason to set one aside")
    func limits() throws {
        let disk = BreakableDisk()
        for number in 0..<SegmentQueue.mostBadFiles {
            disk.files["bad-\(number)"] = BreakableDisk.File()
        }
        _ = try filled(disk)
        disk.unreadable = [disk.files.keys.sorted().last ?? ""]
        _ = try Spool(disk: disk, limitBytes: 60_000)
        #expect(
            disk.files.keys.count { $0.hasPrefix("bad-") } == SegmentQueue.mostBadFiles)
        #expect(SpoolError("open", EMFILE).isPassing && !SpoolError("read", EIO).isPassing)
    }

    @Test("In a folder, a file that can't be opened is renamed")
    func folder() throws {
        let folder = NSTemporaryDirectory() + "spool-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // A link to itself.
        let name = "droppable-\(String(repeating: "0", count: 16))"
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/\(name)", withDestinationPath: name)
        let spool = try Spool(folder: folder, limitBytes: 1 << 20)
        #expect(spool.faultsOfFiles.map(\.number) == [ELOOP])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/bad-\(name)")
                == name)
        #expect(spool.append(Array("after".utf8), to: .droppable, now: 0))
        #expect(try rest(spool) == ["after"])
    }
}
