import Events
import HTTP
import Positioning
import SampleSites
import ServiceHost
import Site
import Testing
import Wire

@Suite("A record that a list's filter names") struct NamedRecordTests {
    private static let unknown: [(NamedRecord, String)] = [
        (.building(BuildingID("x")), "building-unknown"), (.floor(FloorID("x")), "floor-unknown"),
        (.room(RoomID("x")), "room-unknown"), (.location(LocationID("x")), "location-unknown"),
        (.connection(ConnectionID("x")), "connection-unknown"),
        (.zone(ZoneID("x")), "zone-unknown"),
    ]

    @Test("is found if the document has it, and else refused with 404 and the code of its kind")
    func document() {
        let document = SampleSite.index.document
        let found: [NamedRecord] =
            document.buildings.flatMap { [.building($0.id), .zone(ZoneID($0.id.text))] }
            + document.floors.map { .floor($0.id) }
            + document.rooms.flatMap { [.room($0.id), .zone(ZoneID($0.id.text))] }
            + document.locations.map { .location($0.id) } + [.floor(.outdoors)]
        for record in found {
            #expect(throws: Never.self, "\(record)") { try record.check(in: document) }
        }
        for (record, code) in Self.unknown {
            let problem = #expect(throws: Problem.self) { try record.check(in: document) }
            #expect(problem?.status == 404 && problem?.code == code, "\(record)")
        }
    }

    @Test("A kind's id is none of another kind; floors and locations are no zones")
    func kinds() {
        let document = SampleSite.index.document
        for record: NamedRecord in [
            .room(RoomID("house")), .building(BuildingID("A")), .floor(FloorID("A")),
            .zone(ZoneID(SampleSite.ground.text)), .zone(ZoneID("desk")),
        ] {
            #expect(throws: Problem.self, "\(record)") { try record.check(in: document) }
        }
    }

    @Test("is refused where nothing shows that it was there, and not at a removed site")
    func directory() async throws {
        let sites = SiteDirectory()
        sites.replace(with: [SampleSite.id: PublishedSite(version: 1, index: SampleSite.index)])
        func code(
            _ record: NamedRecord, hasRows: Bool = false, isStored: Bool = false
        ) async throws -> String? {
            do {
                try await sites.checkHas(
                    record, at: SampleSite.id, for: .editor, hasRows: hasRows
                ) {
                    isStored
                }
                return nil
            } catch let problem as Problem {
                return problem.code
            }
        }
        for (record, expected) in Self.unknown {
            #expect(try await code(record) == expected)
            #expect(try await code(record, hasRows: true) == nil)
            #expect(try await code(record, isStored: true) == nil)
        }
        #expect(try await code(.room(RoomID("A"))) == nil)
        sites.replace(with: [:])
        for (record, _) in Self.unknown { #expect(try await code(record) == nil) }
    }
}
