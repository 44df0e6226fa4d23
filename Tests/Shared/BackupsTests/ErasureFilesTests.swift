import Backups
import Events
import Foundation
import Storage
import Testing
import Wire

@Suite("Erasures beside the backups") struct ErasureFilesTests {
    private let folder = BackupBench.folder()
    private var files: ErasureFiles { ErasureFiles(FolderPlace(path: folder)) }

    @Test("are trusted only where site-editor writes them, and has done so lately")
    func beat() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let now = BackupBench.time(0)
        func silence(hours: Int64) async throws -> String? {
            try await files.silence(at: now.advanced(byMicroseconds: hours * 3_600_000_000))
        }
        // A backup writes what is missing. That does not show that site-editor does.
        try await files.catchUp([BackupBench.erased])
        #expect(try await silence(hours: 0)?.contains("never") == true)
        await #expect(throws: BackupFault.self) { try await files.all() }
        try await files.beat(at: now)
        #expect(try await files.all() == [BackupBench.erased])
        #expect(try await silence(hours: 2) == nil)
        #expect(try await silence(hours: 4)?.contains(now.text) == true)
        #expect(ErasureFiles.silence([], at: now) != nil)
        // A clock was ahead when that was written.
        #expect(try await silence(hours: -2) != nil)
    }
}
