import Events
import MapFormats
import PublicData
import Site
import SiteExchange
import Testing

/// Imports a station of the public data; nil where the data is absent.
@Suite("Maps of stations") struct StationMapTests {
    private func station(_ name: String) throws -> ImportedSite? {
        guard let path = SharedData.path("osm/\(name).osm.gz"),
            let format = MapFormat.named("osm")
        else { return nil }
        return try format.read(path)
    }

    @Test("Moorgate has the levels, lifts, corridors and steps of its map")
    func counts() throws {
        guard let site = try station("moorgate") else { return }
        let counts = site.report.counts
        #expect(counts["lifts"] == 9)
        #expect(counts["corridors"] == 46)
        #expect((counts["stairs"] ?? 0) + (counts["escalators"] ?? 0) == 68)
        #expect(
            site.document.floors.map(\.level) == [
                "-9", "-8", "-7", "-6", "-4", "-2", "-1", "0", "1", "2", "3",
            ])
        #expect(site.document.name == "Moorgate")
        #expect(SiteValidation.faults(in: site.document).isEmpty)
        #expect(try station("moorgate") == site)
    }

    /// Platforms by their signs. Areas become rooms, the others connections.
    private static let lines = ["w1327964845", "w1327964852", "w1328222000", "w1328222011"]
    private static let nationalRail = ["w1328222020", "w1328222021"]
    private static let areas = ["w1327982761", "w1327982762"]

    @Test(
        "Moorgate's platforms are reached from the street, all except National Rail's by lift"
    )
    func platforms() throws {
        guard let document = try station("moorgate")?.document else { return }
        // A street in front of the station.
        let street = ConnectionID("w962005582")
        #expect(document.connections.contains { $0.id == street })
        var all = SitePieces(document) { $0.openingHours != "off" }
        var stepFree = SitePieces(document) {
            $0.kind != .stairs && $0.kind != .escalator && $0.openingHours != "off"
        }
        for platform in Self.lines + Self.nationalRail {
            let isReached = all.areJoined(street, ConnectionID(platform))
            let isStepFree = stepFree.areJoined(street, ConnectionID(platform))
            #expect(isReached, "\(platform)")
            #expect(isStepFree == Self.lines.contains(platform), "\(platform)")
        }
        for platform in Self.areas {
            let isReached = all.isJoined(street, to: RoomID(platform))
            let isStepFree = stepFree.isJoined(street, to: RoomID(platform))
            #expect(isReached && isStepFree, "\(platform)")
        }
    }

    /// The number of separate parts in the map itself, counted once by hand.
    @Test(
        "The ways of a station are connected, except where its map is not",
        arguments: [("moorgate", 3), ("herrenberg-minimal", 11)])
    func pieces(name: String, most: Int) throws {
        guard let document = try station(name)?.document else { return }
        let sizes = SitePieces(document).sizes
        #expect(sizes.count <= most)
        #expect(sizes[0] * 100 >= document.connections.count * 99)
    }

    @Test(
        "A map that was cut from a larger one is imported as far as it goes",
        arguments: [
            "cologne-central", "hamburg-central",
        ])
    func cut(name: String) throws {
        guard let site = try station(name) else { return }
        #expect(site.document.rooms.contains { $0.kind == "platform" })
        #expect(site.notes("dangling-reference") > 0)
        #expect(SiteValidation.faults(in: site.document).isEmpty)
    }
}

extension ImportedSite {
    fileprivate func notes(_ what: String) -> Int {
        report.notes.filter { $0.what.rawValue == what }.count
    }
}
