import Foundation
import TestSupport
import Testing

/// Runs the program that damages maps and imports them. `import-fuzz osm 100000 --seed 1` is the
/// long run.
@Suite("import-fuzz") struct ImportFuzzTests {
    struct Tally: Decodable {
        var imported: Int
        var refused: Int
        var crashed: [Int]
        var hung: [Int]
        var tooLarge: [Int]
        var wrong: [Int]
        var peakMebibytes: Int
    }

    private func run(_ arguments: [String]) throws -> (tally: Tally, status: Int32) {
        let program = Process()
        program.executableURL = URL(filePath: builtProgram("import-fuzz"))
        program.arguments = arguments
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        let last = bytes.split(separator: UInt8(ascii: "\n")).last ?? Data()
        return (try JSONDecoder().decode(Tally.self, from: last), program.terminationStatus)
    }

    @Test(
        "Damaged maps are imported as valid sites or refused, within time and memory",
        arguments: ["osm", "imdf", "geojson", "csv", "heights", "dxf"])
    func damaged(format: String) throws {
        let (tally, status) = try run([format, "300", "--from", "20", "--seed", "7"])
        #expect(tally.imported > 50)
        #expect(tally.refused > 20)
        #expect(tally.imported + tally.refused == 300)
        #expect(tally.peakMebibytes < 512)
        #expect(status == 0)
    }

    @Test("A crash, a hang and too much memory are each noticed, and the run goes on")
    func planted() throws {
        let crash = try run(["osm", "6", "--from", "20", "--plant", "crash"])
        #expect(crash.tally.crashed == [22])
        #expect(crash.tally.imported + crash.tally.refused == 5)
        #expect(crash.status == 1)
        let hang = try run(["osm", "6", "--from", "20", "--plant", "hang", "--seconds", "5"])
        #expect(hang.tally.hung == [22])
        #expect(hang.status == 1)
        let memory = try run(["osm", "6", "--from", "20", "--plant", "memory"])
        #expect(memory.tally.tooLarge == [22])
        #expect(memory.tally.imported + memory.tally.refused == 6)
        #expect(memory.status == 1)
    }
}
