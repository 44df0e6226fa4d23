import Archive
import Foundation
import Testing

@Suite struct ArchiveReaderTests {
    private func texts(_ reader: ArchiveReader) throws -> [String: String] {
        var texts: [String: String] = [:]
        try reader.forEachEntry { entry, bytes in
            texts[entry.path] = String(decoding: bytes, as: UTF8.self)
        }
        return texts
    }

    @Test("A folder, a tar.gz and a folder of gzipped files hold the same entries")
    func forms() throws {
        let folder = TemporaryFolder()
        folder.write("set/a.csv", "1,2\n")
        folder.write("set/deep/b.csv", "3\r\n4")
        let expected = ["a.csv": "1,2\n", "deep/b.csv": "3\r\n4"]
        #expect(try texts(ArchiveReader(path: folder.path + "/set")) == expected)
        #expect(folder.run("tar", "-czf", "set.tar.gz", "-C", "set", "a.csv", "deep"))
        let packed = ArchiveReader(path: folder.path + "/set.tar.gz")
        #expect(try texts(packed) == expected)
        #expect(try packed.entries().map(\.path) == ["a.csv", "deep/b.csv"])
        #expect(folder.run("gzip", "set/a.csv", "set/deep/b.csv"))
        #expect(try texts(ArchiveReader(path: folder.path + "/set")) == expected)
    }

    @Test("An archive within a folder is read as a folder of its name")
    func nested() throws {
        let folder = TemporaryFolder()
        folder.write("a.csv", "1")
        #expect(folder.run("tar", "-cf", "set.tar", "a.csv"))
        let reader = ArchiveReader(path: folder.path)
        #expect(try reader.entries().map(\.path) == ["a.csv", "set.tar/a.csv"])
        #expect(try reader.only(named: "A.CSV").firstBytes() == [UInt8(ascii: "1")])
    }

    @Test("Lines are complete, whatever ends them and wherever the chunks end")
    func lines() throws {
        let folder = TemporaryFolder()
        let long = String(repeating: "x", count: 100_000)
        let path = folder.write("a.jsonl", "one\n\ntwo\r\n\(long)\nlast")
        #expect(folder.run("gzip", "-k", "a.jsonl"))
        for path in [path, path + ".gz"] {
            var lines: [String] = []
            var numbers: [Int] = []
            try ArchiveReader(path: path).forEachLine { line, number in
                lines.append(String(decoding: line, as: UTF8.self))
                numbers.append(number)
            }
            #expect(lines == ["one", "", "two", long, "last"])
            #expect(numbers == [1, 2, 3, 4, 5])
        }
    }

    @Test("An archive that unpacks to more than allowed is refused before it fills the memory")
    func bomb() throws {
        let folder = TemporaryFolder()
        let path = folder.write("zeros.csv", String(repeating: "0", count: 3_000_000))
        #expect(folder.run("gzip", path))
        var limits = ArchiveLimits()
        limits.entryBytes = 1_000_000
        let reader = ArchiveReader(path: path + ".gz", limits: limits)
        #expect(throws: ArchiveError.self) { try reader.firstBytes() }
        limits = ArchiveLimits()
        limits.lineBytes = 1_000
        let liner = ArchiveReader(path: path + ".gz", limits: limits)
        #expect(throws: ArchiveError.self) { try liner.forEachLine { _, _ in } }
    }

    @Test("A missing file, a damaged archive and an empty file give different faults")
    func damage() throws {
        let folder = TemporaryFolder()
        func code(_ path: String) -> ArchiveError.Code? {
            do {
                _ = try texts(ArchiveReader(path: path))
                return nil
            } catch { return (error as? ArchiveError)?.code }
        }
        #expect(code(folder.path + "/nothing.zip") == .notFound)
        let damaged = folder.write("a.zip", "PK\u{3}\u{4} but no more")
        #expect(code(damaged) != nil)
        let empty = folder.write("a.csv", "")
        #expect(code(empty) == nil)
    }
}
