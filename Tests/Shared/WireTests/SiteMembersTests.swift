import Foundation
import Repository
import Testing
import Wire

@Suite struct SiteMembersTests {
    @Test("A misspelt member is named by its path, and correct members are not")
    func misspelt() throws {
        let body = """
            {"name": "S", "origin": {"latitude": 0, "longitude": 0}, "bearingDegrees": 0,
             "colour": "red",
             "rooms": [{"id": "a", "restricted": true}, {"id": "b", "resticted": true}],
             "connections": [{"id": "c", "stops": [{"floor": "0", "romm": "a"}]}],
             "zones": 5, "floors": [7]}
            """
        #expect(
            try SiteMembers.unknown(in: Array(body.utf8)) == [
                "colour", "rooms[1].resticted", "connections[0].stops[0].romm",
            ])
        #expect(try SiteMembers.unknown(in: Array("[]".utf8)) == [])
    }

    @Test("The members are those that docs/openapi.json describes")
    func described() throws {
        let path = repository.appending(
            path: "docs/openapi.json")
        let text = try JSONSerialization.jsonObject(with: Data(contentsOf: path))
        let document = try #require(text as? [String: Any])
        let parts = try #require(document["components"] as? [String: Any])
        let schemas = try #require(parts["schemas"] as? [String: Any])
        func members(_ name: String) -> Set<String>? {
            let schema = schemas[name] as? [String: Any]
            return (schema?["properties"] as? [String: Any]).map { Set($0.keys) }
        }
        #expect(members("SiteDocument") == SiteMembers.ofDocument)
        let names = [
            "buildings": "Building", "floors": "Floor", "floorPlans": "FloorPlan", "rooms": "Room",
            "locations": "Location", "connections": "Connection", "zones": "SiteZone",
            "beacons": "SiteBeacon", "scanners": "SiteScanner", "contents": "Content",
            "directory": "DirectoryEntry",
        ]
        #expect(Set(names.keys) == Set(SiteMembers.ofRecord.keys))
        for (list, schema) in names {
            #expect(members(schema) == SiteMembers.ofRecord[list], "\(schema)")
        }
    }
}
