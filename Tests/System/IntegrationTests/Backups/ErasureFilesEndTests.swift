import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The erasures beside the backups of a running system") struct ErasureFilesEndTests {
        /// A site whose erasures are copied into the folder.
        private static func backedUp() async throws -> (site: SmallSite, folder: URL) {
            let folder = try makeTemporaryFolder("backups")
            AtExit.remove(folder.path)
            let site = try await SmallSite(
                Campus(.postgres, .together, settings: ["WHEREABOUTS_BACKUPS": folder.path]))
            return (site, folder)
        }

        @Test("A lost one is damage with its id, and comes back; a mistyped site makes none")
        func lost() async throws {
            let (site, backups) = try await Self.backedUp()
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
            #expect(mistyped.errors.contains("site-unknown"), "\(mistyped.errors)")
            #expect(!mistyped.errors.contains("all the same"), "\(mistyped.errors)")
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

        @Test("A restore with another secret than that of the enrolled devices' keys is refused")
        func otherSecret() async throws {
            let (site, _) = try await Self.backedUp()
            let campus = site.campus
            let enrolled = try await campus.send(
                "POST", "/v1/sites/\(SmallSite.name)/devices", token: site.administrator,
                body: jsonText(["name": "a", "identityKey": "ec0234a357c8ad05341010a60a397d9b"]))
            #expect(enrolled.status == 201, "\(enrolled.text)")
            let made = try await campus.whereabouts("backup", "make").summary
            let name = try #require(made["name"] as? String)
            func check(_ more: String..., secret: String? = nil) async throws -> ProgramRun {
                var environment = campus.environment
                if let secret { environment["WHEREABOUTS_SERVICE_SECRET"] = secret }
                return try await ProgramRun.of(
                    campus.program + ["backup", "restore", name, "--check"] + more,
                    environment: environment)
            }
            _ = try await check().successful()
            let other = "another-secret-of-the-integration-tests"
            let refused = try await check(secret: other)
            #expect(refused.status != 0, "\(refused.output)")
            #expect(refused.errors.contains("--other-secret"), "\(refused.errors)")
            _ = try await check("--other-secret", secret: other).successful()
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
