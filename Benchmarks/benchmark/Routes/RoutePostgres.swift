import Foundation
import Postgres
import TestSupport
import Wayfinding

/// pgRouting's pgr_dijkstra on a PostgreSQL server of its own, if pgRouting is installed. It reads
/// all arcs for each query.
struct RoutePostgres {
    private let connection: PostgresConnection
    private let server: PrivatePostgres

    /// Nil, after a note, if pgRouting is not installed.
    init?(_ pedestrian: PedestrianGraph, in directory: URL) async throws {
        server = try PrivatePostgres(settings: ["shared_buffers=256MB"])
        connection = PostgresConnection(try await server.makeDatabase())
        do {
            try await connection.execute(script: "CREATE EXTENSION pgrouting CASCADE")
        } catch {
            note("pgr_dijkstra: left out, since postgresql-15-pgrouting is not installed")
            server.stop()
            return nil
        }
        let rows = zip(pedestrian.graph.arcs, pedestrian.metric.costs).enumerated().map {
            "\($0)\t\($1.0.tail.value)\t\($1.0.head.value)\t\($1.1.value)\n"
        }
        // PostgreSQL reads the folder, and runs as another account.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: directory.path)
        let file = directory.appending(path: "arcs.tsv")
        try Data(rows.joined().utf8).write(to: file)
        try await connection.execute(
            script: """
                CREATE TABLE arcs (id bigint, source bigint, target bigint, cost float8);
                COPY arcs FROM '\(file.path)';
                ANALYZE arcs
                """)
    }

    /// The milliseconds of each query, ascending, and the sum of the costs.
    func answer(
        _ queries: ArraySlice<(start: NodeIndex, end: NodeIndex)>
    ) async throws -> (milliseconds: [Double], costSum: UInt64) {
        var milliseconds: [Double] = []
        var sum = 0.0
        for (start, end) in queries {
            let began = ContinuousClock.now
            let rows = try await connection.query(
                """
                SELECT coalesce(max(agg_cost), 0) AS cost FROM pgr_dijkstra(
                    'SELECT id, source, target, cost FROM arcs', \(start.value), \(end.value))
                """)
            milliseconds.append((ContinuousClock.now - began) / .milliseconds(1))
            sum += try rows[0]["cost"] as Double
        }
        return (milliseconds.sorted(), UInt64(sum))
    }

    func stop() { server.stop() }
}
