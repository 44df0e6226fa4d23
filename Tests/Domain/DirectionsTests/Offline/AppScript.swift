import Foundation
import Repository
import Testing

/// Scripts of Tests/House/VisitorApp that run the page's own modules under node.
enum AppScript {
    /// The output of a script that reads a file with this input.
    static func run(_ name: String, _ input: Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-offline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "input.json")
        try input.write(to: file)
        let node = Process()
        node.executableURL = URL(filePath: "/usr/bin/env")
        let script = repository.appending(path: "Tests/House/VisitorApp/\(name)")
        node.arguments = ["node", script.path, file.path]
        let output = Pipe()
        node.standardOutput = output
        try node.run()
        let result = output.fileHandleForReading.readDataToEndOfFile()
        node.waitUntilExit()
        #expect(node.terminationStatus == 0)
        return result
    }
}
