import Foundation
import Storage
import Testing

@Suite struct FolderPlaceTests {
    private static func folder() throws -> String {
        FileManager.default.temporaryDirectory.appending(path: "place-\(UUID().uuidString)").path
    }

    @Test("Files are listed, replaced, read and deleted, and their empty folders go with them")
    func files() async throws {
        let path = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let place = FolderPlace(path: path)
        #expect(try await place.list("").isEmpty)
        #expect(try await place.read("a/b") == nil)
        try await place.write("a/b/one", [1, 2, 3])
        try await place.write("a/two", [])
        try await place.write("top", [4])
        try await place.write("a/b/one", [5, 6])
        let all = try await place.list("")
        #expect(all.map(\.name) == ["a/b/one", "a/two", "top"] && all.map(\.bytes) == [2, 0, 1])
        #expect(try await place.list("a/b/").map(\.name) == ["a/b/one"])
        #expect(try await place.list("a/t").map(\.name) == ["a/two"])
        #expect(try await place.read("a/b/one") == [5, 6])
        #expect(try await place.read("a/two") == [])
        try await place.delete("a/b/one")
        try await place.delete("a/b/one")
        #expect(try await place.list("").map(\.name) == ["a/two", "top"])
        #expect(!FileManager.default.fileExists(atPath: path + "/a/b"))
    }

    @Test("A file that is being written is not listed, and others can't read what is there")
    func unfinished() async throws {
        let path = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let place = FolderPlace(path: path)
        try await place.write("a/one", [1])
        try Data([1]).write(to: URL(filePath: path + "/a/.unfinished-two"))
        #expect(try await place.list("").map(\.name) == ["a/one"])
        let rights = try FileManager.default.attributesOfItem(atPath: path + "/a/one")
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "A pipe, a folder and a file that is too large are errors, and nobody waits for them",
        .timeLimit(.minutes(1)))
    func unreadable() async throws {
        let path = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let place = FolderPlace(path: path)
        try await place.write("four", [1, 2, 3, 4])
        try await place.write("folder/one", [1])
        try await place.write("huge", [])
        #expect(mkfifo(path + "/pipe", 0o600) == 0)
        #expect(truncate(path + "/huge", 1 << 40) == 0)
        for file in ["pipe", "folder", "huge"] {
            await #expect(throws: StorageError.self) { try await place.read(file) }
        }
        #expect(try await place.read("four", most: 4) == [1, 2, 3, 4])
        await #expect(throws: StorageError.self) { try await place.read("four", most: 3) }
    }

    @Test("Files and links that somebody has put in the way get no bytes")
    func planted() async throws {
        let (path, other) = (try Self.folder(), try Self.folder())
        defer { for path in [path, other] { try? FileManager.default.removeItem(atPath: path) } }
        let manager = FileManager.default
        try manager.createDirectory(atPath: other + "/empty", withIntermediateDirectories: true)
        try Data([9]).write(to: URL(filePath: other + "/file"))
        try manager.createDirectory(atPath: path + "/a", withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: path + "/a/.unfinished-one", withDestinationPath: other + "/file")
        try manager.createSymbolicLink(
            atPath: path + "/b", withDestinationPath: other + "/empty")
        try Data([8]).write(to: URL(filePath: path + "/a/.unfinished-two"))
        let reader = try #require(FileHandle(forReadingAtPath: path + "/a/.unfinished-two"))
        let place = FolderPlace(path: path)
        try await place.write("a/one", [1])
        try await place.write("a/two", [2])
        await #expect(throws: StorageError.self) { try await place.write("b/three", [3]) }
        #expect(try Data(contentsOf: URL(filePath: other + "/file")) == Data([9]))
        #expect(try reader.readToEnd() == Data([8]))
        #expect(try manager.contentsOfDirectory(atPath: other + "/empty").isEmpty)
        let one = try manager.attributesOfItem(atPath: path + "/a/one")
        #expect(one[.type] as? FileAttributeType == .typeRegular)
        // An administrator may lead the place itself to another disk.
        try manager.createSymbolicLink(
            atPath: other + "/place", withDestinationPath: path)
        try await FolderPlace(path: other + "/place").write("a/four", [4])
        #expect(try await place.read("a/four") == [4])
    }

    @Test("A file that several write at once is whole, and nobody's write fails")
    func writersAtOnce() async throws {
        let path = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let place = FolderPlace(path: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in UInt8(1)...8 {
                group.addTask {
                    for _ in 0..<20 {
                        try await place.write("a/one", .init(repeating: writer, count: 50_000))
                        let found = try await place.read("a/one")
                        #expect(found?.count == 50_000 && Set(found ?? []).count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/a") == ["one"])
    }

    @Test("What a process left that died while it wrote is removed by the next write")
    func abandoned() async throws {
        let path = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let place = FolderPlace(path: path)
        try await place.write("a/two", [2])
        let left = path + "/a/.unfinished-one"
        try Data([1]).write(to: URL(filePath: left))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: left)
        try await place.write("a/one", [1])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path + "/a").sorted()
                == ["one", "two"])
    }

    @Test("A size that nobody can have is cut, so that sums of sizes don't overflow")
    func claimedSizes() {
        let sizes = [Int.max, Int.min].map { StoredFile(name: "a", bytes: $0).bytes }
        #expect(sizes == [1 << 40, 0])
    }

    @Test("A file that can't get its name leaves nothing, and a folder goes with all that is in it")
    func leavings() async throws {
        let path = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let manager = FileManager.default
        let place = FolderPlace(path: path)
        #expect(try await place.folders().isEmpty)
        try await place.write("a/one/two", [1])
        await #expect(throws: StorageError.self) { try await place.write("a/one", [1]) }
        #expect(try manager.contentsOfDirectory(atPath: path + "/a") == ["one"])
        try await place.write("b/c/one", [1])
        try Data([1]).write(to: URL(filePath: path + "/b/c/.unfinished-two"))
        try await place.delete("b/c/one")
        try manager.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/a")
        try await place.write("top", [1])
        #expect(try await place.folders() == ["a", "b", "link"])
        for folder in ["b", "link", "link"] { try await place.deleteFolder(folder) }
        #expect(try await place.folders() == ["a"])
        #expect(try await place.list("").map(\.name) == ["a/one/two", "top"])
    }

    @Test("A folder that can't be made is an error with its name")
    func refused() async throws {
        await #expect(throws: StorageError.self) {
            try await FolderPlace(path: "/dev/null/backups").write("one", [1])
        }
    }
}
