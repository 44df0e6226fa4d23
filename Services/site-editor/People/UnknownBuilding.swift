import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

/// A role or a token names a building that its site does not have. Nobody could use it, and most
/// often it is misspelt.
struct UnknownBuilding: Error {
    let site: SiteID
    let building: BuildingID

    /// The first building that neither the published site nor its draft has.
    ///
    /// A site that nobody has begun yet has nothing to compare with. A testers' site has the
    /// buildings of its site.
    static func first(
        among buildings: [BuildingID], at site: SiteID, connection: isolated PostgresConnection
    ) throws -> Self? {
        guard !buildings.isEmpty else { return nil }
        let main = PostgresValue.text((site.tested ?? site).text)
        let published = Set(
            try connection.query(
                "SELECT id FROM site_editor.buildings WHERE site = $1 AND id = ANY ($2)",
                [main, .textArray(buildings.map(\.text))]
            ).map { BuildingID(try $0["id"]) })
        let left = buildings.filter { !published.contains($0) }
        guard !left.isEmpty else { return nil }
        let known = try connection.query(
            """
            SELECT EXISTS (SELECT FROM site_editor.sites WHERE id = $1)
                OR EXISTS (SELECT FROM site_editor.drafts WHERE site = $1) AS known
            """, [main])
        guard try known[0]["known"] else { return nil }
        // The document may be older than the newest edits, which the journal has.
        let stored = try connection.query(
            """
            SELECT document FROM site_editor.drafts WHERE site = $1 AND document IS NOT NULL
            ORDER BY revision DESC LIMIT 1
            """, [main]
        ).first.map { try SiteDocument(json: $0["document"]) }
        let journalled = try connection.query(
            """
            SELECT record FROM site_editor.draft_changes
            WHERE site = $1 AND kind = 'building' AND record = ANY ($2) AND after IS NOT NULL
            """, [main, .textArray(left.map(\.text))]
        ).map { BuildingID(try $0["record"]) }
        let drafted = Set((stored?.buildings.map(\.id) ?? []) + journalled)
        return left.first { !drafted.contains($0) }.map { Self(site: site, building: $0) }
    }

    /// - Parameter kept: the roles that somebody has already: a building of theirs may be gone.
    /// - Throws: an `UnknownBuilding` for the first one.
    static func refuse(
        in grants: [RoleGrant], but kept: [RoleGrant] = [],
        connection: isolated PostgresConnection
    ) throws {
        for grant in grants {
            guard let site = grant.site else { continue }
            let had = Set(kept.filter { $0.site == site }.flatMap(\.buildings))
            let added = grant.buildings.filter { !had.contains($0) }
            let unknown = try first(among: added, at: site, connection: connection)
            if let unknown { throw unknown }
        }
    }
}

extension UnknownBuilding: ClientRefusal {
    var problem: Problem {
        Problem(
            other: .buildingUnknown,
            "Neither the published site \(site) nor its draft has a building \(building).")
    }
}
