import Foundation

/// A folder for one test. It is deleted with the last reference.
final class TemporaryFolder {
    let url: URL
    var path: String { url.path() }

    init() {
        url = FileManager.default.temporaryDirectory.appending(path: "sets-\(UUID().uuidString)")
        try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    @discardableResult
    func write(_ name: String, _ text: String) -> String {
        let file = url.appending(path: name)
        try! FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try! Data(text.utf8).write(to: file)
        return file.path()
    }

    /// Runs a program of the system in the folder; true when it succeeded.
    @discardableResult
    func run(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
