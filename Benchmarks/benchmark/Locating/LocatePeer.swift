import Foundation
import Repository

/// The figures that a peer of `benchmark locate` has measured and printed.
struct LocatePeer: Decodable {
    /// The method that the peer used, if it has several.
    var way: String
    var queries: Int
    /// Processor time of all queries.
    var seconds: Double
    /// The mean error in metres on the ground.
    var meanMetres: Double
    /// The share of right floors; nil if the peer estimates no floors.
    var floorHit: Double?

    private static let limitSeconds = 600.0

    var queriesPerSecond: Double { Double(queries) / seconds }

    /// Runs the peer and returns its figures.
    static func answer(
        _ method: String, queries: Int, processor: Int, in directory: URL
    ) throws -> LocatePeer {
        let script = repository.appending(path: "Benchmarks/locate-peer/locate_peer.py").path
        let program = try PinnedProgram(
            command: ["python3", script, directory.path, method, "\(queries)"],
            processor: processor, in: directory)
        let printed = try program.wholeOutput(limitSeconds: limitSeconds)
        let line = printed.split(separator: "\n").last ?? ""
        return try JSONDecoder().decode(LocatePeer.self, from: Data(line.utf8))
    }

    func text(_ set: LocateSet) -> String {
        let floor = floorHit.map { String(format: ", floor %.4f", $0) } ?? ""
        let mean = String(format: "%.2f", meanMetres / set.groundPerReportedMetre)
        return "mean \(mean) m\(floor) over \(queries) queries, \(way)"
    }
}
