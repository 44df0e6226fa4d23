import Events
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing

@testable import FingerprintBuilder

/// Who has a role in one building hears of its floors only.
@Suite("The quality of maps for a role in some buildings") struct PartialQualityTests {
    private static let path = "/v1/sites/\(MapCampus.site)"

    /// A campus with the same quality, advice and findings in both buildings.
    private static func campus() async throws -> MapCampus {
        let campus = try await MapCampus()
        try await campus.pool.query(
            """
            INSERT INTO radio_maps.quality (site, version, hash, positioner, floors)
            VALUES ('campus', 1, 'h', 'wknn',
                '[{"floor":"north-0","places":1},{"floor":"south-0","places":2}]')
            """)
        try await campus.pool.query(
            """
            INSERT INTO radio_maps.tap_findings (site, mark, found_at, changes, visitor_changes)
            VALUES ('campus', 'm', now(),
                '[{"kind":"moved","before":{"floor":"north-0"},"after":{"floor":"south-0"}}]',
                '[{"kind":"vanished","before":{"floor":"north-0"}},{"kind":"vanished"}]')
            """)
        for floor in ["north-0", "south-0"] {
            let document = "{\"floor\":\"\(floor)\"}"
            for statement in [
                "quality_places (site, id, floor, document) VALUES ('campus', $1, $1, $2)",
                "survey_advice (site, floor, rank, worth, document) "
                    + "VALUES ('campus', $1, 0, 1, $2)",
                "disagreeing_places (site, rank, floor, document) "
                    + "VALUES ('campus', length($1) + ascii($1), $1, $2)",
            ] {
                try await campus.pool.query(
                    "INSERT INTO radio_maps.\(statement)", [.text(floor), .text(document)])
            }
        }
        return campus
    }

    private static func app(_ campus: MapCampus) throws -> Served {
        try campus.bench.serve(
            QualityRoutes(
                sites: campus.bench.sites, clock: campus.bench.clock, pool: campus.pool
            ).all)
    }

    @Test("The whole site has both floors, and a building its own")
    func floors() async throws {
        let campus = try await Self.campus()
        let app = try Self.app(campus)
        let whole = campus.bench.issue(.surveyor, site: MapCampus.site)
        let south = campus.bench.issue(
            .surveyor, site: MapCampus.site, buildings: [BuildingID("south")])
        for path in ["survey-quality", "survey-coach"] {
            let all = try await app.send("GET", "\(Self.path)/\(path)", token: whole)
            #expect(all.status == 200 && all.text.contains("north-0"), "\(all.text)")
            let part = try await app.send("GET", "\(Self.path)/\(path)", token: south)
            #expect(part.status == 200 && part["places.1"] == nil, "\(part.text)")
            #expect(part["places.0.floor"] == "south-0")
            let own = try await app.send(
                "GET", "\(Self.path)/\(path)?floor=south-0", token: south)
            #expect(own.text == part.text)
            let other = try await app.send(
                "GET", "\(Self.path)/\(path)?floor=north-0", token: south)
            #expect(other.status == 403 && other.code == "building-not-yours", "\(other.text)")
        }
        let quality = try await app.send("GET", "\(Self.path)/survey-quality", token: south)
        #expect(quality["floors.0.floor"] == "south-0" && quality["floors.1"] == nil)
        let coach = try await app.send("GET", "\(Self.path)/survey-coach", token: south)
        #expect(coach["disagreeing.0.floor"] == "south-0" && coach["disagreeing.1"] == nil)
        #expect(coach["changes.0.kind"] == "moved" && coach["changes.1"] == nil)
        let all = try await app.send("GET", "\(Self.path)/survey-coach", token: whole)
        #expect(all["changes.2.kind"] == "vanished" && all["disagreeing.1"] != nil)
    }
}
