import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Import of shops, offices and levels") struct DirectoryImportTests {
    /// A hall on level 1 with a shop in it, in a building.
    private static var hall: HandMadeMap {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...40, 0...40), ["building": "mall", "name": "Mall"])
        map.way(2, map.rectangle(11, 5...35, 5...35), ["indoor": "area", "level": "1"])
        map.way(
            3, map.rectangle(21, 10...15, 10...15),
            [
                "indoor": "room", "level": "1;2", "shop": "books", "name": "Seiten",
                "name:en": "Pages", "opening_hours": "Mo-Sa 09:00-20:00",
                "website": "https://pages.example;https://other.example",
                "contact:phone": "+49 30 1; +49 30 2",
            ])
        return map
    }

    @Test("A shop that is a room is listed with all its facts, at its rooms on all levels")
    func room() throws {
        let site = try Self.hall.imported()
        #expect(
            site.document.directory == [
                DirectoryEntry(
                    id: DirectoryID("w3"), kind: "books", name: "Seiten",
                    names: Translations(["en": "Pages"]),
                    places: [.room(RoomID("w3-l1")), .room(RoomID("w3-l2"))],
                    openingHours: "Mo-Sa 09:00-20:00", website: "https://pages.example",
                    telephone: "+49 30 1")
            ])
        #expect(site.report.counts["directoryEntries"] == 1)
    }

    @Test("A node is listed at its point of a hall, at the room that it is in, or at the building")
    func nodes() throws {
        var map = Self.hall
        map.node(31, 20, 20, ["amenity": "toilets", "level": "1", "wheelchair": "yes"])
        map.node(32, 12, 12, ["office": "yes", "level": "1", "operator": "Firma"])
        map.node(33, 2, 2, ["amenity": "cafe", "name": "Ecke", "website": "www.ecke.example"])
        map.node(34, 12, 12, ["shop": "books", "name": "Seiten", "level": "1"])
        let site = try map.imported().document
        let entries = Dictionary(uniqueKeysWithValues: site.directory.map { ($0.id.text, $0) })
        #expect(entries.keys.sorted() == ["n31", "n32", "n33", "w3"])
        #expect(entries["n31"]?.places == [.location(LocationID("n31"))])
        #expect(entries["n31"]?.kind == "toilets")
        #expect(
            site.locations == [
                LocationRecord(
                    id: LocationID("n31"), floor: FloorID("w1-l1"), room: RoomID("w2"),
                    point: [20, 20])
            ])
        #expect(entries["n32"]?.places == [.room(RoomID("w3-l1"))])
        #expect(entries["n32"]?.name == "Firma")
        #expect(entries["n32"]?.kind == "office")
        #expect(entries["n33"]?.places == [.building(BuildingID("w1"))])
        #expect(entries["n33"]?.website == "https://www.ecke.example")
    }

    @Test("Things that nobody looks for, or without a place in the site, are not listed")
    func unlisted() throws {
        var map = Self.hall
        map.node(31, 20, 20, ["amenity": "bench", "name": "Anna's bench", "level": "1"])
        map.node(32, 20, 20, ["amenity": "cafe", "level": "1"])
        map.node(33, 90, 90, ["amenity": "fountain", "name": "Well"])
        map.node(34, 20, 20, ["shop": "vacant", "name": "Formerly", "level": "1"])
        map.node(35, 20, 20, ["amenity": "bank", "name": "Bank", "level": "7"])
        let site = try map.imported()
        // The level has no floor in the site, so the building is the place.
        #expect(site.document.directory.map(\.id.text) == ["n35", "w3"])
        #expect(site.document.directory[0].places == [.building(BuildingID("w1"))])
        #expect(site.report.counts["thingsWithoutPlace"] == 1)
        #expect(site.document.floors.map(\.level) == ["1", "2"])
    }

    @Test("A building has all floors from its lowest to its highest level except those it lacks")
    func levels() throws {
        var map = Self.hall
        map.way(
            4, map.rectangle(41, 50...60, 0...10),
            [
                "building": "yes", "min_level": "-1", "max_level": "3",
                "non_existent_levels": "2",
            ])
        map.way(5, map.rectangle(51, 70...80, 0...10), ["building": "yes", "max_level": "9"])
        let site = try map.imported().document
        #expect(
            site.floors.filter { $0.building == BuildingID("w4") }.map(\.level)
                == ["-1", "0", "1", "3"])
        #expect(!site.floors.contains { $0.building == BuildingID("w5") })
    }

    @Test("A list of names gives each of several levels its name, on nodes too")
    func levelNames() throws {
        var map = Self.hall
        map.node(31, 20, 20, ["highway": "elevator", "level": "1;2", "level:ref": "G; M"])
        #expect(try map.imported().document.floors.map(\.level) == ["G", "M"])
        map.node(32, 20, 21, ["highway": "elevator", "level": "1;2", "level:ref": "A;B;C"])
        #expect(try map.imported().document.floors.map(\.level) == ["G", "M"])
    }
}
