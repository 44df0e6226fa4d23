import Cryptography
import EventLog
import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Wire

/// Stores radio maps: artifacts by their hash, versions by their site, and the fingerprints of the
/// newest. They outlive a rebuild of the views.
struct RadioMapStore: Sendable {
    static let schema = "radio_maps"
    /// Fingerprints come before the announcement of their map.
    static let outbox = Outbox(
        schema: schema, topics: [Topic.radioMaps.name, Topic.surveyReviews.name],
        largestRecord: { Topic.largestRecord($0) })
    /// The most surveys in one event: 390 kB.
    static let judgedAtOnce = 10_000

    let pool: PostgresPool
    /// How long positions are kept that name a version. Versions that were replaced earlier go.
    var positionsKept: Duration = .seconds(30 * 86_400)
    var bell = OutboxBell()

    /// One version of a site's map, and the numbers it was built from.
    struct Version: Sendable {
        var version: Int
        var hash: String
        var siteVersion: Int
        var surveys: Int
        var reviews: Int
        var event: [UInt8]
        /// The event of the map's choice; nil until it has chosen.
        var choice: [UInt8]?
    }

    func newest(_ site: SiteID) async throws -> Version? { try await version(nil, of: site) }

    /// - Parameter version: nil for the newest.
    func version(_ version: Int?, of site: SiteID) async throws -> Version? {
        try await pool.query(
            """
            SELECT version, hash, site_version, surveys, reviews, event, choice
            FROM radio_maps.radio_maps
            WHERE site = $1 AND ($2::bigint IS NULL OR version = $2) ORDER BY version DESC LIMIT 1
            """, [.text(site.text), .optional(version, PostgresValue.int)]
        ).first.map { row in
            Version(
                version: try row["version"], hash: try row["hash"],
                siteVersion: try row["site_version"], surveys: try row["surveys"],
                reviews: try row["reviews"], event: try row["event"], choice: try row["choice"])
        }
    }

    /// The least time between two choices of a site. It need not pass where one of both maps has so
    /// many times the surveys of the other.
    private static let choiceSeconds = 600.0
    private static let choiceRatio = 1.5

    /// The newest map of each site that has not chosen its positioner. It is due when it is older
    /// than `quiet`. A site where surveys come and go chooses at most every ten minutes, unless its
    /// map has grown or shrunk by half.
    func newestWithoutChoice(quiet: Duration) async throws -> [(
        site: SiteID, version: Int, hash: String, isDue: Bool
    )] {
        try await pool.query(
            """
            SELECT newest.site, newest.version, newest.hash,
                clock_timestamp() - newest.built_at >= make_interval(secs => $1)
                AND NOT coalesce(
                    clock_timestamp() - choices.chosen_at < make_interval(secs => $2)
                        AND newest.surveys < $3 * chosen.surveys
                        AND chosen.surveys < $3 * newest.surveys, false) AS is_due
            FROM (
                SELECT DISTINCT ON (site) site, version, hash, built_at, surveys
                FROM radio_maps.radio_maps
                ORDER BY site, version DESC) AS newest
            LEFT JOIN radio_maps.choices USING (site)
            LEFT JOIN radio_maps.radio_maps AS chosen
                ON chosen.site = choices.site AND chosen.version = choices.version
            WHERE choices.version IS NULL OR choices.version < newest.version
            """,
            [
                .double(quiet / .seconds(1)), .double(Self.choiceSeconds),
                .double(Self.choiceRatio),
            ]
        ).map { row in
            (SiteID(try row["site"]), try row["version"], try row["hash"], try row["is_due"])
        }
    }

    /// Stores and announces a choice, unless there is one of this map or of a newer one.
    func publish(_ choice: PositionerChosen, source: String) async throws {
        let record = choice.record(source: source)
        try await pool.withTransaction { connection in
            let changed = try connection.query(
                """
                INSERT INTO radio_maps.choices AS known (site, version, event, chosen_at)
                VALUES ($1, $2, $3, clock_timestamp())
                ON CONFLICT (site) DO UPDATE SET version = excluded.version,
                    event = excluded.event, chosen_at = excluded.chosen_at
                WHERE known.version < excluded.version
                """,
                [
                    .text(choice.site.text), .int(choice.radioMapVersion),
                    .bytes(record.value ?? []),
                ])
            guard changed.affected == 1 else { return }
            try connection.query(
                "UPDATE radio_maps.radio_maps SET choice = $3 WHERE site = $1 AND version = $2",
                [
                    .text(choice.site.text), .int(choice.radioMapVersion),
                    .bytes(record.value ?? []),
                ])
            try Self.outbox.put([record], connection: connection)
        }
        bell.ring()
    }

    // MARK: Maps and their parts

    /// The bytes of a map or of a part; nil when there is none with this hash.
    func artifact(_ hash: String) async throws -> [UInt8]? {
        let stored: [UInt8]? = try await pool.query(
            "SELECT bytes FROM radio_maps.artifacts WHERE hash = $1", [.text(hash)]
        ).first.map { try $0["bytes"] }
        if let stored { return stored }
        guard let map = try await map(hash) else { return nil }
        let bytes = RadioMapArtifact.encode(map)
        // A version whose parts are gone has another hash now.
        return sha256Hex(bytes) == hash ? bytes : nil
    }

    /// The map with this hash; nil when there is none.
    func map(_ hash: String) async throws -> RadioMap? {
        let whole: [UInt8]? = try await pool.query(
            "SELECT bytes FROM radio_maps.artifacts WHERE hash = $1", [.text(hash)]
        ).first.map { try $0["bytes"] }
        if let whole { return try RadioMapArtifact.decode(whole) }
        let versions = try await pool.query(
            "SELECT site, version FROM radio_maps.radio_maps WHERE hash = $1 LIMIT 1",
            [.text(hash)])
        guard let row = versions.first else { return nil }
        let parts = try await parts(of: try row["version"], SiteID(try row["site"]))
        return RadioMap(joining: parts.values.map(\.part))
    }

    /// The parts of one version, by building. Empty for a version of an earlier release.
    func parts(of version: Int, _ site: SiteID) async throws -> [BuildingID: MadePart] {
        var parts: [BuildingID: MadePart] = [:]
        for row in try await pool.query(
            """
            SELECT parts.building, parts.hash, parts.bytes AS size, parts.inputs, artifacts.bytes
            FROM radio_maps.parts AS parts JOIN radio_maps.artifacts AS artifacts USING (hash)
            WHERE parts.site = $1 AND parts.version = $2
            """, [.text(site.text), .int(version)])
        {
            let building = BuildingID(try row["building"])
            parts[building] = MadePart(
                announced: .init(
                    building: building, hash: try row["hash"], byteCount: try row["size"]),
                part: try RadioMapPartArtifact.decode(try row["bytes"]), inputs: try row["inputs"])
        }
        return parts
    }

    /// The sites that have had a map or a part with this hash.
    func sites(of hash: String) async throws -> [SiteID] {
        try await pool.query(
            """
            SELECT site FROM radio_maps.radio_maps WHERE hash = $1
            UNION SELECT site FROM radio_maps.parts WHERE hash = $1
            """, [.text(hash)]
        ).map { SiteID(try $0["site"]) }
    }
}
