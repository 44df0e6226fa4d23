import Events
import ServiceHost
import Storage
import TestSupport
import Testing
import Wire

@testable import Backups

@Suite(
    "The name of a backup",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BackupNameTests {
    @Test("is that of no other, whose files stay as they are")
    func sameSecond() async throws {
        let folder = BackupBench.folder()
        let place = FolderPlace(path: folder)
        let bench = try await BackupBench(.postgres, folder: folder)
        try await bench.prepare()
        try await ErasureFiles(place).beat(at: bench.host.now)
        let taken = (0...1).map { seconds in
            BackupFiles.name(
                at: bench.host.now.advanced(byMicroseconds: Int64(seconds) * 1_000_000), .whole)
        }
        for name in taken { try await place.write("\(name)/\(BackupFiles.manifest)", [1]) }
        let made = try await bench.making(BackupFiles(place)).make(.init())
        #expect(!taken.contains(made.name))
        for name in taken {
            let files = try await place.list("\(name)/").map(\.name)
            #expect(files == ["\(name)/\(BackupFiles.manifest)"])
        }
        await bench.close()
    }
}
