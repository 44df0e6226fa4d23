import Foundation
import PublicData
import Repository
import SampleSites
import Site
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
        func otherBrowsers() async throws {
            // Chromium has a few tests that are too long for each run.
            try await run(in: ["chromium", "firefox", "webkit"], ["--long"])
        }

        @Test(
            "The first view of a campus of 12,000 rooms, and of 500 rooms, is small and quick",
            .enabled(if: python != nil, isMissing))
        func largeCampus() async throws {
            let campus = try await Self.opened(["campus", "college"])
            let token = try await Self.administrator(of: campus)
            try await Self.put(SampleCampus.large.document, as: "campus", at: campus, token)
            try await Self.put(SampleCampus.small.document, as: "college", at: campus, token)
            for (program, arguments) in [
                (
                    "browser_test.py",
                    ["--token", token, "campus", "screens_of_the_campus_are_legible"]
                        + ["bars_of_the_campus_are_kept"]
                ),
                ("browser_test.py", ["names_never_lie_over_each_other"]),
                ("first_view.py", ["college", "campus"]),
            ] {
                let path = repository.appending(path: "Tests/System/Browser/\(program)").path
                let run = try await ProgramRun.of(
                    [Self.python ?? "python3", path, "--at", campus.url("whereabouts")] + arguments)
                print(run.output)
                #expect(run.status == 0, "\(run.output)\n\(run.errors.suffix(2_000))")
            }
            #expect(campus.stop() == ["whereabouts": 0])
        }

        private static func isInstalled(_ program: String) -> Bool {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
        }

        private func run(in browsers: [String], _ further: [String] = []) async throws {
            let (campus, token) = try await Self.campus()
            let program = repository.appending(path: "Tests/System/Browser/browser_test.py").path
            var options = [
                "--walk", campus.folder.appending(path: "building").path, "--token", token,
            ]
            if let axe = Self.axe { options += ["--axe", axe] }
            for browser in browsers {
                let run = try await ProgramRun.of(
                    [Self.python ?? "python3", program, "--at", campus.url("whereabouts")]
                        + ["--browser", browser, "--jobs", "2"] + options + further)
                print(run.output)
                #expect(run.status == 0, "\(run.output)\n\(run.errors.suffix(2_000))")
            }
            #expect(campus.stop() == ["whereabouts": 0])
        }

        /// All services with sites that are open to everybody. Positioners are chosen at once.
        private static func opened(_ sites: [String]) async throws -> Campus {
            try await Campus(
                .postgres, .together,
                settings: [
                    "WHEREABOUTS_OPEN_SITES": sites.joined(separator: ","),
                    "WHEREABOUTS_REQUESTS_PER_SECOND": "0", "WHEREABOUTS_QUALITY_QUIET": "1s",
                ])
        }

        private static func administrator(of campus: Campus) async throws -> String {
            try await campus.whereabouts(
                "token", "create", "--role", "administrator", "--plain"
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private static func put(
            _ document: SiteDocument, as site: String, at campus: Campus, _ token: String
        ) async throws {
            let answer = try await campus.send(
                "PUT", "/v1/sites/\(site)", token: token, body: document.json)
            #expect(answer.status < 300, "\(answer.text)")
        }

        /// All services with the sites that the tests look at, which come side by side, and an
        /// administrator's token.
        private static func campus() async throws -> (Campus, token: String) {
            let campus = try await opened(["bush-house", "museum", "college"] + maps.map(\.0))
            let token = try await administrator(of: campus)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await simulate(on: campus, token) }
                group.addTask {
                    for (site, format, file) in maps {
                        guard let path = SharedData.path(file) else { continue }
                        _ = try await campus.whereabouts(
                            "import", format, path, "--site", site, "--time-zone", "Europe/London",
                            token: token)
                    }
                }
                group.addTask {
                    try await put(SampleMuseum.document, as: "museum", at: campus, token)
                    try await put(SampleCampus.small.document, as: "college", at: campus, token)
                }
                try await group.waitForAll()
            }
            return (campus, token)
        }

        /// The simulated building, with the walks in the campus's folder.
        private static func simulate(on campus: Campus, _ token: String) async throws {
            let building = campus.folder.appending(path: "building").path
            _ = try await ProgramRun.of(
                campus.program + ["simulate", "--output", building, "--seed", "7"]
                    + ["--devices", "6", "--minutes", "3"]
            ).successful()
            _ = try await campus.whereabouts(
                "import", "jsonl", building, "--site", "bush-house", token: token)
            // The choice has the radii: a walk that begins before it has others.
            try await eventually("the radio map is built, and its positioner is chosen") {
                let map = try await campus.send(
                    "GET", "/v1/sites/bush-house/radio-map", token: token)
                return map.json["choice"] is [String: Any]
            }
        }
    }
}
