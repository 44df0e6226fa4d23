import EventLog
import Foundation
import Locator
import LogViews
import Postgres
import TestSupport

/// Measures the table of positions with a day of them, or with the first `--rows`: what the
/// projector writes in a second, the bytes of a row, and how long questions take. The peer is COPY
/// of the same rows into an empty copy of the table. Both use one PostgreSQL, with fsync.
struct PositionsBenchmark {
    private static let batch = 2_000
    private static let batchesOfPair = 50
    private static let rowsOfPair = batch * batchesOfPair

    let options: BenchmarkOptions

    func run() async throws {
        let directory = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        // PostgreSQL writes the peer's files, and runs as another account.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: directory.path)
        let server = try PrivatePostgres(
            settings: ["max_wal_size=4GB", "shared_buffers=1GB", "work_mem=64MB"])
        defer { server.stop() }
        let database = try await server.makeDatabase()
        let writer = PositionDayWriter(
            view: LocatorDefinition.positionsView(daysKept: 30), pool: PostgresPool(database))
        try await writer.prepare()
        let day = PositionDay(seed: 14)
        let (rest, seconds) = try await writer.write(day, rows: Self.rowsOfPair)
        note(
            String(
                format: "into the empty table: %.0f rows a second",
                Double(Self.rowsOfPair) / seconds))
        let filling = max(0, options.rows - (options.pairs + 1) * Self.rowsOfPair)
        var (end, _) = try await writer.write(rest, rows: filling)
        var table = try await PositionTable(database)
        try await table.preparePeer(rows: Self.rowsOfPair, in: directory)
        var comparison = Comparison(
            "positions", unit: "rows per second", peerName: "COPY into the same table")
        for _ in 0..<options.pairs {
            let ours = try await writer.write(end, rows: Self.rowsOfPair)
            end = ours.rest
            comparison.add(
                ours: Double(Self.rowsOfPair) / ours.seconds,
                peer: Double(Self.rowsOfPair) / (try await table.copyPeer()))
        }
        try await table.dropPeer()
        try await table.reportSizes()
        comparison.report()
    }
}

/// Writes a day's positions as the projector does, in its batches.
struct PositionDayWriter {
    private static let batch = 2_000
    /// Batches that are made while those before are written.
    private static let ahead = 10
    private static let reported = 1_000_000

    let view: any View
    let pool: PostgresPool

    func prepare() async throws { try await pool.migrate(view, schema: view.schema) }

    /// Writes the next rows; the seconds are those of the transactions alone.
    func write(_ day: PositionDay, rows: Int) async throws -> (rest: PositionDay, seconds: Double) {
        var written = 0
        var spent = Duration.zero
        var made = Self.made(day, rows: rows)
        while !made.batches.isEmpty {
            let batches = made.batches
            let left = rows - written - batches.reduce(0) { $0 + $1.count }
            let end = made.rest
            async let next = Self.making(end, rows: left)
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

    private func write(_ records: [StoredRecord]) async throws {
        let faults = try await pool.withTransaction(waitingForDisk: false) { connection in
            try await view.apply(records, schema: view.schema, connection: connection)
        }
        view.ended(schema: view.schema, committed: true)
        guard faults.isEmpty else { throw BenchmarkFault("a position was set aside") }
    }

    private static func making(
        _ day: PositionDay, rows: Int
    ) async -> (batches: [[StoredRecord]], rest: PositionDay) { made(day, rows: rows) }

    private static func made(
        _ day: PositionDay, rows: Int
    ) -> (batches: [[StoredRecord]], rest: PositionDay) {
        var day = day
        var batches: [[StoredRecord]] = []
        var left = rows
        while left > 0, batches.count < ahead {
            batches.append(day.records(min(left, batch)))
            left -= batches[batches.count - 1].count
        }
        return (batches, day)
    }
}
