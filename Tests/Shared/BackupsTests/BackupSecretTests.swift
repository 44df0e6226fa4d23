import Foundation
import TestSupport
import Testing

@testable import Backups

@Suite(
    "A restore with another secret", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BackupSecretTests {
    @Test("is refused where it opens no sealed value of the backup, and can be forced")
    func otherSecret() async throws {
        let folder = BackupBench.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (bench, files, manifest) = try await BackupBench.backedUp(in: folder)
        func require(
            _ opens: (@Sendable ([UInt8]) -> Bool)?, isLost: Bool = false
        ) async throws {
            let sealed = SealedColumn(table: "radio_maps.zoo", column: "bytes", opens: opens)
            try await bench.restoring(files, sealed: sealed)
                .require(.init(isSecretLost: isLost), for: manifest)
        }
        let fault = await #expect(throws: BackupFault.self) { try await require { _ in false } }
        #expect(fault?.description.contains("--other-secret") == true)
        try await require({ _ in false }, isLost: true)
        // One value of several is enough: the secret was changed later.
        try await require { $0 == [0x00, 0xff, 0x0a, 0x5c] }
        // Nobody can tell.
        try await require(nil)
        await bench.close()
    }

    @Test("A value is read from a row as COPY writes it")
    func values() {
        let row = Array([#"a\tb"#, #"\\x00ff5c"#, #"\N"#].joined(separator: "\t").utf8)
        #expect(SealedColumn.value(row, at: 1) == [0x00, 0xff, 0x5c])
        for index in [0, 2, 3] { #expect(SealedColumn.value(row, at: index) == nil) }
    }
}
