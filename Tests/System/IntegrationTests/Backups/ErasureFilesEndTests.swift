import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The erasures beside the backups of a running system") struct ErasureFilesEndTests {
        @Test("A lost one is damage with its id, and comes back; a mistyped site makes none")
        func lost() async throws {
            let backups = try makeTemporaryFolder("backups")
            AtExit.remove(backups.path)
            let site = try await SmallSite(
                Campus(.postgres, .together, settings: ["WHEREABOUTS_BACKUPS": backups.path]))
            let campus = site.campus
            func run(_ arguments: String...) async throws -> ProgramRun {
                try await ProgramRun.of(
                    campus.program + arguments,
                    environment: campus.environment.merging([
                        "WHEREABOUTS_TOKEN": site.administrator
                    ]) { $1 })
            }
            func files() throws -> Set<String> {
                let folder = backups.appending(path: "erasures").path
                return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
            }
            let before = try files()
            let mistyped = try await run("erase", "anna-phone", "--site", "nosuch")
            #expect(mistyped.status != 0)
            #expect(mistyped.errors.contains("there is no site nosuch"), "\(mistyped.errors)")
            #expect(try files() == before)
            let erased = try await run("erase", "anna-phone", "--site", SmallSite.name).successful()
            let id = try #require(erased.summary["id"] as? String)
            _ = try await run("backup", "nightly").successful()
            let file = try #require(try files().first { $0.hasPrefix(id) })
            try FileManager.default.removeItem(
                at: backups.appending(path: "erasures/\(file)"))
            let damaged = try await run("backup", "check")
            #expect(damaged.status != 0 && damaged.errors.contains(id), "\(damaged.errors)")
            _ = try await run("backup", "nightly").successful()
            #expect(try files().contains(file))
            _ = try await run("backup", "check").successful()
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
