import Events
import Postgres
import ServiceHost
import ServiceRuntime
import Site

/// Counts the sites that have surveys, but no rules that say which access points are their own.
struct UnruledSites: Sendable {
    private static let interval = Duration.seconds(10)

    let sites: SiteDirectory
    let surveyed: SurveyedPlacesView
    let pool: PostgresPool

    func component(_ host: Host) -> any Component {
        let gauge = host.context.metrics.gauge(
            "whereabouts_sites_without_rules",
            help: "Sites with surveys and without rules for access points.")
        return host.loop("sites without rules") {
            while !Task.isCancelled {
                // The view's own work reports the faults of the database.
                if let count = try? await count() { gauge.set(Double(count)) }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    func count() async throws -> Int {
        let unruled = sites.all.filter(\.value.index.document.accessPoints.allow.isEmpty).keys
        guard !unruled.isEmpty else { return 0 }
        return try await pool.query(
            """
            SELECT count(*) AS count FROM unnest($1::text[]) AS unruled (site)
            WHERE EXISTS (SELECT FROM \(surveyed.schema).surveys WHERE surveys.site = unruled.site)
            """, [.textArray(unruled.map(\.text))])[0]["count"]
    }
}
