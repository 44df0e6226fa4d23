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
