import Foundation
import Repository

/// What a peer of `benchmark locate` measured of itself.
struct LocatePeer: Decodable {
    /// How it went about it, where it knows several ways.
    var way: String
    var queries: Int
    /// Of processor time, for all of them.
    var seconds: Double
    /// Metres on the ground.
    var meanMetres: Double
    /// Nil when it tells no floors.
    var floorHit: Double?

    private static let limitSeconds = 600.0

    var queriesPerSecond: Double { Double(queries) / seconds }

    /// Runs it to its end.
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
