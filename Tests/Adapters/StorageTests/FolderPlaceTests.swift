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

    @Test("A folder that can't be made is an error with its name")
    func refused() async throws {
        await #expect(throws: StorageError.self) {
            try await FolderPlace(path: "/dev/null/backups").write("one", [1])
        }
    }
}
