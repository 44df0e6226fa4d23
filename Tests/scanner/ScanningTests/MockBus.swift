import Foundation

/// A private message bus with mocks of NetworkManager and BlueZ; see `Tests/scanner/mock_bus.py`.
final class MockBus: Sendable {
    let address: String
    private let process: Process
    private let input = Pipe()

    /// Nil, with the reason printed, where dbusmock or dbus-daemon is missing.
    init?() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let program = folder.deletingLastPathComponent().appending(path: "mock_bus.py")
        let output = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [program.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
            line.append(byte)
        }
        address = String(decoding: line, as: UTF8.self)
        guard !line.isEmpty else {
            print("skipped: no mocks on a bus (apt install python3-dbusmock dbus)")
            return nil
        }
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
