import Cryptography
import Events
import Foundation
import Postgres
import Privacy
import Retrying
import ServiceHost
import Site

/// Makes the keys of pseudonyms: one for each site and day, a day ahead.
///
/// They are in an unlogged table. Neither the write-ahead log nor a backup has them, and a crash of
/// PostgreSQL loses them: pseudonyms then begin anew. When a key ends, the whole table is written
/// anew, because a deleted row stays in the table's file.
struct DayKeyStore: Sendable {
    private static let lookEvery = Duration.seconds(60)
    /// A shorter rest of a day is joined to the next day.
    private static let shortestDayMicroseconds: Int64 = 12 * 3_600_000_000

    let pool: PostgresPool
    /// The hour of a site's own clock at which its day begins.
    let hour: Int

    static let migration = """
        CREATE UNLOGGED TABLE site_editor.day_keys (
            site text NOT NULL,
            begins timestamptz NOT NULL,
            ends timestamptz NOT NULL,
            secret bytea NOT NULL,
            PRIMARY KEY (site, begins)
        ) WITH (autovacuum_enabled = false);
        -- Samples of a column with statistics would lie in pg_statistic.
        ALTER TABLE site_editor.day_keys ALTER COLUMN secret SET STATISTICS 0
        """

    /// Makes and forgets keys in time, until the task is cancelled.
    func keep(_ sites: SiteDirectory, _ notices: Notices) async {
        while !Task.isCancelled {
            if sites.isReady {
                await attemptUntilDone("Keeping the keys of pseudonyms", notices: notices) { _ in
                    _ = try await renew(sites)
                }
            }
            try? await Task.sleep(for: Self.lookEvery)
        }
    }

    /// The keys of all sites, after the missing ones were made and the old ones forgotten.
    ///
    /// - Parameter now: nil for PostgreSQL's clock. Several processes of site-editor have that one
    ///   in common; with clocks of their own, each would forget the keys that the other made.
    func renew(
        _ sites: SiteDirectory, at now: Timestamp? = nil
    ) async throws -> [SiteID: DayKeys] {
        let zones = sites.all.mapValues { published in
            published.index.document.buildings.first
                .flatMap { TimeZone(identifier: $0.timeZone) } ?? .gmt
        }
        return try await pool.withTransaction { connection in
            let now = try now ?? Self.clock(connection)
            let known = try Self.read(connection)
            if Self.due(known, zones, at: now, hour: hour) == nil { return known }
            // Several processes of site-editor hand out the same keys.
            try connection.query("SELECT pg_advisory_xact_lock(hashtextextended('day-keys', 6))")
            let newest = try Self.read(connection)
            guard let due = Self.due(newest, zones, at: now, hour: hour) else { return newest }
            try Self.write(due, connection)
            return due
        }
    }

    /// The keys as they should be; nil where they are so already.
    ///
    /// Only the time forgets a key. A site that this process does not know may just have been
    /// published, and other processes give its pseudonyms by the keys that it has.
    private static func due(
        _ known: [SiteID: DayKeys], _ zones: [SiteID: TimeZone], at now: Timestamp, hour: Int
    ) -> [SiteID: DayKeys]? {
        var due = known.mapValues { DayKeys($0.keys.filter { now < $0.forgotten }) }
            .filter { !$0.value.keys.isEmpty }
        for (site, zone) in zones {
            var keys = due[site]?.keys ?? []
            // A clock was ahead for a moment, and the keys of today were forgotten then.
            if let first = keys.first, now < first.begins { keys = [] }
            let ahead = now.advanced(byMicroseconds: DayKey.keptMicroseconds)
            while keys.last.map({ $0.ends <= ahead }) ?? true {
                // The first key is yesterday's, for scans that come late.
                let begins =
                    keys.last?.ends
                    ?? begin(
                        of: now.advanced(byMicroseconds: -DayKey.keptMicroseconds), zone, hour)
                keys.append(
                    DayKey(
                        begins: begins, ends: end(ofDayFrom: begins, zone, hour),
                        secret: randomBytes(DayKey.secretBytes)))
            }
            due[site] = DayKeys(keys)
        }
        let isSame = due.count == known.count && due.allSatisfy { known[$0.key] == $0.value }
        return isSame ? nil : due
    }

    /// The last beginning of a day at or before this time.
    static func begin(of moment: Timestamp, _ zone: TimeZone, _ hour: Int) -> Timestamp {
        var begin = moment.advanced(byMicroseconds: -2 * DayKey.keptMicroseconds)
        while true {
            let next = self.next(after: begin, zone, hour)
            if next > moment { return begin }
            begin = next
        }
    }

    static func end(ofDayFrom begins: Timestamp, _ zone: TimeZone, _ hour: Int) -> Timestamp {
        // A site may have moved to another zone since the day before.
        next(after: begins.advanced(byMicroseconds: shortestDayMicroseconds - 1), zone, hour)
    }

    private static func next(after moment: Timestamp, _ zone: TimeZone, _ hour: Int) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(moment.microseconds) / 1_000_000)
        let found = calendar.nextDate(
            after: date, matching: DateComponents(hour: hour, minute: 0, second: 0),
            matchingPolicy: .nextTime)
        guard let found else {
            return moment.advanced(byMicroseconds: DayKey.keptMicroseconds)
        }
        return Timestamp(microseconds: Int64((found.timeIntervalSince1970).rounded()) * 1_000_000)
    }

    private static func clock(
        _ connection: isolated PostgresConnection
    ) throws -> Timestamp {
        Timestamp(microseconds: try connection.query("SELECT clock_timestamp() AS now")[0]["now"])
    }

    private static func read(
        _ connection: isolated PostgresConnection
    ) throws -> [SiteID: DayKeys] {
        var keys: [SiteID: [DayKey]] = [:]
        for row in try connection.query(
            "SELECT site, begins, ends, secret FROM site_editor.day_keys")
        {
            keys[SiteID(try row["site"]), default: []].append(
                DayKey(
                    begins: Timestamp(microseconds: try row["begins"]),
                    ends: Timestamp(microseconds: try row["ends"]), secret: try row["secret"]))
        }
        return keys.mapValues { DayKeys($0) }
    }

    /// Writes all keys into a new file of the table. The one before is removed at the commit.
    private static func write(
        _ keys: [SiteID: DayKeys], _ connection: isolated PostgresConnection
    ) throws {
        try connection.query("TRUNCATE site_editor.day_keys")
        for (site, keys) in keys.sorted(by: { $0.key < $1.key }) {
            for key in keys.keys {
                try connection.query(
                    "INSERT INTO site_editor.day_keys VALUES ($1, $2, $3, $4)",
                    [
                        .text(site.text), .timestamp(microseconds: key.begins.microseconds),
                        .timestamp(microseconds: key.ends.microseconds), .bytes(key.secret),
                    ])
            }
        }
    }
}
