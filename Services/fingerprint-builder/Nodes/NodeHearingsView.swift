import EventLog
import Events
import LogViews
import Postgres
import RadioMapCare
import ServiceHost
import Site
import Wire

/// The table `node_hearings.hours`: how often each node heard each placed node and beacon, by the
/// hour. Scans of all other devices are passed over by their key alone.
///
/// A scan is counted by the site's scanners and beacons at that time, so a rebuild may count other
/// ones.
struct NodeHearingsView: View {
    let name = "node-hearings"
    let schema = "node_hearings"
    let topics = [Topic.scans.name]
    let sites: SiteDirectory

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step(
                "hours",
                """
                CREATE TABLE \(schema).hours (
                    site text NOT NULL,
                    source text NOT NULL,
                    -- Empty for the count of windows in which several nodes heard the source.
                    node text NOT NULL,
                    hour bigint NOT NULL,
                    windows bigint NOT NULL,
                    readings bigint NOT NULL,
                    -- The sum of the readings, in dBm.
                    total bigint NOT NULL,
                    PRIMARY KEY (site, source, node, hour));
                CREATE INDEX ON \(schema).hours (hour)
                """),
            // The windows in which the node alone heard the source.
            Migrator.Step(
                "lone",
                "ALTER TABLE \(schema).hours ADD COLUMN lone bigint NOT NULL DEFAULT 0"),
        ]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        // Without the sites nothing would count. They are read within a moment of the start.
        while !sites.isReady { try await Task.sleep(for: .milliseconds(20)) }
        var references: [SiteID: NodeTally.References] = [:]
        var tallies: [SiteID: NodeTally] = [:]
        for record in records {
            guard let key = record.key.flatMap(DeviceKey.init(recordKey:)),
                let published = sites[whole: key.site]
            else { continue }
            let known =
                references[key.site] ?? NodeTally.References(published.index.document)
            references[key.site] = known
            // A record that can't be read is the locator's to set aside.
            guard known.concern(key.device), let scan = try? ScanRecorded(record: record) else {
                continue
            }
            tallies[key.site, default: NodeTally()].add(scan, known)
        }
        for (site, tally) in tallies.sorted(by: { $0.key < $1.key }) {
            try write(tally, of: site, schema, connection)
        }
        return []
    }

    private func write(
        _ tally: NodeTally, of site: SiteID, _ schema: String,
        _ connection: isolated PostgresConnection
    ) throws {
        // One order for all writers, so that two can't deadlock.
        let rows = tally.counts.map { key, count in
            (source: key.source.text, node: key.node?.text ?? "", hour: key.hour, count: count)
        }.sorted { ($0.source, $0.node, $0.hour) < ($1.source, $1.node, $1.hour) }
        try connection.query(
            """
            INSERT INTO \(schema).hours AS known
                (site, source, node, hour, windows, readings, total, lone)
            SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[],
                $6::bigint[], $7::bigint[], $8::bigint[])
            ON CONFLICT (site, source, node, hour) DO UPDATE SET
                windows = known.windows + excluded.windows,
                readings = known.readings + excluded.readings,
                total = known.total + excluded.total,
                lone = known.lone + excluded.lone
            """,
            [
                .text(site.text), .textArray(rows.map(\.source)), .textArray(rows.map(\.node)),
                .int64Array(rows.map { Int64($0.hour) }),
                .int64Array(rows.map { Int64($0.count.windows) }),
                .int64Array(rows.map { Int64($0.count.readings) }),
                .int64Array(rows.map { Int64($0.count.total) }),
                .int64Array(rows.map { Int64($0.count.lone) }),
            ])
    }
}
