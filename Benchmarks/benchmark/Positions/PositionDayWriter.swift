import EventLog
import Events
import Locator
import LogViews
import Postgres

/// Writes a day's positions: as the projector does, in its batches, or their rows alone.
struct PositionDayWriter {
    private static let batch = 2_000
    /// Batches that are made while those before are written.
    private static let ahead = 10
    private static let reported = 1_000_000

    let view: any View
    let pool: PostgresPool

    func prepare() async throws { try await pool.migrate(view, schema: view.schema) }

    /// Writes the next records as the projector does; the seconds are those of the transactions
    /// alone.
    func write(_ day: PositionDay, rows: Int) async throws -> (rest: PositionDay, seconds: Double) {
        try await run(day, rows: rows) {
            $0.records($1)
        } write: { records in
            let faults = try await pool.withTransaction(waitingForDisk: false) { connection in
                try await view.apply(records, schema: view.schema, connection: connection)
            }
            view.ended(schema: view.schema, committed: true)
            guard faults.isEmpty else { throw BenchmarkFault("a position was set aside") }
        }
    }

    /// Writes the next rows by COPY, without the latest positions.
    func copy(_ day: PositionDay, rows: Int) async throws -> (rest: PositionDay, seconds: Double) {
        try await run(day, rows: rows) {
            $0.positions($1)
        } write: { positions in
            try await LocatorDefinition.copyPositions(positions, into: view, pool)
        }
    }

    private func run<Item: Sendable>(
        _ day: PositionDay, rows: Int,
        making: @escaping @Sendable (inout PositionDay, Int) -> [Item],
        write: ([Item]) async throws -> Void
    ) async throws -> (rest: PositionDay, seconds: Double) {
        var written = 0
        var spent = Duration.zero
        var made = await Self.made(day, rows: rows, making)
        while !made.batches.isEmpty {
            let (batches, end) = made
            let left = rows - written - batches.reduce(0) { $0 + $1.count }
            async let next = Self.made(end, rows: left, making)
            for batch in batches {
                let start = ContinuousClock.now
                try await write(batch)
                spent += ContinuousClock.now - start
                written += batch.count
                if written.isMultiple(of: Self.reported) { note("\(written) rows of \(rows)") }
            }
            made = await next
        }
        return (made.rest, spent / .seconds(1))
    }

    private static func made<Item: Sendable>(
        _ day: PositionDay, rows: Int,
        _ making: @Sendable (inout PositionDay, Int) -> [Item]
    ) async -> (batches: [[Item]], rest: PositionDay) {
        var day = day
        var batches: [[Item]] = []
        var left = rows
        while left > 0, batches.count < ahead {
            batches.append(making(&day, min(left, batch)))
            left -= batches[batches.count - 1].count
        }
        return (batches, day)
    }
}
