import Events
import MapFormats
import Postgres
import Site
import Wire

/// The last import of each site and format. With it the next import of the file can find the
/// changes that people made since.
struct ImportStore: Sendable {
    static let migration = """
        CREATE TABLE site_editor.imports (
            site text NOT NULL,
            format text NOT NULL,
            imported_at timestamptz NOT NULL,
            file bytea NOT NULL,
            document bytea NOT NULL,
            PRIMARY KEY (site, format))
        """

    let pool: PostgresPool

    func keep(
        _ file: [UInt8], _ document: SiteDocument, of format: MapFormat, for site: SiteID,
        at moment: Timestamp
    ) async throws {
        _ = try await pool.query(
            """
            INSERT INTO site_editor.imports (site, format, imported_at, file, document)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (site, format) DO UPDATE SET
                imported_at = EXCLUDED.imported_at, file = EXCLUDED.file,
                document = EXCLUDED.document
            """,
            [
                .text(site.text), .text(format.name),
                .timestamp(microseconds: moment.microseconds), .bytes(file),
                .bytes(document.json),
            ])
    }

    /// The last imported file, as a site.
    func document(_ format: MapFormat, of site: SiteID) async throws -> SiteDocument? {
        let rows = try await pool.query(
            "SELECT document FROM site_editor.imports WHERE site = $1 AND format = $2",
            [.text(site.text), .text(format.name)])
        return try rows.first.map { try SiteDocument(json: try $0["document"]) }
    }

    func file(_ format: MapFormat, of site: SiteID) async throws -> [UInt8]? {
        let rows = try await pool.query(
            "SELECT file FROM site_editor.imports WHERE site = $1 AND format = $2",
            [.text(site.text), .text(format.name)])
        return try rows.first.map { try $0["file"] }
    }
}
