import Events
import Postgres

/// The owners of a file: the sites that it was sent for, and those whose documents name it.
extension MediaStore {
    /// Stands for a site where an administrator of all sites sent the file.
    private static let anySite = ""

    static let ownersMigration = """
        CREATE TABLE site_editor.media_owners (
            hash text NOT NULL REFERENCES site_editor.media ON DELETE CASCADE,
            site text NOT NULL,
            PRIMARY KEY (hash, site));
        INSERT INTO site_editor.media_owners (hash, site)
            SELECT DISTINCT named.hash, named.site FROM (
                SELECT (regexp_matches(
                    convert_from(event, 'UTF8'), '"hash":"([0-9a-f]{64})"', 'g'))[1] AS hash, site
                FROM site_editor.versions
                UNION SELECT (regexp_matches(
                    convert_from(document, 'UTF8'), '"hash":"([0-9a-f]{64})"', 'g'))[1], site
                FROM site_editor.drafts
                UNION SELECT (regexp_matches(
                    convert_from(document, 'UTF8'), '"hash":"([0-9a-f]{64})"', 'g'))[1], site
                FROM site_editor.test_versions) AS named
            JOIN site_editor.media USING (hash);
        INSERT INTO site_editor.media_owners (hash, site)
            SELECT hash, '' FROM site_editor.media
            WHERE NOT EXISTS (
                SELECT FROM site_editor.media_owners AS known WHERE known.hash = media.hash)
        """

    /// Notes the site as an owner of the stored files among these; returns how many were new to it.
    @discardableResult
    static func own(
        _ hashes: [String], by site: SiteID?, connection: isolated PostgresConnection
    ) throws -> Int {
        guard !hashes.isEmpty else { return 0 }
        return try connection.query(
            """
            INSERT INTO site_editor.media_owners (hash, site)
            SELECT hash, $2 FROM site_editor.media WHERE hash = ANY ($1::text[])
            ON CONFLICT DO NOTHING
            """, [.textArray(hashes), .text(site?.text ?? anySite)]
        ).affected
    }

    /// The hashes that the site may name: its own files, and files for any site.
    static func nameable(
        _ hashes: [String], by site: SiteID, connection: isolated PostgresConnection
    ) throws -> Set<String> {
        let rows = try connection.query(
            """
            SELECT DISTINCT hash FROM site_editor.media_owners
            WHERE hash = ANY ($1::text[]) AND site IN ($2, $3)
            """, [.textArray(hashes), .text(site.text), .text(anySite)])
        return Set(try rows.map { try $0["hash"] as String })
    }

    /// The sites that own the file; nil among them means any site.
    func owners(of hash: String) async throws -> [SiteID?] {
        try await pool.query(
            "SELECT site FROM site_editor.media_owners WHERE hash = $1", [.text(hash)]
        ).map { row in
            let site: String = try row["site"]
            return site == Self.anySite ? nil : SiteID(site)
        }
    }
}
