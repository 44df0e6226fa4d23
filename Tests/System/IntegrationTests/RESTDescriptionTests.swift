import Foundation
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    /// A generated client asks every endpoint of docs/openapi.json what it may and may not be asked, and
    /// compares the answers with the document: schemathesis, from PyPI.
    @Suite("The description of the HTTP API and the answers") struct RESTDescriptionTests {
        private static let document = repository.appending(path: "docs/openapi.json")

        /// The program, as deploy/test installs it.
        private static var program: String? {
            let path = ProcessInfo.processInfo.environment["WHEREABOUTS_SCHEMATHESIS"]
            if path == nil {
                print(
                    "skipped: answers against openapi.json; WHEREABOUTS_SCHEMATHESIS names no program"
                )
            }
            return path
        }

        @Test("No answer to what may be asked is a fault or outside of the description")
        func answers() async throws {
            try await ask(phases: "coverage", mode: "positive")
        }

        @Test("The same for what may not be asked, and for random requests")
        func allAnswers() async throws {
            try await ask(phases: "coverage,fuzzing", mode: "all")
        }

        private func ask(phases: String, mode: String) async throws {
            guard let program = Self.program else { return }
            let site = try await SmallSite(settings: ["WHEREABOUTS_REQUESTS_PER_SECOND": "0"])
            let output = try await Self.run(
                program, site, try Self.description(), phases: phases, mode: mode,
                // Streams do not end, and the token is needed to the end.
                [
                    "--exclude-path", "/v1/positions/stream", "--exclude-path",
                    "/v1/group-visits/stream", "--exclude-path",
                    "/v1/sites/{site}/beacon-batteries/stream", "--exclude-operation-id",
                    "revokeToken",
                ])
            #expect(!output.contains("= FAILURES ="), "\(output.suffix(6_000))")
            let cases = output.firstMatch(of: /(\d+) generated, (\d+) passed/)
            let passed = try #require(cases.flatMap { Int($0.2) }, "\(output.suffix(2_000))")
            print("schemathesis: \(passed) answers are as described")
            #expect(passed > 2_000)
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("An answer outside of the description is noticed")
        func canary() async throws {
            guard let program = Self.program else { return }
            let site = try await SmallSite.shared.value
            var description = try Self.description()
            Self.edit(&description, ["components", "schemas", "SiteSummary", "required"]) { _ in
                ["colour"]
            }
            let output = try await Self.run(
                program, site, description, ["--include-operation-id", "listSites"])
            #expect(output.contains("= FAILURES ="), "\(output.suffix(2_000))")
        }

        private static func run(
            _ program: String, _ site: SmallSite, _ description: [String: Any],
            phases: String = "coverage,fuzzing", mode: String = "all", _ arguments: [String]
        ) async throws -> String {
            let folder = try makeTemporaryFolder("schemathesis")
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "openapi.json")
            try Data(jsonText(description)).write(to: file)
            // The exit status does not tell a fault of the answers from one of the program itself.
            return try await ProgramRun.of(
                [
                    "env", "-C", folder.path, program, "run", file.path, "--url",
                    site.campus.url("whereabouts"), "--header",
                    "Authorization: Bearer \(site.administrator)", "--checks",
                    "not_a_server_error,status_code_conformance,content_type_conformance,"
                        + "response_headers_conformance,response_schema_conformance",
                    "--phases", phases, "--mode", mode, "--max-examples", "3", "--workers", "1",
                    "--request-timeout", "30", "--continue-on-failure",
                    "--suppress-health-check", "all", "--no-color", "--seed", "1",
                ] + arguments
            ).output
        }

        /// The description, asking for what there is: else nearly every answer would be 404.
        private static func description() throws -> [String: Any] {
            var description = jsonObject(Array(try Data(contentsOf: document)))
            let things = ["a", "b", "ground", "house", "a-1", "door-ab", "x"]
            let versions = ["published", "draft", "test", "1", "2"]
            let tags = ["*", "\"1\"", "\"draft-1\"", "nonsense"]
            let names = [
                "Site": [SmallSite.name, "nowhere"], "SiteFilter": [SmallSite.name, "nowhere"],
                "ThingID": things, "OtherID": things, "Floor": ["ground"],
                "RoomFilter": ["a", "b"], "BuildingFilter": ["house"], "LocationFilter": ["a-1"],
                "ConnectionFilter": ["door-ab"], "Version": versions,
                "VersionName": versions, "OtherVersionName": versions, "DraftMatch": tags,
                "PublishedMatch": tags, "IfMatch": tags,
            ]
            for (parameter, values) in names {
                edit(&description, ["components", "parameters", parameter, "schema"]) { _ in
                    ["type": "string", "enum": values] as [String: Any]
                }
            }
            return description
        }

        /// Changes what lies under the members of the objects in each other.
        private static func edit(
            _ object: inout [String: Any], _ path: ArraySlice<String>, _ change: (Any?) -> Any
        ) {
            guard let name = path.first else { return }
            if path.count == 1 {
                object[name] = change(object[name])
            } else {
                var inner = object[name] as? [String: Any] ?? [:]
                edit(&inner, path.dropFirst(), change)
                object[name] = inner
            }
        }
    }
}
