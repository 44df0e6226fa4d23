import Cryptography
import Events
import Foundation
import Storage
import Synchronization
import Testing
import Wire

@testable import Backups

@Suite("In a place that others can write to") struct BackupFilesTests {
    private static let name = "2026-11-24T030000Z"

    private let folder = BackupBench.folder()
    private var files: BackupFiles { BackupFiles(FolderPlace(path: folder)) }

    private static func manifest(_ name: String = Self.name) -> BackupManifest {
        BackupManifest(
            name: name, kind: .whole, program: "1", log: "kafka", partitions: 3, hasScans: false,
            tablesAt: BackupBench.time(0), recordsAt: BackupBench.time(0),
            finishedAt: BackupBench.time(0))
    }

    /// As somebody would do it who knows how the sum is made.
    private func plant(_ manifest: BackupManifest, in name: String = Self.name) async throws {
        let bytes = manifest.json
        try await files.place.write("\(name)/\(BackupFiles.manifest)", bytes)
        try await files.place.write(
            "\(name)/\(BackupFiles.sum)",
            Array("\(sha256Hex(bytes))  \(BackupFiles.manifest)\n".utf8))
    }

    @Test(
        "a manifest that names another folder is a fault, and leads to the removal of none",
        arguments: ["..", "../elsewhere", "erasures", "", "2026-11-23T030000Z"])
    func otherFolder(_ other: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await plant(Self.manifest(other))
        await #expect(throws: BackupFault.self) { try await files.manifest(of: Self.name) }
        let listed = try await files.list()
        #expect(listed.map(\.manifest) == [nil] && listed[0].fault?.contains(Self.name) == true)
        guard other != "2026-11-23T030000Z" else { return }
        await #expect(throws: BackupFault.self) { try await files.remove(other) }
        try await plant(Self.manifest())
        #expect(try await files.manifest(of: Self.name) == Self.manifest())
    }

    @Test(
        "a manifest has only files of its own folder",
        arguments: [
            "../x", "tables/../../x", "topics/..", "topics/", "/etc/passwd", "manifest.json", "",
        ])
    func otherFile(_ file: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var manifest = Self.manifest()
        manifest.topics = [
            .init(name: "a", records: 0, files: [.init(name: file, bytes: 0, sum: "")])
        ]
        try await plant(manifest)
        await #expect(throws: BackupFault.self) { try await files.manifest(of: Self.name) }
    }

    @Test("a file that unpacks to more than a piece and a record is refused")
    func large() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let record = try #require(Topic.allCases.map(\.maximumRecordBytes).max())
        #expect(BackupFiles.pieceLimit > PieceName.bytes + record + 1 << 20)
        let zeros = [UInt8](repeating: 0, count: BackupFiles.pieceLimit)
        let most = try await files.write(zeros, as: "topics/a-0001.zst", of: Self.name)
        #expect(try await files.read(most, of: Self.name).count == zeros.count)
        let more = try await files.write(zeros + [0], as: "topics/a-0002.zst", of: Self.name)
        await #expect(throws: BackupFault.self) { try await files.read(more, of: Self.name) }
    }

    @Test("a pipe among the files is a damage, and nobody waits for it", .timeLimit(.minutes(1)))
    func pipe() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try await files.write([1], as: "topics/a-0001.zst", of: Self.name)
        let path = "\(folder)/\(Self.name)/\(file.name)"
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        await #expect(throws: BackupFault.self) { try await files.checked(file, of: Self.name) }
    }

    @Test("what interrupted backups left goes, also unfinished files, empty folders and links")
    func unfinished() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outside = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: outside) }
        try await plant(Self.manifest())
        let (killed, empty, link) = (
            "2026-11-25T030000Z", "2026-11-26T030000Z", "2026-11-27T030000Z-lasting"
        )
        let manager = FileManager.default
        for path in [outside, "\(folder)/\(killed)/topics", "\(folder)/\(empty)"] {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let kept = URL(filePath: "\(outside)/kept")
        try Data([1]).write(to: kept)
        try Data([1]).write(to: URL(filePath: "\(folder)/\(killed)/topics/.unfinished-a-0001.zst"))
        try manager.createSymbolicLink(
            atPath: "\(folder)/\(link)", withDestinationPath: outside)
        // Nobody can read the one, and nobody can look into the other.
        let (whole, pipe) = ("2026-11-28T030000Z", "2026-11-29T030000Z")
        let large = [UInt8](repeating: 0, count: StoredFile.fewBytes + 1)
        try await files.place.write("\(whole)/\(BackupFiles.sum)", large)
        try await files.place.write("\(whole)/\(BackupFiles.manifest)", large)
        #expect(mkfifo("\(folder)/\(pipe)", 0o600) == 0)
        var notes: [String] = []
        try await files.removeUnfinished { notes.append($0) }
        #expect(notes.map { String($0.split(separator: " ")[0]) } == [killed, empty, link, pipe])
        #expect(
            try manager.contentsOfDirectory(atPath: folder).sorted() == [Self.name, whole, pipe])
        #expect(try Data(contentsOf: kept) == Data([1]))
    }

    @Test("a backup that has lost its manifest stays until somebody removes it, and is told of")
    func lostManifest() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await plant(Self.manifest())
        let table = try await files.write([1], as: "tables/a.zst", of: Self.name)
        try await files.place.delete("\(Self.name)/\(BackupFiles.manifest)")
        var notes: [String] = []
        try await files.removeUnfinished { notes.append($0) }
        #expect(notes.count == 1 && notes[0].contains("lost its \(BackupFiles.manifest)"))
        #expect(try await files.checked(table, of: Self.name).count == table.bytes)
        #expect(try await files.list().first?.fault?.contains(BackupFiles.manifest) == true)
        try await files.remove(Self.name)
        #expect(try await files.list().isEmpty)
    }

    @Test(
        "a removal that is interrupted leaves an unfinished backup, which the next night removes",
        arguments: ["tables/", BackupFiles.sum, BackupFiles.manifest])
    func interruptedRemoval(refused: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await plant(Self.manifest())
        _ = try await files.write([1], as: "tables/a.zst", of: Self.name)
        let files = BackupFiles(WatchedPlace(files.place, refusesToDelete: refused))
        await #expect(throws: StorageError.self) { try await files.remove(Self.name) }
        #expect(try await files.ending(of: Self.name) == .none)
        try await self.files.removeUnfinished { _ in }
        #expect(try await self.files.isFree(Self.name))
    }

    @Test(
        "a manifest that was written without an answer makes a whole backup, or goes",
        arguments: [(nil, BackupFiles.Ending.none), (BackupFiles.manifest, .manifest)])
    func unansweredManifest(undeletable: String?, ending: BackupFiles.Ending) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try await files.write([1], as: "tables/a.zst", of: Self.name)
        let place = WatchedPlace(
            files.place, refusesToDelete: undeletable, losesAnswerOf: BackupFiles.manifest)
        await #expect(throws: StorageError.self) {
            try await BackupFiles(place).write(Self.manifest())
        }
        #expect(try await files.ending(of: Self.name) == ending)
        // The next night removes the rest, and takes a whole one for what it is.
        try await files.removeUnfinished { _ in }
        #expect(try await files.isFree(Self.name) == (ending == .none))
        #expect(try await files.list().allSatisfy { $0.fault == nil })
    }

    @Test("are listed folder by folder: the erasures beside them may be very many")
    func listed() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await plant(Self.manifest())
        let other = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.createDirectory(
            atPath: "\(other)/tables", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/2026-11-25T030000Z", withDestinationPath: other)
        try Data([1]).write(to: URL(filePath: "\(other)/\(BackupFiles.manifest)"))
        #expect(mkfifo("\(folder)/2026-11-26T030000Z", 0o600) == 0)
        let place = WatchedPlace(files.place)
        #expect(try await BackupFiles(place).list().map(\.name) == [Self.name])
        #expect(place.listed.contains("\(Self.name)/") && !place.listed.contains(""))
    }

    @Test("a backup that has lost its sum stays until somebody removes it, who then leaves no rest")
    func lostSum() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await plant(Self.manifest())
        try await files.place.delete("\(Self.name)/\(BackupFiles.sum)")
        try await files.removeUnfinished { Issue.record("\($0)") }
        #expect(try await files.list().first?.fault?.contains(BackupFiles.sum) == true)
        try await files.remove(Self.name)
        #expect(try await files.list().isEmpty)
    }
}

/// A place that knows what was listed, and may refuse to delete some files.
private final class WatchedPlace: StoragePlace {
    private let place: any StoragePlace
    private let undeletable: String?
    /// The file whose write is done, and answered as if it had failed.
    private let unanswered: String?
    private let prefixes = Mutex<[String]>([])

    init(
        _ place: any StoragePlace, refusesToDelete undeletable: String? = nil,
        losesAnswerOf unanswered: String? = nil
    ) {
        self.place = place
        self.undeletable = undeletable
        self.unanswered = unanswered
    }

    var name: String { place.name }
    var listed: [String] { prefixes.withLock(\.self) }

    func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        prefixes.withLock { $0.append(prefix) }
        return try await place.list(prefix)
    }
    func folders() async throws(StorageError) -> Set<String> { try await place.folders() }
    func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        try await place.read(file, most: most)
    }
    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        try await place.write(file, bytes)
        if let unanswered, file.contains(unanswered) { throw StorageError(file, "no answer") }
    }
    func delete(_ file: String) async throws(StorageError) {
        if let undeletable, file.contains(undeletable) { throw StorageError(file, "refused") }
        try await place.delete(file)
    }
}
