import Foundation
import PublicData
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    /// Tests/System/Browser opens the app in headless Chromium, as visitors of all services do.
    @Suite("The visitor's app in a browser") struct VisitorAppEndTests {
        /// A Python that has Selenium, as deploy/test installs it.
        private static let python = ProcessInfo.processInfo.environment["WHEREABOUTS_SELENIUM"]
        private static let isMissing: Comment = "WHEREABOUTS_SELENIUM names no Python with Selenium"
        /// Sites of public maps: the id, the format, and the file. Those that are missing are left out.
        private static let maps = [
            ("moorgate", "osm", "osm/moorgate.osm.gz"),
            ("polytech", "imdf", "imdf/polytech.imdf.zip"),
            ("columbus", "osm", "osm/columbus.osm.gz"),
        ]

        @Test(
            "Screens are legible, and search, routes, keyboard, faults and a kept map work",
            .enabled(if: python != nil, isMissing))
        func app() async throws {
            let sites = ["bush-house"] + Self.maps.map(\.0)
            let campus = try await Campus(
                .postgres, .together,
                settings: [
                    "WHEREABOUTS_OPEN_SITES": sites.joined(separator: ","),
                    "WHEREABOUTS_REQUESTS_PER_SECOND": "0",
                ])
            let token = try await campus.whereabouts(
                "token", "create", "--role", "administrator", "--plain"
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
            let building = campus.folder.appending(path: "building").path
            _ = try await ProgramRun.of(
                campus.program + ["simulate", "--output", building, "--seed", "7"]
                    + ["--devices", "1", "--minutes", "1"]
            ).successful()
            _ = try await campus.whereabouts(
                "import", "jsonl", building, "--site", "bush-house", token: token)
            for (site, format, file) in Self.maps {
                guard let path = SharedData.path(file) else { continue }
                _ = try await campus.whereabouts(
                    "import", format, path, "--site", site, "--time-zone", "Europe/London",
                    token: token)
            }
            let program = repository.appending(path: "Tests/System/Browser/browser_test.py").path
            let run = try await ProgramRun.of([
                Self.python ?? "python3", program, "--at", campus.url("whereabouts"),
            ])
            print(run.output)
            #expect(run.status == 0, "\(run.output)\n\(run.errors.suffix(2_000))")
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
