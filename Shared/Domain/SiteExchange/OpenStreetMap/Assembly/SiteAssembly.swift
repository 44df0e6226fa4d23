import Events
import Geometry
import Site

/// Assembles a site from an OpenStreetMap file: the data that the parts of the import share, and
/// the checks for each new record.
struct SiteAssembly {
    let contents: MapContents
    let options: ImportOptions
    var nodes: MapNodes { contents.nodes }
    var paths: [MapPath] { contents.paths }
    var report: ImportReport
    var floors: MapFloors
    var rooms = MapRooms([])
    var levels: PathLevels
    /// Doors in the middle of a path, each with the two neighbouring nodes.
    var cuts: [Int64: [Int64]] = [:]
    /// The nodes of all crossings of streets.
    var nodesOfCrossings: Set<Int64> = []
    let walls: MapWalls
    var locations: [LocationRecord] = []
    var directory: [DirectoryEntry] = []
    /// The place, kind and name of each directory entry so far.
    var signs: Set<String> = []
    /// Pairs of rooms with an opening or a door between them, smaller index first.
    var joined: Set<[Int]> = []
    /// Rooms in which stairs or a lift are drawn.
    var roomsWithShafts: Set<RoomID> = []
    /// For each node where a path has a stop, the levels of these stops; nil for outdoors.
    var stopLevels: [Int64: Set<MapLevel?>] = [:]
    private(set) var buildings: [BuildingRecord] = []
    private(set) var roomRecords: [RoomRecord] = []
    private(set) var connections: [ConnectionRecord] = []
    private var connectionIDs: Set<ConnectionID> = []
    private var roomIDs: Set<RoomID> = []
    private var counted: Set<String> = []

    init(_ contents: MapContents, options: ImportOptions) {
        self.contents = contents
        self.options = options
        var report = contents.report
        var outlines: [(area: MapArea, outline: Polygon)] = []
        for building in contents.buildings {
            guard isWellFormedIdentifier(building.id) else { continue }
            do throws(OutlineFault) {
                outlines.append((building, try contents.nodes.outline(building.outer)))
            } catch {
                report.note(building.id, error.what, error.detail)
            }
        }
        floors = MapFloors(outlines, own: contents.own)
        walls = MapWalls(contents.walls)
        levels = PathLevels(contents, rings: [:])
        self.report = report
        for (building, outline) in outlines { add(building, outline) }
        let drawn = buildingIDs
        buildings += contents.own.buildings.filter { !drawn.contains($0.id) }
    }

    var buildingIDs: Set<BuildingID> { Set(buildings.map(\.id)) }

    private mutating func add(_ building: MapArea, _ outline: Polygon) {
        let facts = building.facts
        if building.isOwn {
            var record = OwnSite.building(
                BuildingID(building.id), facts, timeZone: options.timeZone)
            record.outline = outline.ring
            return buildings.append(record)
        }
        for level in facts.buildingLevels { floors.addStorey(level, at: outline.innerPoint) }
        let address = ["addr:street", "addr:housenumber"].compactMap { facts.text($0) }
            .joined(separator: " ")
        let name = facts.name ?? facts.text("addr:housename") ?? address
        buildings.append(
            BuildingRecord(
                id: BuildingID(building.id),
                name: name.isEmpty || name.utf8.count > SiteLimits.textBytes ? building.id : name,
                names: facts.names, timeZone: options.timeZone,
                outline: outline.ring,
                address: address.isEmpty || address.utf8.count > SiteLimits.textBytes
                    ? facts.text("addr:full") : address))
    }

    /// Counts a thing of the file once, even if it became several records.
    mutating func count(_ kind: String, _ source: String) {
        if counted.insert("\(kind) \(source)").inserted { report.count(kind) }
    }

    mutating func add(_ connection: ConnectionRecord) {
        guard isWellFormedIdentifier(connection.id.text) else {
            report.note(connection.id.text, .malformedIdentifier, "its id is too long for a site")
            return
        }
        guard connectionIDs.insert(connection.id).inserted else {
            report.note(connection.id.text, .duplicateIdentifier, "another part has this id")
            return
        }
        connections.append(connection)
    }

    /// Returns false if the room can't be added.
    mutating func add(_ room: RoomRecord) -> Bool {
        guard isWellFormedIdentifier(room.id.text) else {
            report.note(room.id.text, .malformedIdentifier, "its id is too long for a site")
            return false
        }
        guard roomIDs.insert(room.id).inserted else {
            report.note(room.id.text, .duplicateIdentifier, "another room has this id")
            return false
        }
        roomRecords.append(room)
        return true
    }

    /// The document, if it passes `SiteValidation`.
    mutating func finish(_ frame: LocalFrame, named name: String?) throws(ImportRefusal)
        -> ImportedSite
    {
        guard !connections.isEmpty || !roomRecords.isEmpty || !buildings.isEmpty else {
            throw ImportRefusal(
                .nothingToImport, "the file has no path, room, door, lift or building")
        }
        guard !rooms.isExhausted else {
            throw ImportRefusal(
                .tooLarge, "thousands of its rooms overlap on one floor")
        }
        let name = options.name ?? name ?? OpenStreetMapImport.unnamed
        if floors.hasSiteBuilding, !buildingIDs.contains(MapFloors.siteBuilding) {
            buildings.insert(
                BuildingRecord(
                    id: MapFloors.siteBuilding, name: name, timeZone: options.timeZone), at: 0)
        }
        let floorRecords = floors.records(named: contents.levelNames)
        let own = contents.own.facts
        let document = SiteDocument(
            name: name, names: own?.names ?? Translations(),
            attribution: own.map { $0.text("attribution") } ?? "© OpenStreetMap contributors",
            originLatitude: frame.origin.latitude, originLongitude: frame.origin.longitude,
            bearingDegrees: frame.bearingDegrees,
            buildings: buildings,
            floors: floorRecords, rooms: roomRecords.sorted { $0.id < $1.id },
            locations: locations.sorted { $0.id < $1.id },
            connections: connections.sorted { $0.id < $1.id },
            directory: directory.sorted { $0.id < $1.id })
        report.count("levels", floors.levels.count)
        report.count("floors", floorRecords.count)
        report.count("buildings", buildings.count)
        report.count("connections", connections.count)
        let imported = ImportedSite(document: document, report: report).fitting()
        if let fault = SiteValidation.faults(in: imported.document).first {
            throw ImportRefusal(
                fault.code == .tooMany ? .tooLarge : .invalidSite,
                "\(fault.subject): \(fault.detail)")
        }
        return imported
    }
}

/// The reason why a ring of nodes is no valid outline.
struct OutlineFault: Error {
    let what: ImportNote.What
    let detail: String
}

extension MapNodes {
    /// The ring as a valid outline.
    func outline(_ ring: [Int64]) throws(OutlineFault) -> Polygon {
        var corners: [Point] = []
        for point in points(ring) where corners.last != point { corners.append(point) }
        while corners.count > 1, corners.first == corners.last { corners.removeLast() }
        guard corners.count <= SiteLimits.cornersPerRoom else {
            throw OutlineFault(
                what: .tooManyPoints,
                detail: "it has \(corners.count) corners; the most is \(SiteLimits.cornersPerRoom)")
        }
        guard let polygon = Polygon(corners) else {
            throw OutlineFault(what: .tooFewPoints, detail: "an outline has at least three corners")
        }
        guard polygon.isSimple else {
            throw OutlineFault(
                what: .outlineCrossesItself, detail: "its outline crosses or touches itself")
        }
        return polygon
    }
}
