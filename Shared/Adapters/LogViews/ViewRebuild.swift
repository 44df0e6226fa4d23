public import EventLog
public import Postgres

/// Rebuilds a view from the records that the log still holds. It fills a shadow schema, whose
/// tables replace the served ones in one transaction. The empty shadow stays, since a service's
/// role may create no schemas. A running projector finds its position moved and goes on from the
/// rebuilt view's position.
public struct ViewRebuild: Sendable {
    /// The number of attempts to swap the tables in. Each lasts at most as long as a statement may
    /// take.
    private static let swapAttempts = 20
    private static let swapPause = Duration.seconds(1)

    private let view: any View
    private let log: any EventLog
    private let pool: PostgresPool
    private let deadLetters: DeadLetters
    private let batchLimit: Int

    private var shadow: String { Self.shadow(of: view.schema) }

    /// The shadow schema for a rebuild of this schema. Both must have the same owner.
    public static func shadow(of schema: String) -> String { "\(schema)_rebuild" }

    public init(
        _ view: any View, log: any EventLog, pool: PostgresPool, deadLetters: DeadLetters,
        batchLimit: Int = 2_000
    ) {
        self.view = view
        self.log = log
        self.pool = pool
        self.deadLetters = deadLetters
        self.batchLimit = batchLimit
    }

    /// The number of records to be read, gaps included.
    public func recordsAhead() async throws -> Int {
        try await log.ranges(of: view.topics).values.reduce(0) {
            $0 + Int($1.upperBound - $1.lowerBound)
        }
    }

    /// Rebuilds the view and swaps it in. Returns the number of records that were applied.
    public func run(onProgress: (_ records: Int) -> Void = { _ in }) async throws -> Int {
        let shadow = shadow
        try await empty(shadow)
        try await pool.migrate(view, schema: shadow)
        let ranges = try await log.ranges(of: view.topics)
        try await pool.withTransaction { connection in
            try ViewPositions.begin(
                ranges.mapValues(\.lowerBound), schema: shadow, connection: connection)
        }
        var positions = ranges.mapValues(\.lowerBound)
        var count = 0
        var shares: [TopicPartition: SetAsideShare] = [:]
        let writer = ViewWriter(view: view, schema: shadow, log: log, deadLetters: deadLetters)
        try await log.readRange(ranges, batchLimit: batchLimit) { records in
            var next: [TopicPartition: Int64] = [:]
            for record in records { next[record.topicPartition] = record.offset + 1 }
            let moves = next.map { (partition: $0.key, from: positions[$0.key] ?? 0, to: $0.value) }
            shares = try await writer.inTransaction(pool) {
                [before = shares] connection, isSearching in
                let faults = try await writer.write(
                    records, isSearching: isSearching, connection: connection)
                var shares = before
                try shares.note(records, faults, sender: writer.deadLetters.sender)
                // Some were already set aside when the view was first built.
                try await writer.setAside(faults, connection: connection)
                guard
                    try ViewPositions.advance(moves, schema: shadow, connection: connection)
                else { throw PositionMoved() }
                return shares
            }
            for (partition, offset) in next { positions[partition] = offset }
            count += records.count
            onProgress(records.count)
        }
        try await swapInTurn()
        return count
    }

    /// Swaps the tables, with several attempts. A projector or a reader may be in the way, and the
    /// server may end either transaction. Hours of work must not be lost by that.
    private func swapInTurn() async throws {
        var left = Self.swapAttempts
        while true {
            left -= 1
            do { return try await swap() } catch let error as PostgresError
                where error.isRetriable && left > 0
            {
                try await Task.sleep(for: Self.swapPause)
            }
        }
    }

    private func swap() async throws {
        let (served, shadow) = (view.schema, shadow)
        try await pool.withTransaction { connection in
            // The swap is already done if the connection broke after its commit.
            guard
                try !connection.query(
                    "SELECT FROM public.migrations WHERE schema_name = $1", [.text(shadow)]
                ).isEmpty
            else { return }
            // Locks this table first, in the same order as a migration that may be running.
            try connection.query(
                "DELETE FROM public.migrations WHERE schema_name = $1", [.text(served)])
            try connection.query(
                "UPDATE public.migrations SET schema_name = $1 WHERE schema_name = $2",
                [.text(served), .text(shadow)])
            try connection.execute(script: Migrator.Step.schema(served).sql)
            try SchemaContents(of: served).lock(connection)
            try SchemaContents(of: served).drop(connection)
            try SchemaContents(of: shadow).move(to: served, connection)
            try SchemaContents(of: served).handOver(connection)
        }
    }

    /// Drops the remains of an earlier rebuild that did not finish.
    private func empty(_ schema: String) async throws {
        try await pool.withTransaction { connection in
            let rows = try connection.query(
                "SELECT to_regclass('public.migrations') IS NOT NULL AS there")
            if let row = rows.first, try row["there"] {
                try connection.query(
                    "DELETE FROM public.migrations WHERE schema_name = $1", [.text(schema)])
            }
            try SchemaContents(of: schema).drop(connection)
        }
    }
}
