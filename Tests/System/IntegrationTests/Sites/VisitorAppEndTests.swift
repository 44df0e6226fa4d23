import Foundation
import PublicData
import Repository
import SampleSites
import TestSupport
import Testing
import Wire

extension IntegrationTests {
    /// Tests/System/Browser opens the app in a browser, as visitors of all services do.
    @Suite("The visitor's app in a browser") struct VisitorAppEndTests {
        /// A Python that has Selenium, as deploy/test installs it.
        private static let python = ProcessInfo.processInfo.environment["WHEREABOUTS_SELENIUM"]
        private static let isMissing: Comment = "WHEREABOUTS_SELENIUM names no Python with Selenium"
        /// The file axe.min.js; without it nothing is checked by axe.
        private static let axe = ProcessInfo.processInfo.environment["WHEREABOUTS_AXE"]
        /// Sites of public maps: the id, the format, and the file. Those that are missing are left out.
        private static let maps = [
            ("moorgate", "osm", "osm/moorgate.osm.gz"),
            ("polytech", "imdf", "imdf/polytech.imdf.zip"),
            ("columbus", "osm", "osm/columbus.osm.gz"),
        ]

        @Test(
            "Screens are legible, and search, routes, keyboard, the dot and a kept map work",
            .enabled(if: python != nil, isMissing))
        func app() async throws { try await run(in: ["chromium"]) }

        @Test(
            "The app works in Firefox and WebKit, too",
            .enabled(
                if: python != nil && ["firefox-esr", "WebKitWebDriver"].allSatisfy(isInstalled),
                "WHEREABOUTS_SELENIUM, firefox-esr or webkit2gtk-driver is missing"))
        func otherBrowsers() async throws { try await run(in: ["firefox", "webkit"]) }

        private static func isInstalled(_ program: String) -> Bool {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
        }

        private func run(in browsers: [String]) async throws {
            let campus = try await Self.campus()
            let program = repository.appending(path: "Tests/System/Browser/browser_test.py").path
            var options = ["--walk", campus.folder.appending(path: "building").path]
            if let axe = Self.axe { options += ["--axe", axe] }
            for browser in browsers {
                let run = try await ProgramRun.of(
                    [Self.python ?? "python3", program, "--at", campus.url("whereabouts")]
                        + ["--browser", browser] + options)
                print(run.output)
                #expect(run.status == 0, "\(run.output)\n\(run.errors.suffix(2_000))")
            }
            #expect(campus.stop() == ["whereabouts": 0])
        }

        /// All services with the sites that the tests look at, open to everybody.
        private static func campus() async throws -> Campus {
            let sites = ["bush-house", "museum"] + maps.map(\.0)
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
                    + ["--devices", "6", "--minutes", "3"]
            ).successful()
            _ = try await campus.whereabouts(
                "import", "jsonl", building, "--site", "bush-house", token: token)
            for (site, format, file) in maps {
                guard let path = SharedData.path(file) else { continue }
                _ = try await campus.whereabouts(
                    "import", format, path, "--site", site, "--time-zone", "Europe/London",
                    token: token)
            }
            let museum = try await campus.send(
                "PUT", "/v1/sites/museum", token: token, body: SampleMuseum.document.json)
            #expect(museum.status < 300, "\(museum.text)")
            try await eventually("the radio map is built") {
                let map = try await campus.send(
                    "GET", "/v1/sites/bush-house/radio-map", token: token)
                return map.json["radioMap"] != nil
            }
            return campus
        }
    }
}
