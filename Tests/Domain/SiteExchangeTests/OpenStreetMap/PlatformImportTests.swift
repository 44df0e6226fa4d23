import Events
import Site
import SiteExchange
import Testing

@Suite("Platforms of OpenStreetMap") struct PlatformImportTests {
    private static func platform(_ tags: [String: String]) throws -> RoomRecord? {
        var map = HandMadeMap()
        map.way(
            1, map.rectangle(1, 0...30, 0...10),
            ["railway": "platform", "level": "0"].merging(tags) { $1 })
        return try map.imported().room("w1")
    }

    @Test("The track numbers name a platform, not the station's name that all platforms share")
    func numbers() throws {
        let room = try Self.platform(["name": "Leipzig Hauptbahnhof", "ref": "6;7"])
        #expect(room?.name == "Leipzig Hauptbahnhof 6, 7")
        #expect(room?.names.text(in: "de") == "Gleise 6 und 7")
        #expect(room?.names.text(in: "en") == "Platforms 6 and 7")
    }

    @Test("Consecutive numbers are named by the first and last, and each is found")
    func row() throws {
        let room = try Self.platform(["ref": "2;3;4;5;6"])
        #expect(room?.name == "Platform 2, 3, 4, 5, 6")
        #expect(room?.names.text(in: "en") == "Platforms 2 to 6")
        #expect(room?.names.text(in: "cy") == "Platfformau 2 i 6")
        #expect(try Self.platform(["ref": "1;2;4"])?.names.text(in: "en") == "Platforms 1, 2 and 4")
        #expect(try Self.platform(["ref": "9"])?.names.text(in: "de") == "Gleis 9")
    }

    @Test("A name that has the numbers stays, and so does one without numbers")
    func names() throws {
        #expect(try Self.platform(["name": "Gleis 6/7", "ref": "6;7"])?.name == "Gleis 6/7")
        #expect(try Self.platform(["name": "Gleis 6/7", "ref": "6;7"])?.names.isEmpty == true)
        #expect(try Self.platform(["name": "Busbahnhof"])?.name == "Busbahnhof")
        // An operator's code is on no sign; the letter of the stop is.
        let stop = try Self.platform(["ref": "55627", "local_ref": "B", "name": "Moorgate"])
        #expect(stop?.name == "Moorgate B")
    }
}
