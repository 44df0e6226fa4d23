import Foundation
import Testing
import Wire

@testable import Scanning

@Suite struct StateFolderTests {
    @Test("One scanner at a time runs on a folder, and the second says so")
    func lock() throws {
        let folder = StateFolder(path: temporaryFolder())
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.lock()
        do throws(ScannerFault) {
            try folder.lock()
            Issue.record("a second scanner runs on the folder")
        } catch {
            #expect(error.description == "a scanner already runs on the folder \(folder.path)")
        }
        // Another folder is another scanner's.
        let other = StateFolder(path: temporaryFolder())
        defer { try? FileManager.default.removeItem(atPath: other.path) }
        try other.lock()
    }

    @Test("The folder keeps the end of the token, and an enrolment without one is read")
    func tokenEnd() throws {
        let folder = StateFolder(path: temporaryFolder())
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.write(enrolment.json, to: folder.enrolmentFile)
        #expect(try ScannerCommand.tokenEnd(of: folder.enrolment()) == nil)
        let answer = #"""
            {"token": "wab_x", "site": "museum", "scanner": "pi-1", "role": "scanner",
             "expiresAt": "2027-02-27T08:00:00.000Z"}
            """#
        let enrolled = try ScannerEnrolment(json: Array(answer.utf8), server: enrolment.server)
        try folder.write(enrolled.json, to: folder.enrolmentFile)
        let end = try ScannerCommand.tokenEnd(of: folder.enrolment())
        #expect(end?.contains("ends at 2027-02-27T08:00:00.000Z") == true)
    }

    @Test("A second scanner is refused before it opens the spool")
    func second() throws {
        let folder = StateFolder(path: temporaryFolder())
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try folder.write(enrolment.json, to: folder.enrolmentFile)
        try folder.lock()
        let options = try ScannerOptions(["run"])
        #expect(throws: ScannerFault.self) { try ScannerProgram(options, folder) }
        #expect(!FileManager.default.fileExists(atPath: folder.spool))
    }
}
