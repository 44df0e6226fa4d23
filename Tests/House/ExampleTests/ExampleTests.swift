import Foundation
import Repository
import Testing

@Suite("docs/example") struct ExampleTests {
    @Test("A package outside of the tree locates with a filter and a transformer of its own")
    func locates() throws {
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "example-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let run = Process()
        run.executableURL = URL(filePath: "/usr/bin/env")
        // A scratch folder of its own, because the test run itself locks the usual one. No other
        // build is as quick as one of whole modules that is not optimised.
        run.arguments = [
            "swift", "run", "--quiet", "-c", "release", "-Xswiftc", "-Onone", "-Xswiftc", "-gnone",
            "--package-path",
            repository.appending(path: "docs/example").path, "--scratch-path", scratch.path,
        ]
        let output = Pipe()
        run.standardOutput = output
        try run.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
        // The fourth beacon is too weak, and the pocket makes the others seem farther away than
        // they are.
        #expect(String(decoding: printed, as: UTF8.self) == "3 beacons; x 6.0 m, y 2.0 m\n")
    }
}
