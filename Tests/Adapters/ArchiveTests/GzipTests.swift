import Archive
import Foundation
import SeededRandomness
import Testing

@Suite("Gzip in memory") struct GzipTests {
    @Test("The program gzip unpacks the same bytes again", arguments: [1, 6, 9])
    func roundTrip(level: Int) throws {
        var random = SeededRandom(seed: level)
        for count in [300, 1_024, 10_239, 10_240, 10_241, 70_000, 400_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0x61...0x64, using: &random) }
            let packed = try #require(Gzip.packed(bytes, level: level), "\(count) bytes")
            #expect(packed.count < bytes.count / 2 + 30)
            #expect(try unpacked(packed) == bytes, "\(count) bytes")
            #expect(Gzip.packed(bytes, level: level) == packed)
        }
    }

    @Test("Bytes that gzip does not make shorter have no packed form")
    func random() {
        var random = SeededRandom(seed: 5)
        for count in [0, 1, 10, 5_000, 100_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Gzip.packed(bytes, level: 9) == nil, "\(count) bytes")
        }
    }

    private func unpacked(_ packed: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "gzip-\(UUID().uuidString).gz")
        try Data(packed).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return [UInt8](bytes)
    }
}
