import Foundation
import Repository
import Testing

/// Answers are made of a site as its reader may see it. A route that reads the whole site is listed
/// here with the reason.
@Suite("Whole sites") struct WholeSiteTests {
    /// The files with routes that read whole sites, with how often they do, and why they may.
    private static let allowed: [String: (times: Int, why: String)] = [
        "Services/locator/Batteries/BatteryRoute.swift": (2, "for editors"),
        "Services/locator/GeolocateRoute.swift": (1, "reads the frame"),
        "Services/locator/Figures/RoomHourRoute.swift": (1, "filtered by the filter of places"),
        "Services/locator/LocatorRoutes.swift": (5, "filters rows, and names no place; a frame"),
        "Services/locator/LocatorRoutes+Sight.swift": (2, "makes the filter of places"),
        "Services/locator/Paired/PairedPositionRoute.swift": (1, "makes the filter of places"),
        "Services/fingerprint-builder/Comparing/ComparisonRoutes.swift": (1, "the radio map"),
        "Services/fingerprint-builder/Measurements/HeardSenders.swift": (1, "the radio map"),
        "Services/fingerprint-builder/Surveys/SurveyRoutes.swift": (2, "the radio map"),
        "Services/fingerprint-builder/FingerprintRoutes.swift": (1, "the radio map"),
        "Services/fingerprint-builder/QualityRoutes.swift": (3, "the radio map"),
        "Services/fingerprint-builder/Selecting/SelectionRoutes.swift": (2, "the radio map"),
        "Services/fingerprint-builder/MagneticRouteRoutes.swift": (1, "the radio map"),
        "Services/site-editor/Drafts/DraftEditRoutes.swift": (1, "makes the filter of edits"),
        "Services/site-editor/Sites/SiteRoutes.swift": (1, "for editors"),
        "Services/site-editor/Sites/VersionRoutes.swift": (1, "for editors"),
        "Services/site-editor/Outages/OutageRoutes.swift": (1, "makes the filter of places"),
        "Services/site-editor/Privacy/DeviceRoutes.swift": (1, "asks whether there is a site"),
        "Services/site-editor/ScanSwitch/EnrolmentRoutes.swift": (1, "for editors"),
        "Services/site-editor/ScanSwitch/ScannerRoutes.swift": (1, "for editors"),
        "Services/timetable-fetcher/Feeds/FeedRoutes.swift": (2, "for editors"),
        "Services/scan-ingest/Requests/AskersWait.swift": (1, "makes the filter of places"),
    ]
    private static let folders = ["Services", "Shared/RoomAnswers"]
    /// Expressions that give a whole site: of the log's directory, and of site-editor's tables.
    private static let wholes = ["[whole:", "store.version(", "store.published("]

    /// How often a file with routes reads whole sites; nil for a file without routes.
    private static func count(in text: String) -> Int? {
        guard text.contains("HTTPRequest") || text.contains("Route(") else { return nil }
        let count = wholes.reduce(0) { $0 + text.components(separatedBy: $1).count - 1 }
        return count > 0 ? count : nil
    }

    @Test("Only routes that are listed read whole sites, as often as the list says")
    func routes() throws {
        var found: [String: Int] = [:]
        for folder in Self.folders {
            let base = repository.appending(path: folder)
            let names = try #require(FileManager.default.enumerator(atPath: base.path))
            for case let name as String in names where name.hasSuffix(".swift") {
                let text = try String(contentsOf: base.appending(path: name), encoding: .utf8)
                found["\(folder)/\(name)"] = Self.count(in: text)
            }
        }
        #expect(found == Self.allowed.mapValues(\.times))
    }

    @Test("A route that reads a whole site is noticed")
    func planted() {
        let route = "func map(_ request: HTTPRequest) { draw(sites[whole: site]) }"
        #expect(Self.count(in: route) == 1)
        #expect(Self.count(in: "func build() { draw(sites[whole: site]) }") == nil)
        #expect(Self.count(in: "func map(_ request: HTTPRequest) { sites.seen(a) }") == nil)
    }
}
