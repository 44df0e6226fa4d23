import EventLog
import Events
import Foundation
import Locator
import LogViews
import Postgres
import TestSupport
import Wire

/// Measures the table of positions with a day of them, or with the first `--rows`. It shows the
/// rows that the projector writes in a second, the bytes of a row, and the times of questions. The
/// peer is COPY of the same rows into an empty copy of the table. Both use one PostgreSQL, with
/// fsync.
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
        noteLogBytes()
        let (rest, seconds) = try await writer.write(day, rows: Self.rowsOfPair)
        note(
            String(
                format: "into the empty table: %.0f rows a second",
                Double(Self.rowsOfPair) / seconds))
        let filling = max(0, options.rows - (options.pairs + 1) * Self.rowsOfPair)
        var (end, copying) = try await writer.copy(rest, rows: filling)
        note(
            String(
                format: "by COPY, with counts by room and hour: %.0f rows a second",
                Double(filling) / copying))
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
        try await PositionQuestions(database).ask()
        try await PositionDownloads(database, directory).run()
        comparison.report()
    }

    /// The bytes of a position and of its scan on the log, without those of the log itself.
    private func noteLogBytes() {
        var day = PositionDay(seed: 14)
        var samples = ScanSamples(seed: 14)
        let count = 1_000
        let positions = day.positions(count).reduce(0) {
            $0 + $1.record(source: "/locator").byteCount
        }
        let scans = (0..<count).reduce(0) { sum, number in
            let id = EventID(at: .now)
            let scan = samples.scan(device: number, id: id, at: .now)
                .recorded(id: id, site: ScanSamples.site, device: PositionDay.device(number))
            return sum + scan.record(source: "/scan-ingest").byteCount
        }
        note("on the log: \(positions / count) bytes a position, \(scans / count) bytes a scan")
    }
}
