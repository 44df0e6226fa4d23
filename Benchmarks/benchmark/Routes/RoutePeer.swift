import Foundation
import Geometry
import Repository
import Wayfinding

/// The figures that a peer of `benchmark route` has measured and printed.
struct RoutePeer: Decodable {
    var queries: Int
    /// Processor time of all queries.
    var seconds: Double
    var medianMicroseconds: Double
    var worstPercentMicroseconds: Double
    /// The sum of all costs; both sides must get the same.
    var costSum: UInt64
    /// Nil if the peer prepares nothing.
    var buildSeconds: Double?
    var customiseMilliseconds: Double?
    var changeMilliseconds: Double?

    private static let limitSeconds = 900.0
    private static let packages = ["pyroutingkit==0.2.1", "numpy", "scipy"]

    var queriesPerSecond: Double { Double(queries) / seconds }

    /// Runs the peer and returns its figures.
    static func answer(
        _ method: String, queries: Int, processor: Int, in directory: URL
    ) throws -> RoutePeer {
        let script = repository.appending(path: "Benchmarks/route-peer/route_peer.py").path
        let program = try PinnedProgram(
            command: [try python(in: directory), script, directory.path, method, "\(queries)"],
            processor: processor, in: directory)
        let printed = try program.wholeOutput(limitSeconds: limitSeconds)
        let line = printed.split(separator: "\n").last ?? ""
        return try JSONDecoder().decode(RoutePeer.self, from: Data(line.utf8))
    }

    /// Writes the graph and the queries for the peers.
    static func write(
        _ pedestrian: PedestrianGraph, _ queries: [(start: NodeIndex, end: NodeIndex)],
        to directory: URL
    ) throws {
        func write(_ values: [some Any], _ name: String) throws {
            try values.withUnsafeBytes { try Data($0).write(to: directory.appending(path: name)) }
        }
        let arcs = pedestrian.graph.arcs
        try write(arcs.map { UInt32($0.tail.value) }, "tail.u32")
        try write(arcs.map { UInt32($0.head.value) }, "head.u32")
        try write(pedestrian.metric.costs.map(\.value), "cost.u32")
        try write(pedestrian.places.map { Float($0.latitude) }, "latitude.f32")
        try write(pedestrian.places.map { Float($0.longitude) }, "longitude.f32")
        let ends = queries.flatMap { [UInt32($0.start.value), UInt32($0.end.value)] }
        try write(ends, "queries.u32")
    }

    /// A Python environment with the peers' packages; made at the first use, in `.build`.
    private static func python(in directory: URL) throws -> String {
        let folder = repository.appending(path: ".build/route-peer")
        let python = folder.appending(path: "bin/python").path
        let mark = folder.appending(path: "installed")
        guard !FileManager.default.fileExists(atPath: mark.path) else { return python }
        note("installing \(packages.joined(separator: ", ")) into \(folder.path)")
        for command in [
            ["python3", "-m", "venv", folder.path],
            [python, "-m", "pip", "install", "--quiet"] + packages,
        ] {
            let program = try PinnedProgram(command: command, processor: nil, in: directory)
            _ = try program.wholeOutput(limitSeconds: limitSeconds)
        }
        try Data().write(to: mark)
        return python
    }
}
