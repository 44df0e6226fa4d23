import Cryptography
import Events
import Foundation
import Repository
import Testing
import Wire

@Suite("Golden files") struct GoldenTests {
    static let folder = repository.appending(path: "Tests/Shared/Golden")

    @Test("every event is written as its golden file shows it", arguments: SampleEvents.all.indices)
    func writing(index: Int) throws {
        let (name, event) = SampleEvents.all[index]
        let file = Self.folder.appending(path: "\(name).v1.json")
        let written = Data(event.json)
        guard FileManager.default.fileExists(atPath: file.path) else {
            try written.write(to: file)
            Issue.record("\(file.lastPathComponent) was missing; it is written now: look at it")
            return
        }
        #expect(try Data(contentsOf: file) == written, "\(name)")
    }

    @Test("every golden file is read as its event", arguments: SampleEvents.all.indices)
    func reading(index: Int) throws {
        let (name, event) = SampleEvents.all[index]
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: "\(name).v1.json")))
        #expect(try readAgain(event, from: bytes))
    }

    @Test("there is a sample of every type of event")
    func coverage() {
        let types = Set(SampleEvents.all.map { type(of: $0.event).eventType })
        #expect(types == Set(EventType.allCases))
    }

    @Test("no golden file has changed since it was made")
    func frozen() throws {
        let sums = try String(
            contentsOf: Self.folder.appending(path: "SHA256SUMS"), encoding: .utf8)
        var listed: [String: String] = [:]
        for line in sums.split(separator: "\n") {
            let words = line.split(separator: " ")
            listed[String(words[1])] = String(words[0])
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasSuffix(".json") }
        #expect(
            Set(names) == Set(listed.keys),
            "add a new file's line: sha256sum NAME.json >> SHA256SUMS, in Tests/Shared/Golden")
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
            #expect(sha256Hex(bytes) == listed[name], "\(name) has changed")
        }
        // The sums can be changed as well; the history of the repository can't.
        let changes = try git(["log", "--diff-filter=MD", "--format=%h", "--", "*.json"])
        #expect(changes == "" || changes == nil, "changed or deleted in \(changes ?? "")")
    }

    /// The output of git in the folder; nil where there is no git or no complete history.
    private func git(_ arguments: [String]) throws -> String? {
        func run(_ arguments: [String]) throws -> (Int32, String) {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["git"] + arguments
            process.currentDirectoryURL = Self.folder
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: text, as: UTF8.self))
        }
        let shallow = try run(["rev-parse", "--is-shallow-repository"])
        guard shallow == (0, "false\n") else { return nil }
        return try run(arguments).1
    }

    @Test("a later release's new fields and explicit nulls are ignored")
    func additions() throws {
        let file = Self.folder.appending(path: "scan-recorded-from-later.json")
        let scan = try ScanRecorded(json: [UInt8](try Data(contentsOf: file)))
        #expect(scan.device == DeviceID("pi-0042"))
        #expect(scan.wifi.map(\.rssi) == [-62])
        #expect(scan.steps == nil)
        let position = Self.folder.appending(path: "position-estimated-from-later.json")
        let read = try PositionEstimated(json: [UInt8](try Data(contentsOf: position)))
        #expect(read.state == .located)
        #expect(read.room == nil)
    }
}

/// Whether the bytes are read as an event that equals this one.
func readAgain<Event: WireEvent>(_ event: Event, from bytes: [UInt8]) throws -> Bool {
    let read = try Event(json: bytes)
    guard let event = event as? any Hashable, let read = read as? any Hashable else { return false }
    return AnyHashable(event) == AnyHashable(read)
}
