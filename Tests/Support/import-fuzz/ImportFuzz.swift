import Foundation

/// Damages map files and imports them, each in a process that may crash, hang or fill the memory.
///
///     import-fuzz FORMAT COUNT [--seed N] [--from N] [--keep FOLDER] [--seconds N] [--plant FAULT]
///
/// The last line of stdout is one JSON object. The exit status is 0 when every file was imported as
/// a valid site or refused with a reason.
@main struct ImportFuzz {
    static let sources: [String: @Sendable () throws -> any FuzzSource] = [
        "osm": { try OpenStreetMapSource() }, "imdf": { try IMDFSource() },
        "geojson": { GeoJSONSource() }, "csv": { TableSource() },
        "heights": { HeightsSource() }, "dxf": { DrawingSource() },
    ]

    static func main() throws {
        var words = Array(CommandLine.arguments.dropFirst())
        func value(_ name: String) -> String? {
            guard let index = words.firstIndex(of: name), index + 1 < words.count else {
                return nil
            }
            let value = words[index + 1]
            words.removeSubrange(index...(index + 1))
            return value
        }
        let settings = FuzzSettings(
            seed: value("--seed").flatMap { UInt64($0) } ?? 1,
            first: value("--from").flatMap { Int($0) } ?? 0,
            seconds: value("--seconds").flatMap { UInt32($0) } ?? 20,
            planted: value("--plant").flatMap(FuzzSettings.Planted.init),
            keepFolder: value("--keep"))
        let isWorker = value("--worker") != nil
        guard words.count == 2, let count = Int(words[1]), count > 0,
            let makeSource = sources[words[0]]
        else {
            print("usage: import-fuzz \(sources.keys.sorted().joined(separator: "|")) COUNT")
            exit(64)
        }
        if isWorker {
            try FuzzWorker(makeSource(), settings).run(count)
        } else {
            let tally = try FuzzRun(words[0], settings).run(count)
            print(tally.json)
            exit(tally.isClean ? 0 : 1)
        }
    }
}

/// The settings of a run. The same settings give the same files.
struct FuzzSettings {
    /// A fault made on purpose, to check that the harness notices it.
    enum Planted: String { case crash, hang, memory }

    var seed: UInt64
    var first: Int
    /// The time limit for one file in seconds.
    var seconds: UInt32
    var planted: Planted?
    /// The folder for files that did harm.
    var keepFolder: String?

    /// The limit for the largest resident memory of a worker.
    static let memoryMebibytes = 512
}
