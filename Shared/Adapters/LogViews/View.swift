public import EventLog
public import Postgres

/// Tables that are made only from topics.
public protocol View: Sendable {
    /// The view's name, also the name of its consumer group and its migrations.
    var name: String { get }
    /// The PostgreSQL schema with the tables that the services read.
    var schema: String { get }
    var topics: [String] { get }

    /// The statements that create the tables, in order. A rebuild passes a shadow schema.
    func migrations(schema: String) -> [Migrator.Step]

    /// Writes the records' content, inside the projector's transaction. Returns the records to be
    /// set aside, because they can never be read.
    ///
    /// Records come in order within each partition, in batches of any size, and the rows must not
    /// depend on the size. A record that was set aside may come later than its place in the log. It
    /// must not overwrite newer content then.
    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside]

    /// Called after the transaction in which `apply` wrote: whether it was committed. Without a
    /// call, or when the outcome is unknown, the view can't rely on what it has written.
    func ended(schema: String, committed: Bool)
}

extension View {
    public func ended(schema: String, committed: Bool) {}

    /// All steps that make the view's tables.
    public func migrator(schema: String) -> Migrator {
        Migrator(
            schema: schema,
            steps: [.schema(schema), ViewPositions.migration(schema: schema)]
                + migrations(schema: schema))
    }
}

/// The view's position in each partition: the next offset to be applied.
enum ViewPositions {
    static func migration(schema: String) -> Migrator.Step {
        Migrator.Step(
            "view-positions",
            """
            CREATE TABLE \(schema).view_positions (
                topic text NOT NULL,
                partition integer NOT NULL,
                next_offset bigint NOT NULL,
                PRIMARY KEY (topic, partition))
            """)
    }

    /// The positions of the partitions. Partitions that the view has never read are missing.
    static func read(
        _ partitions: [TopicPartition], schema: String, connection: isolated PostgresConnection
    ) throws -> [TopicPartition: Int64] {
        let rows = try connection.query(
            """
            SELECT topic, partition, next_offset FROM \(schema).view_positions
            WHERE (topic, partition) IN (SELECT * FROM unnest($1::text[], $2::int[]))
            """,
            [
                .textArray(partitions.map(\.topic)),
                .int32Array(partitions.map { Int32($0.partition) }),
            ])
        return try positions(rows)
    }

    static func readAll(
        schema: String, connection: isolated PostgresConnection
    ) throws -> [TopicPartition: Int64] {
        try positions(
            connection.query("SELECT topic, partition, next_offset FROM \(schema).view_positions"))
    }

    private static func positions(_ rows: PostgresRows) throws -> [TopicPartition: Int64] {
        var positions: [TopicPartition: Int64] = [:]
        for row in rows {
            let topic: String = try row["topic"]
            let partition: Int = try row["partition"]
            positions[TopicPartition(topic, partition)] = try row["next_offset"]
        }
        return positions
    }

    static func begin(
        _ starts: [TopicPartition: Int64], schema: String, connection: isolated PostgresConnection
    ) throws {
        let partitions = starts.keys.sorted()
        _ = try connection.query(
            """
            INSERT INTO \(schema).view_positions (topic, partition, next_offset)
            SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[]) ON CONFLICT DO NOTHING
            """,
            [
                .textArray(partitions.map(\.topic)),
                .int32Array(partitions.map { Int32($0.partition) }),
                .int64Array(partitions.map { starts[$0] ?? 0 }),
            ])
    }

    /// Advances every partition from its expected position. Returns false when a position differs,
    /// because another projector has taken over.
    static func advance(
        _ moves: [(partition: TopicPartition, from: Int64, to: Int64)], schema: String,
        connection: isolated PostgresConnection
    ) throws -> Bool {
        let moves = moves.sorted { $0.partition < $1.partition }
        let rows = try connection.query(
            """
            UPDATE \(schema).view_positions AS position SET next_offset = move.next
            FROM unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[])
                AS move (topic, partition, expected, next)
            WHERE position.topic = move.topic AND position.partition = move.partition
                AND position.next_offset = move.expected
            """,
            [
                .textArray(moves.map(\.partition.topic)),
                .int32Array(moves.map { Int32($0.partition.partition) }),
                .int64Array(moves.map(\.from)), .int64Array(moves.map(\.to)),
            ])
        return rows.affected == moves.count
    }
}
