import Foundation
import TestSupport

/// A program that was run to its end, with what it wrote to each of its outputs.
struct ProgramRun: Sendable {
    var status: Int32
    var output: String
    var errors: String

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The last line of the output, which is one JSON object for those who read it by program.
    var summary: [String: Any] { jsonObject(Array((lines.last ?? "").utf8)) }

    /// Runs a program. It waits on a thread of its own, since that may take long.
    static func of(
        _ arguments: [String], environment: [String: String]? = nil, input: [UInt8] = []
    ) async throws -> ProgramRun {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try run(arguments, environment, input) })
            }
        }
    }

    /// Outputs and input are files: nothing can stand still because a pipe is full.
    private static func run(
        _ arguments: [String], _ environment: [String: String]?, _ input: [UInt8]
    ) throws -> ProgramRun {
        let folder = try makeTemporaryFolder("run")
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["in", "out", "err"].map { folder.appending(path: $0) }
        try Data(input).write(to: paths[0])
        for path in paths[1...] { try Data().write(to: path) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // The kernel ends it when the tests die.
        process.arguments = ["setpriv", "--pdeathsig", "KILL"] + arguments
        if let environment { process.environment = environment }
        process.standardInput = try FileHandle(forReadingFrom: paths[0])
        process.standardOutput = try FileHandle(forWritingTo: paths[1])
        process.standardError = try FileHandle(forWritingTo: paths[2])
        try process.run()
        process.waitUntilExit()
        return ProgramRun(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: paths[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: paths[2]), as: UTF8.self))
    }

    /// The output, when the program succeeded.
    func successful() throws -> ProgramRun {
        guard status == 0 else {
            throw TestServerError("exit status \(status): \(output) \(errors)")
        }
        return self
    }
}

func makeTemporaryFolder(_ name: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "whereabouts-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// The members of a JSON object, read without any code of the project; empty when it is none.
func jsonObject(_ bytes: [UInt8]) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
}

func jsonText(_ object: [String: Any]) -> [UInt8] {
    let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    return Array(data ?? Data())
}

/// Waits until the condition holds; throws when it does not within the limit. Without a fixed pause
/// it asks less often the longer it waits.
func eventually(
    _ what: String, seconds: Double = 60, every fixed: Duration? = nil,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    var pause = fixed ?? .milliseconds(50)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw TestServerError("not within \(seconds) s: \(what)")
        }
        try await Task.sleep(for: pause)
        if fixed == nil { pause = min(pause * 1.4, .milliseconds(500)) }
    }
}
