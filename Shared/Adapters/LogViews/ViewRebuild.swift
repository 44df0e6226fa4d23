public import EventLog
public import Postgres

/// Makes a view anew from what the log still holds: into a shadow schema, whose tables take the
/// place of the served ones in one transaction. The shadow stays, empty, since a service's role may
/// make no schemas. A projector that runs meanwhile finds its position moved, and goes on from
/// where the rebuilt view stands.
public struct ViewRebuild: Sendable {
    /// How often the tables are tried to be swapped in, each time for as long as a statement may
    /// take.
    private static let swapAttempts = 20
    private static let swapPause = Duration.seconds(1)

    private let view: any View
    private let log: any EventLog
    private let pool: PostgresPool
    private let deadLetters: DeadLetters
    private let batchLimit: Int

    private var shadow: String { Self.shadow(of: view.schema) }

    /// Where the view of a schema is made anew; its owner must own this one too.
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

    /// Records that there are to read, gaps counted too.
    public func recordsAhead() async throws -> Int {
        try await log.ranges(of: view.topics).values.reduce(0) {
            $0 + Int($1.upperBound - $1.lowerBound)
        }
    }

    /// Rebuilds and swaps in; gives the number of records that were applied.
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
                // They were set aside when the view was first made, or are now.
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

    /// A projector or a reader may be in the way, and the server may end either; the work of hours
    /// does not go with it.
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
            // It was done where the connection was lost with the answer.
            guard
                try !connection.query(
                    "SELECT FROM public.migrations WHERE schema_name = $1", [.text(shadow)]
                ).isEmpty
            else { return }
            // First, as a migration does that may be under way.
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

    /// Drops what a rebuild has left that did not end.
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
