import Access
import Events
import HTTP
import Postgres
import ServiceHost
import Site

/// Decides which of the senders that surveys heard a caller may see.
///
/// Without rules of the site, one that was heard at one place or on one day may be a visitor's own
/// hotspot. Only those who make the map see it.
struct HeardSenders: Sendable {
    let sites: SiteDirectory
    let pool: PostgresPool

    private static let surveyors = RoleSet(
        .surveyor, .administratorOfSite, .administrator, .service)

    /// Whether the site has rules, or the caller makes its map.
    func seesAll(_ request: HTTPRequest, _ site: SiteID) -> Bool {
        sites[whole: site]?.index.document.accessPoints.allow.isEmpty == false
            || request.caller?.has(Self.surveyors, inAllOf: site) == true
    }

    /// Those of the senders that everybody may see who reads the map's figures.
    func lasting(_ ids: Set<String>, at site: SiteID) async throws -> Set<String> {
        guard !ids.isEmpty else { return [] }
        let rows = try await pool.query(
            """
            SELECT id FROM fingerprint_builder.access_points AS heard
            WHERE site = $1 AND id = ANY ($2) AND \(Self.isLasting)
            """, [.text(site.text), .textArray(ids.sorted())])
        return Set(try rows.map { try $0["id"] })
    }

    /// Whether the sender of a row `heard` was heard at two places and on two days. Beacons and
    /// nodes are put up on purpose.
    static let isLasting = """
        (heard.id LIKE 'beacon/%' OR heard.id LIKE 'node/%'
            OR (heard.first_heard AT TIME ZONE 'UTC')::date
                < (heard.last_heard AT TIME ZONE 'UTC')::date
            AND (SELECT count(DISTINCT convert_from(surveys.event, 'UTF8')::jsonb -> 'place') > 1
                FROM fingerprint_builder.measurements AS one
                JOIN fingerprint_builder.surveys AS surveys ON surveys.id = one.survey
                WHERE one.site = heard.site AND one.access_point = heard.id))
        """
}
