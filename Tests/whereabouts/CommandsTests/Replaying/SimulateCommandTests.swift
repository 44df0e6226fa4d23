import Commands
import Foundation
import Testing

@Suite("Files of a simulated building") struct SimulateCommandTests {
    @Test("Taps of an earlier simulation are removed from the folder")
    func again() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "simulated-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = CommandTable(program: "whereabouts", [.simulate])
        for (taps, files) in [
            ("60", ["scans.jsonl.gz", "site.json", "surveys.jsonl.gz", "taps.jsonl.gz"]),
            ("0", ["scans.jsonl.gz", "site.json", "surveys.jsonl.gz"]),
        ] {
            let status = await table.run(
                [
                    "simulate", "--output", folder.path(), "--devices", "1", "--minutes", "0.5",
                    "--taps", taps,
                ], output: { _ in }, note: { _ in })
            #expect(status == 0)
            let found = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            #expect(found.sorted() == files)
        }
    }

    @Test("Taps beside no simulation's scans are somebody's own, and stay")
    func own() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "simulated-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let taps = folder.appending(path: "taps.jsonl.gz")
        try Data("own".utf8).write(to: taps)
        let table = CommandTable(program: "whereabouts", [.simulate])
        let status = await table.run(
            [
                "simulate", "--output", folder.path(), "--devices", "1", "--minutes", "0.5",
            ], output: { _ in }, note: { _ in })
        #expect(status == 0)
        #expect(try Data(contentsOf: taps) == Data("own".utf8))
    }
}
