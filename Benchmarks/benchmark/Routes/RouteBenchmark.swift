import Foundation
import Geometry
import PublicData
import SeededRandomness
import Wayfinding

/// Measures routes with their arcs between random nodes of the streets of Columbus, one after the
/// other on one core. The peer is RoutingKit's customisable contraction hierarchy (pyroutingkit).
///
/// Processor time is measured, so that other work on the machine changes the figures less.
struct RouteBenchmark {
    private static let queries = 5_000
    /// The queries for the two peers without preparation: few, because they are slow. Their figures
    /// are printed, not compared.
    private static let scipyQueries = 20
    private static let postgresQueries = 5
    private static let changes = 2_000
    /// The number of queries whose costs are compared with Dijkstra's algorithm.
    private static let checked = 50

    let options: BenchmarkOptions

    func run() async throws {
        guard let path = options.path ?? SharedData.path("osm/columbus.osm.gz") else {
            note("route needs an OpenStreetMap file: benchmark route PATH")
            return
        }
        let processor = ProcessInfo.processInfo.processorCount - 1
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "whereabouts-route-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try PinnedProgram.stay(on: processor, in: directory)
        let pedestrian = try PedestrianGraph(path: path)
        let queries = self.queries(in: pedestrian.graph)
        try RoutePeer.write(pedestrian, queries, to: directory)
        note("\(pedestrian.graph.nodeCount) nodes, \(pedestrian.graph.arcs.count) arcs")
        let prepared = try RoutePreparation(pedestrian, changes: Self.changes)
        try check(prepared.metric, queries.prefix(Self.checked))

        var comparison = Comparison(
            "route", unit: "routes per second of processor time",
            peerName: "RoutingKit's CCH (pyroutingkit 0.2.1)")
        for _ in 0..<options.pairs {
            let ours = RouteRun(prepared.metric, queries)
            let peer = try RoutePeer.answer(
                "pyroutingkit", queries: queries.count, processor: processor, in: directory)
            guard ours.costSum == peer.costSum else {
                throw BenchmarkFault("costs differ: \(ours.costSum), the peer's \(peer.costSum)")
            }
            comparison.add(ours: ours.queriesPerSecond, peer: peer.queriesPerSecond)
            if comparison.isFirst { describe(prepared, ours, peer) }
        }
        try await noteOthers(pedestrian, queries, processor, directory)
        note("ratio: how many routes we find while the peer finds one")
        comparison.report()
    }

    private func queries(in graph: RouteGraph) -> [(start: NodeIndex, end: NodeIndex)] {
        var random = SeededRandom(seed: 11)
        return (0..<Self.queries).map { _ in
            (
                NodeIndex(Int.random(in: 0..<graph.nodeCount, using: &random)),
                NodeIndex(Int.random(in: 0..<graph.nodeCount, using: &random))
            )
        }
    }

    /// Checks that costs equal those of Dijkstra's algorithm, and the sums of the routes' arcs.
    private func check(
        _ metric: CustomisedMetric, _ queries: ArraySlice<(start: NodeIndex, end: NodeIndex)>
    ) throws {
        let dijkstra = Dijkstra(metric.hierarchy.graph, metric.metric)
        var search = RouteSearch()
        for (start, end) in queries {
            let cost = search.find(from: start, to: end, over: metric)
            let sum = search.arcs.reduce(Cost.free) { $0 + metric.metric[$1] }
            guard cost == dijkstra.route(from: start, to: end)?.cost, cost == nil || cost == sum
            else { throw BenchmarkFault("from \(start) to \(end): not Dijkstra's cost") }
        }
    }

    private func describe(_ prepared: RoutePreparation, _ ours: RouteRun, _ peer: RoutePeer) {
        let most = prepared.changeMilliseconds
        note(
            String(
                format: "ours: build %.2f s, customise %.2f ms, change one arc %.4f ms median, "
                    + "%.4f p99, %.4f most; route %.1f us median, %.1f p99; %.0f arcs a route",
                prepared.buildSeconds, prepared.customiseMilliseconds, most.share(0.5),
                most.share(0.99), most.share(1), ours.microseconds.share(0.5),
                ours.microseconds.share(0.99), ours.arcsPerRoute))
        note(prepared.sizes)
        note(
            String(
                format: "RoutingKit: build %.2f s, customise %.2f ms, change one arc %.4f ms "
                    + "median; route %.1f us median, %.1f p99",
                peer.buildSeconds ?? .nan, peer.customiseMilliseconds ?? .nan,
                peer.changeMilliseconds ?? .nan, peer.medianMicroseconds,
                peer.worstPercentMicroseconds))
    }

    /// Prints the figures of two slower peers, scipy and pgRouting, for orientation.
    private func noteOthers(
        _ pedestrian: PedestrianGraph, _ queries: [(start: NodeIndex, end: NodeIndex)],
        _ processor: Int, _ directory: URL
    ) async throws {
        let scipy = try RoutePeer.answer(
            "scipy", queries: Self.scipyQueries, processor: processor, in: directory)
        note(
            String(
                format: "scipy.sparse.csgraph.dijkstra: %.1f ms median",
                scipy.medianMicroseconds / 1000
            ))
        guard let postgres = try await RoutePostgres(pedestrian, in: directory) else { return }
        defer { postgres.stop() }
        let some = queries.prefix(Self.postgresQueries)
        let answered = try await postgres.answer(some)
        note(String(format: "pgr_dijkstra: %.1f ms median", answered.milliseconds.share(0.5)))
    }
}
