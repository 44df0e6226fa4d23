import Cryptography
import EventLog
import Events
import Foundation
import Site
import Wire

/// Writes a site and a token to the log; scan-ingest accepts no scan without them.
enum LogContents {
    static func publish(to choice: ChosenLog) async throws -> BearerToken {
        let log = try choice.open()
        try await log.createTopics(Topic.specifications())
        let token = BearerToken()
        let now = Timestamp.now
        let issued = TokenIssued(
            hash: token.hash, id: EventID(at: now), role: .administrator, site: nil, device: nil,
            note: "benchmark", issuedAt: now, expiresAt: nil)
        let building = BuildingRecord(
            id: BuildingID("main"), name: "Main", timeZone: "Europe/London")
        let floor = FloorRecord(
            id: ScanSamples.floor, building: building.id, ordinal: 0, level: "Ground")
        let site = SitePublished(
            site: ScanSamples.site, version: 1, publishedAt: now,
            document: SiteDocument(
                name: "Bush House", originLatitude: 51.5129, originLongitude: -0.1167,
                bearingDegrees: 0, buildings: [building], floors: [floor]))
        try await log.append([
            // As site-editor gives each log. Without it, services ask for it again and again.
            LogIdentified(id: hexadecimal(randomBytes(16)), at: now).record(source: "/benchmark"),
            issued.record(source: "/benchmark"), site.record(source: "/benchmark"),
        ])
        await log.close()
        return token
    }
}

extension Timestamp {
    static var now: Timestamp {
        Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    }
}
