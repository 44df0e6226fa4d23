import Foundation
import Repository
import TestSupport

/// A run of one of the test programs in Python against the built services.
struct PythonRun {
    /// What a program ends with that can't have the networks and disks of its own that it needs.
    static let skipped: Int32 = 77

    let status: Int32
    let said: String

    /// Runs it to its end.
    ///
    /// - Parameter program: below Tests/System.
    init(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "python3", repository.appending(path: "Tests/System/\(program)").path, "--bin",
                Programs.folder,
            ]
            + arguments
        // One stream, so that what was printed last is the result or why there is none.
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.runHearingSignals()
        said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// The JSON object that is printed at the end; empty when there is none.
    var result: [String: Any] {
        let line = said.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
        return jsonObject(Array(line.utf8))
    }

    /// In its first line what is wrong, then everything.
    var outcome: String {
        let wrong = result["wrong"] as? [String] ?? ["no result: \(said.suffix(300))"]
        return "\(wrong.joined(separator: "; "))\n\(said)"
    }
}
