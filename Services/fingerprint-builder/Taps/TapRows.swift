import EventLog
import Events
import LogViews
import Postgres
import Wire

/// The table `fingerprint_builder.taps`, which `SurveysView` writes beside surveys. The erasures of
/// that view remove a device's taps, in whichever order the two come.
struct TapRows {
    private var taps: [(tap: TapRecorded, record: StoredRecord)] = []

    static func migration(schema: String) -> Migrator.Step {
        Migrator.Step(
            "taps",
            """
            CREATE TABLE \(schema).taps (
                id uuid PRIMARY KEY,
                site text NOT NULL,
                device text NOT NULL,
                at timestamptz NOT NULL,
                received_at timestamptz NOT NULL,
                appended_at timestamptz NOT NULL,
                event bytea NOT NULL);
            CREATE INDEX ON \(schema).taps (site, id);
            CREATE INDEX ON \(schema).taps (site, device);
            CREATE INDEX ON \(schema).taps (appended_at)
            """)
    }

    /// Collects the record if it belongs to the topic; throws where it does and can't be read.
    mutating func collect(_ record: StoredRecord) throws(WireFault) -> Bool {
        guard record.topic == Topic.taps.name else { return false }
        // The topic of erasures has them, too.
        if !DeviceErased.isIn(record) {
            taps.append((try TapRecorded(record: record), record))
        }
        return true
    }

    func write(_ schema: String, _ connection: isolated PostgresConnection) throws {
        guard !taps.isEmpty else { return }
        let scans = taps.map(\.tap.scan)
        try connection.query(
            """
            INSERT INTO \(schema).taps (id, site, device, at, received_at, appended_at, event)
            SELECT id::uuid, site, device, at, received_at, appended_at, event
            FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[],
                $5::timestamptz[], $6::timestamptz[], $7::bytea[])
                AS new (id, site, device, at, received_at, appended_at, event)
            WHERE NOT EXISTS (SELECT FROM \(schema).erasures AS erased
                WHERE \(SurveyTimes.isErased("new", by: "erased")))
            ON CONFLICT (id) DO NOTHING
            """,
            [
                .textArray(scans.map(\.id.description)), .textArray(scans.map(\.site.text)),
                .textArray(scans.map(\.device.text)),
                .timestampArray(microseconds: scans.map(\.correctedAt.microseconds)),
                .timestampArray(microseconds: scans.map(\.receivedAt.microseconds)),
                .timestampArray(microseconds: taps.map(\.record.appendedAtMicroseconds)),
                .bytesArray(taps.map { $0.record.value ?? [] }),
            ])
    }

    /// Removes the taps of devices that were erased.
    static func removeErased(
        _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            DELETE FROM \(schema).taps AS theirs USING \(schema).erasures AS erased
            WHERE \(SurveyTimes.isErased("theirs", by: "erased"))
            """)
    }
}
