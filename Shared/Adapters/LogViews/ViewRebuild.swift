public import EventLog
public import Postgres

/// Makes a view anew from what the log still holds: into a shadow schema, which takes the place of
/// the served one in one transaction. A projector that runs meanwhile finds its position moved, and
/// goes on from where the rebuilt view stands.
public struct ViewRebuild: Sendable {
    private let view: any View
    private let log: any EventLog
    private let pool: PostgresPool
    private let deadLetters: DeadLetters
    private let batchLimit: Int

    private var shadow: String { "\(view.schema)_rebuild" }

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
        try await drop(shadow)
        try await pool.migrate(view, schema: shadow)
        let ranges = try await log.ranges(of: view.topics)
        let shadow = shadow
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
        try await swap()
        return count
    }

    private func swap() async throws {
        let (served, shadow, old) = (view.schema, shadow, "\(view.schema)_old")
        try await drop(old)
        try await pool.withTransaction { connection in
            let rows = try connection.query(
                "SELECT to_regnamespace($1) IS NOT NULL AS there", [.text(served)])
            if let row = rows.first, try row["there"] {
                try connection.execute(script: "ALTER SCHEMA \(served) RENAME TO \(old)")
            }
            try connection.execute(script: "ALTER SCHEMA \(shadow) RENAME TO \(served)")
            try connection.query(
                "DELETE FROM public.migrations WHERE schema_name = $1", [.text(served)])
            try connection.query(
                "UPDATE public.migrations SET schema_name = $1 WHERE schema_name = $2",
                [.text(served), .text(shadow)])
            try connection.execute(script: "DROP SCHEMA IF EXISTS \(old) CASCADE")
        }
    }

    private func drop(_ schema: String) async throws {
        try await pool.withTransaction { connection in
            let rows = try connection.query(
                "SELECT to_regclass('public.migrations') IS NOT NULL AS there")
            if let row = rows.first, try row["there"] {
                try connection.query(
                    "DELETE FROM public.migrations WHERE schema_name = $1", [.text(schema)])
            }
            try connection.execute(script: "DROP SCHEMA IF EXISTS \(schema) CASCADE")
        }
    }
}
