import Commands
import Foundation

/// A data set of one corridor of ten metres, in a folder of its own. Each of ten access points is
/// strongest at another metre.
struct CorridorSet {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "accuracy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let train = Self.table(stride(from: 0, to: 10, by: 0.25).map { $0 })
        try Data(train.utf8).write(to: url.appending(path: "Train.csv"))
        try Data(Self.table([2.6, 4.1, 7.3]).utf8).write(to: url.appending(path: "Test.csv"))
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    /// The lines that `accuracy` prints.
    func measure(
        _ arguments: [String], note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> [String] {
        var lines: [String] = []
        try runAccuracy(
            arguments: ["surimi", url.path()] + arguments, output: { lines.append($0) }, note: note,
            makeProgress: { total in
                ProgressReporter(
                    "locating", unit: "scans", total: total, isTerminal: false, write: { _ in })
            })
        return lines
    }

    private static func table(_ places: [Double]) -> String {
        let header = (0..<10).map { "\($0)," }.joined()
        let rows = places.map { place in
            (0..<10).map { "\((-40 - 4 * abs(Double($0) - place)).rounded())," }.joined()
                + "\(place),0,0,2,0\n"
        }
        return header + "LONGITUDE,LATITUDE,ALTITUDE,FLOOR,BUILDINGID\n" + rows.joined()
    }
}
