import Events
import Geometry
import MapFormats
import SampleSites
import Site
import SiteExchange
import Testing

/// Exports sites as OpenStreetMap, and imports the files.
@Suite("Sites as OpenStreetMap and back") struct OpenStreetMapRoundTripTests {
    static let sites: [String: SiteDocument] = [
        "sample": SampleSite.index.document, "museum": SampleMuseum.document,
        "campus": SampleCampus.small.document,
        "rich": RichSite.document,
    ]

    private func format() throws -> MapFormat { try #require(MapFormat.named("osm")) }

    private func file(_ site: SiteDocument) throws -> [UInt8] {
        let write = try #require(try format().write)
        return try write(site, nil, "")
    }

    private func imported(
        _ bytes: [UInt8], _ options: ImportOptions = ImportOptions()
    ) throws -> ImportedSite { try format().read(.bytes(bytes), options) }

    @Test(
        "The import of the file is the same site, in all that the format can say",
        arguments: sites.keys.sorted())
    func sameSite(name: String) throws {
        let site = try #require(Self.sites[name])
        let back = try imported(file(site))
        var found = back.document.inOrderOfIDs
        let said = site.saidInOpenStreetMap.inOrderOfIDs
        #expect(found.originLatitude == said.originLatitude)
        #expect(found.originLongitude == said.originLongitude)
        #expect(found.bearingDegrees == said.bearingDegrees)
        found.adoptPlaces(of: said, within: 0.02)
        for (one, other) in zip(found.connections, said.connections) where one != other {
            Issue.record("\(one) is not \(other)")
            break
        }
        for (one, other) in zip(found.rooms, said.rooms) where one != other {
            Issue.record("\(one) is not \(other)")
            break
        }
        #expect(found.connections.count == said.connections.count)
        #expect(found.rooms.count == said.rooms.count)
        #expect(found.directory == said.directory)
        #expect(found.floors == said.floors)
        #expect(found.buildings == said.buildings)
        #expect(found == said)
        #expect(back.report.notes.isEmpty, "\(back.report.notes.prefix(5))")
    }

    @Test("A second export and import change nothing any more", arguments: sites.keys.sorted())
    func stable(name: String) throws {
        let once = try imported(file(try #require(Self.sites[name]))).document
        let twice = try imported(file(once)).document
        #expect(twice == once)
        #expect(try file(twice) == file(once))
    }

    @Test("In the draft that it was exported from, a changed file changes only what it changes")
    func edited() throws {
        let draft = SampleMuseum.document
        var data = OpenStreetMapExport(draft).data
        for index in data.ways.indices where data.ways[index].tags["name"] == "Egypt" {
            data.ways[index].tags["name"] = "Ancient Egypt"
        }
        // The door stays behind without its room.
        data.ways.removeAll { $0.tags["ref:whereabouts"] == "store" }
        let options = ImportOptions(usualName: draft.name, frame: draft.frame)
        let file = try OpenStreetMapImport(options).site(from: data).document
        let echo = try #require(try format().echo(of: draft))
        let merge = ImportMerge(preferring: file, echo: echo, current: draft)
        var wanted = draft
        wanted.rooms.removeAll { $0.id.text == "store" }
        wanted.connections.removeAll { $0.id.text == "door.store" }
        let index = try #require(wanted.rooms.firstIndex { $0.id.text == "egypt" })
        wanted.rooms[index].name = "Ancient Egypt"
        #expect(merge.document == wanted)
        #expect(merge.report.conflictCount == 0)
    }

    @Test("A door that somebody draws in an editor joins the rooms of the export")
    func drawn() throws {
        let site = SampleMuseum.document
        var data = OpenStreetMapExport(site).data
        // On the wall between Egypt and Greece, in the rings of both.
        let place = site.frame.geographic(Point(x: 10, y: 15))
        data.nodes.append(
            .init(
                id: -1_000_000, latitude: place.latitude, longitude: place.longitude,
                tags: ["door": "hinged", "level": "0"]))
        for index in data.ways.indices
        where ["egypt", "greece"].contains(data.ways[index].tags["ref:whereabouts"]) {
            let nodes = data.ways[index].nodes.map { id in
                data.nodes.first { $0.id == id }
            }
            let points = nodes.compactMap { node in
                node.map {
                    site.frame.point(
                        .init(latitude: $0.latitude ?? 0, longitude: $0.longitude ?? 0))
                }
            }
            let edge = try #require(
                zip(points.indices, points.indices.dropFirst()).first { from, to in
                    abs(points[from].x - 10) < 0.1 && abs(points[to].x - 10) < 0.1
                        && min(points[from].y, points[to].y) < 15
                        && max(points[from].y, points[to].y) > 15
                })
            data.ways[index].nodes.insert(-1_000_000, at: edge.1)
        }
        let found = try OpenStreetMapImport().site(from: data).document
        let door = try #require(found.connections.first { $0.id.text == "n-1000000" })
        #expect(Set(door.stops.map(\.room?.text)) == ["egypt", "greece"])
        #expect(found.connections.count == site.connections.count + 1)
    }

    @Test("A room that somebody deletes takes its doors with it, and a copy has an id of its own")
    func deletedAndCopied() throws {
        var data = OpenStreetMapExport(SampleMuseum.document).data
        data.ways.removeAll { $0.tags["ref:whereabouts"] == "store" }
        let cafe = try #require(data.ways.first { $0.tags["ref:whereabouts"] == "cafe" })
        data.ways.append(.init(id: -900_000, nodes: cafe.nodes, tags: cafe.tags))
        let found = try OpenStreetMapImport().site(from: data)
        #expect(!found.document.connections.contains { $0.id.text == "door.store" })
        #expect(found.report.notes.contains { $0.what.rawValue == "dangling-reference" })
        let ids = found.document.rooms.map(\.id.text)
        #expect(ids.contains("cafe") && ids.contains("w-900000"))
        #expect(SiteValidation.faults(in: found.document).isEmpty)
    }

    @Test("Names that look like markup, and letters of all scripts, come back")
    func escaped() throws {
        var site = SampleSite.index.document
        site.rooms[0].name = #"<a href="x">&amp; 'Zürich' 東京 🙂</a>"#
        site.rooms[1].name = "]]>"
        let back = try imported(file(site)).document
        #expect(back.rooms[0].name == site.rooms[0].name)
        #expect(back.rooms[1].name == "]]>")
    }
}

extension SiteDocument {
    /// The site as far as Simple Indoor Tagging can say it.
    fileprivate var saidInOpenStreetMap: SiteDocument {
        var said = self
        (said.zones, said.locations, said.contents, said.beacons) = ([], [], [], [])
        (said.scanners, said.accessPointPlaces, said.floorPlans) = ([], [], [])
        said.surveyDiscards = []
        said.accessPoints = AccessPointRules()
        (said.audience, said.linkSecret, said.borrows) = (nil, nil, nil)
        said.outline = []
        for index in said.floors.indices {
            said.floors[index].heightMetres = nil
            said.floors[index].outline = []
            said.floors[index].visibility = nil
        }
        said.rooms = said.rooms.filter { !$0.isProposed && $0.outline.corners.count >= 3 }
        for index in said.rooms.indices {
            said.rooms[index].visibility = nil
            said.rooms[index].timetableVisibility = nil
        }
        for index in said.connections.indices {
            said.connections[index].opens = nil
            said.connections[index].riseMetres = nil
            if said.connections[index].isGlass == false { said.connections[index].isGlass = nil }
        }
        for index in said.directory.indices {
            said.directory[index].parent = nil
            said.directory[index].visibility = nil
            said.directory[index].places.removeAll { place in
                switch place {
                case .location, .zone: true
                case .building, .floor, .room: false
                }
            }
        }
        said.directory.removeAll { $0.places.isEmpty }
        return said
    }

    /// Takes over coordinates that differ only by rounding.
    fileprivate mutating func adoptPlaces(of other: SiteDocument, within metres: Double) {
        func near(_ one: [Point], _ other: [Point]) -> Bool {
            one.count == other.count
                && zip(one, other).allSatisfy { $0.distance(to: $1) <= metres }
        }
        for (index, theirs) in zip(rooms.indices, other.rooms) where rooms[index].id == theirs.id {
            if near(rooms[index].outline.corners, theirs.outline.corners) {
                rooms[index].outline = theirs.outline
            }
            if rooms[index].holes.count == theirs.holes.count,
                zip(rooms[index].holes, theirs.holes).allSatisfy({
                    near($0.corners, $1.corners)
                })
            {
                rooms[index].holes = theirs.holes
            }
        }
        for (index, theirs) in zip(buildings.indices, other.buildings)
        where near(buildings[index].outline.corners, theirs.outline.corners) {
            buildings[index].outline = theirs.outline
        }
        for (index, theirs) in zip(connections.indices, other.connections)
        where connections[index].id == theirs.id {
            if near(connections[index].stops.map(\.point), theirs.stops.map(\.point)) {
                for stop in connections[index].stops.indices {
                    connections[index].stops[stop].point = theirs.stops[stop].point
                }
            }
            if near(connections[index].line, theirs.line) { connections[index].line = theirs.line }
        }
    }
}
