import Events
import LogViews
import Postgres

/// The table `erasures` of a view: which devices it has erased. It shows who asks that the rows are
/// gone, and the log which records of the device may go.
enum Erasures {
    static func table(schema: String) -> String {
        """
        CREATE TABLE \(schema).erasures (
            id uuid PRIMARY KEY,
            site text NOT NULL,
            device text NOT NULL,
            erased_until timestamptz NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            -- When the log's own records of the device were removed, where its engine can.
            log_erased_at timestamptz)
        """
    }

    /// Two more columns for `ErasingLog`. Erasures of before are not looked at again.
    static func turns(schema: String) -> Migrator.Step {
        Migrator.Step(
            "erasure-turns",
            """
            ALTER TABLE \(schema).erasures
                -- Whether the view had any row of the device.
                ADD COLUMN had_rows boolean NOT NULL DEFAULT true,
                -- When the log was searched once more for records that came behind the erasure.
                ADD COLUMN log_swept_at timestamptz;
            UPDATE \(schema).erasures SET log_swept_at = log_erased_at
            """)
    }

    /// Forgets erasures that are older than everything that they could erase.
    ///
    /// Kafka keeps records for some days longer than their retention. So a view that is rebuilt may
    /// note an erasure that the other view has forgotten. `ErasingLog` waits for both views, and
    /// would never do it.
    ///
    /// - Parameter schemas: those of the two views.
    static func forget(
        before moment: Timestamp, schemas: (String, String), _ pool: PostgresPool
    ) async throws {
        for (schema, other) in [schemas, (schemas.1, schemas.0)] {
            try await forget(before: moment, of: schema, unlessIn: other, pool)
        }
    }

    /// The same for one view. An erasure stays while the other view has it and the log does not.
    static func forget(
        before moment: Timestamp, of schema: String, unlessIn other: String, _ pool: PostgresPool
    ) async throws {
        do {
            try await pool.query(
                """
                DELETE FROM \(schema).erasures AS own
                WHERE erased_until < $1 AND (log_erased_at IS NOT NULL OR NOT EXISTS (
                    SELECT FROM \(other).erasures AS others WHERE others.id = own.id))
                """, [.timestamp(microseconds: moment.microseconds)])
        } catch let error as PostgresError where error.isUndefinedTable {
            // The view has not made its tables yet.
        }
    }

    /// Deletes the device's rows, and notes the erasure in the same transaction. Everything that
    /// the view has of the device comes from before.
    ///
    /// - Parameter hadRows: whether the caller has deleted rows itself, or left some of the batch
    ///   out.
    static func note(
        _ erased: DeviceErased, deletingFrom tables: [String], hadRows: Bool, schema: String,
        connection: isolated PostgresConnection
    ) throws {
        var hadRows = hadRows
        for table in tables {
            let gone = try connection.query(
                "DELETE FROM \(schema).\(table) WHERE site = $1 AND device = $2",
                [.text(erased.site.text), .text(erased.device.text)])
            if gone.affected > 0 { hadRows = true }
        }
        try connection.query(
            """
            INSERT INTO \(schema).erasures (id, site, device, erased_until, had_rows)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING
            """,
            [
                .uuid(erased.id.bytes), .text(erased.site.text), .text(erased.device.text),
                .timestamp(microseconds: erased.at.microseconds), .bool(hadRows),
            ])
    }
}
