import Events
import LogViews
import SampleSites
import ServiceBench
import ServiceHost
import Testing

@testable import FingerprintBuilder

/// Tests answers that need no tables. The other answers are little more than a query each, and
/// RadioMapStoreTests and Tests/System test them on PostgreSQL.
@Suite("The routes of fingerprint-builder") struct BuilderRoutesTests {
    private let bench: ServiceBench
    private let app: Served
    private let site = SampleSite.id

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        let pool = bench.absentDatabase
        let store = RadioMapStore(pool: pool)
        app = try bench.serve(
            FingerprintRoutes(sites: bench.sites, pool: pool, store: store).all
                + SurveyRoutes(
                    sites: bench.sites, clock: bench.clock, security: bench.security, pool: pool,
                    maps: store, bell: OutboxBell()
                ).all
                + MagneticRouteRoutes(
                    sites: bench.sites, clock: bench.clock, store: MagneticRouteStore(pool: pool)
                ).all + QualityRoutes(sites: bench.sites, clock: bench.clock, pool: pool).all
                + TapRoutes(sites: bench.sites, pool: pool, bell: OutboxBell()).all)
    }

    @Test(
        "refuse a wrong request before they read a table",
        arguments: [
            ("GET", "/survey-quality?floor=roof", "floor-unknown"),
            ("GET", "/survey-quality?limit=0", "limit-out-of-range"),
            ("GET", "/survey-coach?floor=roof", "floor-unknown"),
            ("GET", "/survey-coach?count=0", "count-out-of-range"),
            ("GET", "/survey-coach?count=many", "count-out-of-range"),
            ("DELETE", "/surveys", "author-missing"),
            ("DELETE", "/surveys/x", "survey-unknown"),
        ])
    func malformed(method: String, path: String, code: String) async throws {
        let keeper = bench.issue(.administratorOfSite, site: site)
        let answer = try await app.send(method, "/v1/sites/\(site)\(path)", token: keeper)
        #expect(answer.code == code)
    }

    @Test(
        "answer 404 at a site that is not published",
        arguments: ["taps", "survey-coach", "survey-quality"])
    func unpublished(path: String) async throws {
        let keeper = bench.issue(.administrator)
        let answer = try await app.send("GET", "/v1/sites/elsewhere/\(path)", token: keeper)
        #expect(answer.status == 404 && answer.code == "site-unknown", "\(answer.text)")
    }

    @Test(
        "go on to the database at a site whose document can't be read",
        arguments: ["taps", "survey-coach?floor=any", "survey-quality"])
    func unreadable(path: String) async throws {
        bench.sites.replace(with: [:], announced: [site])
        let keeper = bench.issue(.administratorOfSite, site: site)
        let answer = try await app.send("GET", "/v1/sites/\(site)/\(path)", token: keeper)
        #expect(answer.status == 503 && answer.code == "database-unreachable", "\(answer.text)")
    }

    @Test("show nobody another site's map or surveys")
    func sites() async throws {
        let stranger = bench.issue(.surveyor, site: SiteID("elsewhere"))
        for path in ["radio-map", "fingerprints", "surveys", "survey-quality"] {
            let answer = try await app.send("GET", "/v1/sites/\(site)/\(path)", token: stranger)
            #expect(answer.status == 403 && answer.code == "site-not-yours", "\(path)")
        }
    }

    @Test("let a visitor neither withdraw nor judge surveys")
    func roles() async throws {
        let visitor = bench.issue(.visitor, site: site)
        for (method, path) in [("DELETE", "surveys?author=me"), ("POST", "survey-reviews")] {
            let answer = try await app.send(method, "/v1/sites/\(site)/\(path)", token: visitor)
            #expect(answer.status == 403 && answer.code == "role-not-allowed", "\(path)")
        }
    }

    @Test(
        "answer 503 while the database is away",
        arguments: ["radio-map", "fingerprints", "survey-quality", "survey-coach", "surveys"])
    func away(path: String) async throws {
        let keeper = bench.issue(.administratorOfSite, site: site)
        let answer = try await app.send("GET", "/v1/sites/\(site)/\(path)", token: keeper)
        #expect(answer.status == 503 && answer.code == "database-unreachable")
        #expect(answer.headers["retry-after"] == "2")
    }
}
