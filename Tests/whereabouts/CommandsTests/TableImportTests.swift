import Commands
import Events
import Foundation
import Geometry
import JSON
import Site
import SiteExchange
import Synchronization
import Testing
import Wire

@Suite("import of tables") struct TableImportTests {
    private static let site = SiteDocument(
        name: "House", originLatitude: 50, originLongitude: 7, bearingDegrees: 0,
        buildings: [BuildingRecord(id: BuildingID("b"), name: "House", timeZone: "Etc/UTC")],
        floors: [FloorRecord(id: FloorID("f"), building: BuildingID("b"), ordinal: 0, level: "0")],
        rooms: [
            RoomRecord(
                id: RoomID("hall"), floor: FloorID("f"), name: "Hall", kind: "room", outline: [])
        ], connections: [])

    /// Runs the command on a table and returns its summary and the site document that it wrote.
    private func imported(_ table: String) async throws -> (summary: String, site: SiteDocument) {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = ["site.json", "table.csv", "out.json"].map { folder.appending(path: $0) }
        try Data(Self.site.json).write(to: paths[0])
        try Data(table.utf8).write(to: paths[1])
        let lines = Mutex<[String]>([])
        let invocation = Invocation(
            arguments: ["csv", paths[1].path, "--into", paths[0].path, "--output", paths[2].path],
            output: { line in lines.withLock { $0.append(line) } }, note: { _ in })
        do {
            try await Command.importFile.run(invocation)
        } catch {
            #expect(!FileManager.default.fileExists(atPath: paths[2].path))
            throw error
        }
        let bytes = Array(try Data(contentsOf: paths[2]))
        return (lines.withLock { $0.last ?? "" }, try SiteDocument(json: bytes))
    }

    @Test("A table of rooms changes rooms that exist, and adds the others")
    func rooms() async throws {
        let (summary, site) = try await imported("floor,id,name\nf,hall,Aula\nf,lab,Lab\n")
        #expect(site.rooms.map(\.name) == ["Aula", "Lab"])
        #expect(summary.contains(#""table":"rooms""#))
        #expect(summary.contains(#""room":{"added":1,"changed":1,"removed":0}"#))
    }

    @Test("A table with a column bssid is a table of access points")
    func accessPoints() async throws {
        let (summary, site) = try await imported(
            "\u{FEFF}bssid,floor,x,y\r\n00:62:EC:FD:EC:50,f,1.5,-2\r\n")
        #expect(
            site.accessPointPlaces == [
                AccessPointPlace(
                    address: HardwareAddress(value: 0x62_ECFD_EC50), floor: FloorID("f"),
                    point: [1.5, -2])
            ])
        #expect(summary.contains(#""access point":{"added":1"#), "\(summary)")
    }

    @Test(
        "A table with a bad line is refused; the error names the line, and nothing is written",
        arguments: [
            ("name,floor\nA,f\n", "line 1"), ("id,bssid,floor\n", "line 1"), ("", "line 1"),
            ("id,floor\nlab,f\nlab,f\n", "line 3"), ("bssid,floor,x,y\n00:62,f,1,1\n", "line 2"),
        ])
    func refused(table: String, line: String) async throws {
        let error = await #expect(throws: (any Error).self) { try await imported(table) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(line))
    }

    @Test("The help names each column of a table of rooms")
    func columns() {
        let words = Set(Command.importFile.help.split { !($0.isLetter || $0 == ":") })
        for column in RoomTable.table(of: Self.site).header {
            #expect(words.contains(Substring(column)), "\(column)")
        }
    }

    @Test("The arguments need either one site, or a document with an output")
    func usage() async throws {
        for arguments in [
            ["csv", "a"], ["csv", "a", "--site", "s", "--into", "d"], ["csv", "a", "--into", "d"],
            ["csv", "--site", "s"], ["csv", "a", "--site", "no id"],
        ] {
            let invocation = Invocation(arguments: arguments, output: { _ in }, note: { _ in })
            await #expect(throws: UsageFault.self) {
                try await Command.importFile.run(invocation)
            }
        }
    }
}
