import Foundation
import ServiceRuntime
import Spool
import Testing
import Wire

@testable import Scanning

@Suite struct KeeperFaultTests {
    @Test("A file of the spool that can't be read is reported once, and the scanner goes on")
    func badFile() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // A link to itself can't be opened.
        let name = "droppable-\(String(repeating: "0", count: 16))"
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/\(name)", withDestinationPath: name)
        let told = LockedLines()
        let first = try ScanKeeper(
            folder: folder, limitBytes: 1_000_000, enrolment: enrolment, time: SystemTimeSource(),
            log: Logger(service: "test", write: { told.add($0) }), onWork: {})
        for number in 0..<3 {
            await first.keep(sampleScan(number))
            let batch = try #require(await first.batch(.droppable, atMost: 10))
            #expect(batch.records.count == number + 1)
        }
        let faults = await first.currentHealth().faults
        #expect(faults.count == 1 && faults[0].contains("bad-"))
        #expect(told.all.count { $0.contains("bad-") } == 1)
        // The next start is well.
        let next = try keeper(folder)
        #expect(await next.currentHealth().faults.isEmpty)
    }

    @Test("A long fault is cut to the length that the server takes")
    func longFault() async throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keeper = try keeper(folder)
        await keeper.note("x" + String(repeating: "ä", count: 5_000), of: "radio")
        let health = await keeper.currentHealth()
        let told = try ScannerHealth(
            json: health.json, of: enrolment.scanner, at: health.writtenAt)
        #expect(told.faults.count == 1 && (900...1_000).contains(told.faults[0].utf8.count))
    }
}
