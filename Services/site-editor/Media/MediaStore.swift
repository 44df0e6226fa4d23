import Cryptography
import Events
import Media
import Postgres
import Site

/// Files of contents and floor plans, each stored once under the hash of its bytes.
///
/// PostgreSQL holds them in pieces. So one backup holds everything, and a film is never in memory
/// as a whole while it is served.
struct MediaStore: Sendable {
    /// Bytes of a piece; the last one is shorter.
    static let pieceBytes = 1_048_576

    static let migration = """
        CREATE TABLE site_editor.media (
            hash text PRIMARY KEY,
            type text NOT NULL,
            bytes bigint NOT NULL,
            stored_at timestamptz NOT NULL);
        CREATE TABLE site_editor.media_pieces (
            hash text NOT NULL REFERENCES site_editor.media ON DELETE CASCADE,
            number integer NOT NULL,
            piece bytea NOT NULL,
            PRIMARY KEY (hash, number));
        ALTER TABLE site_editor.media_pieces ALTER COLUMN piece SET STORAGE EXTERNAL
        """

    let pool: PostgresPool

    /// Stores the file for a site; false when this site had it already. The answer does not depend
    /// on other sites, so it does not show whether they have the file.
    /// - Parameter site: nil for a file that an administrator of all sites sends for any of them.
    func keep(
        _ bytes: [UInt8], as type: MediaType, for site: SiteID? = nil, at moment: Timestamp
    ) async throws -> (reference: MediaReference, isNew: Bool) {
        let reference = MediaReference(
            hash: sha256Hex(bytes), type: type.rawValue, bytes: bytes.count)
        let isNew = try await pool.withTransaction { connection in
            try store(bytes, reference, at: moment, connection: connection)
            return try Self.own([reference.hash], by: site, connection: connection) > 0
        }
        return (reference, isNew)
    }

    private func store(
        _ bytes: [UInt8], _ reference: MediaReference, at moment: Timestamp,
        connection: isolated PostgresConnection
    ) throws {
        let added = try connection.query(
            """
            INSERT INTO site_editor.media (hash, type, bytes, stored_at)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (hash) DO UPDATE SET stored_at = excluded.stored_at
            RETURNING xmax = 0 AS added
            """,
            [
                .text(reference.hash), .text(reference.type), .int(reference.bytes),
                .timestamp(microseconds: moment.microseconds),
            ])
        // A file that is sent again is kept for another day.
        guard let row = added.first, try row["added"] else { return }
        for (number, start) in stride(
            from: 0, to: bytes.count, by: Self.pieceBytes
        ).enumerated() {
            let end = min(start + Self.pieceBytes, bytes.count)
            try connection.query(
                "INSERT INTO site_editor.media_pieces (hash, number, piece) VALUES ($1, $2, $3)",
                [.text(reference.hash), .int(number), .bytes(Array(bytes[start..<end]))])
        }
    }

    /// The stored file's type and size; nil when there is none.
    func reference(_ hash: String) async throws -> MediaReference? {
        let rows = try await pool.query(
            "SELECT type, bytes FROM site_editor.media WHERE hash = $1", [.text(hash)])
        guard let row = rows.first else { return nil }
        return MediaReference(hash: hash, type: try row["type"], bytes: try row["bytes"])
    }

    /// The bytes of one piece that lie within the range of the file.
    func piece(_ number: Int, of hash: String, within range: Range<Int>) async throws -> [UInt8] {
        let start = number * Self.pieceBytes
        let first = max(range.lowerBound - start, 0)
        let count = min(range.upperBound - start, Self.pieceBytes) - first
        let rows = try await pool.query(
            """
            SELECT substring(piece FROM $3::int FOR $4::int) AS part
            FROM site_editor.media_pieces WHERE hash = $1 AND number = $2
            """, [.text(hash), .int(number), .int(first + 1), .int(count)])
        guard let row = rows.first else {
            throw MediaRefusal.gone
        }
        return try row["part"]
    }

    /// The complete file, to be worked on in this process.
    func bytes(_ reference: MediaReference) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(reference.bytes)
        for number in 0..<(reference.bytes + Self.pieceBytes - 1) / Self.pieceBytes {
            bytes += try await piece(number, of: reference.hash, within: 0..<reference.bytes)
        }
        return bytes
    }

    /// The references that name no stored file, or describe it wrongly.
    static func unknown(
        _ references: Set<MediaReference>, connection: isolated PostgresConnection
    ) throws -> [MediaReference] {
        guard !references.isEmpty else { return [] }
        let rows = try connection.query(
            "SELECT hash, type, bytes FROM site_editor.media WHERE hash = ANY($1::text[])",
            [.textArray(references.map(\.hash))])
        var kept: Set<MediaReference> = []
        for row in rows {
            kept.insert(
                MediaReference(
                    hash: try row["hash"], type: try row["type"], bytes: try row["bytes"]))
        }
        return references.subtracting(kept).sorted { $0.hash < $1.hash }
    }
}

extension SiteDocument {
    var media: Set<MediaReference> {
        var media = Set(floorPlans.map(\.image))
        for content in contents {
            media.formUnion(content.audio.map(\.media))
            media.formUnion(content.pictures.map(\.media))
            media.formUnion(content.videos)
        }
        return media
    }
}
