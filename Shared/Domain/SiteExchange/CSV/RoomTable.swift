import Events
import Geometry
public import Site

/// A table of rooms, for spreadsheets.
///
/// The columns `id` and `floor` are required. Optional are `name`, `name:xx` for each language,
/// `kind`, `outline` (well-known text in metres), `openingHours`, `accessible` (yes, no, unknown)
/// and `restricted` (yes, no). So are `visibility` and `timetableVisibility` (public, staff,
/// hidden; `-` removes the statement). So are `surface` and `tactilePaving` (yes, no). So are `x`
/// and `y` for the middle of a room, with `side` for a square around it. Facts of an existing room
/// that the table does not state stay as they are.
public enum RoomTable {
    private static let known: Set<String> = [
        "id", "floor", "name", "kind", "outline", "x", "y", "side", "accessible", "restricted",
        "openingHours", "visibility", "timetableVisibility", "surface", "tactilePaving",
    ]
    /// The most bytes of an outline. Real rooms with the most corners and holes have fewer.
    private static let mostOutlineBytes = 1 << 20

    // MARK: Out

    public static func table(of site: SiteDocument) -> DelimitedTable {
        let languages = Set(site.rooms.flatMap(\.names.byLanguage.keys)).sorted()
        let header =
            ["id", "floor", "name"] + languages.map { "name:\($0)" } + [
                "kind", "x", "y", "outline", "accessible", "restricted", "openingHours",
                "visibility", "timetableVisibility", "surface", "tactilePaving",
            ]
        let rows = site.rooms.enumerated().map { index, room in
            let middle = room.outline.polygon?.centroid
            let names = languages.map { room.names.byLanguage[$0] ?? "" }
            let place = [middle?.x, middle?.y].map { $0.map(shortNumber) ?? "" }
            let fields =
                [room.id.text, room.floor.text, room.name] + names + [room.kind] + place + [
                    WellKnownText.polygon(room.outline, holes: room.holes),
                    room.accessible.rawValue, room.isRestricted ? "yes" : "no",
                    room.openingHours ?? "", room.visibility?.rawValue ?? "",
                    room.timetableVisibility?.rawValue ?? "", room.surface ?? "",
                    room.hasTactilePaving.map { $0 ? "yes" : "no" } ?? "",
                ]
            return DelimitedTable.Row(line: index + 2, fields: fields)
        }
        return DelimitedTable(header: header, rows: rows)
    }

    /// Rounded to the centimetre. The exact shape is in the outline.
    private static func shortNumber(_ metres: Double) -> String {
        WellKnownText.number((metres * 100).rounded() / 100)
    }

    // MARK: In

    /// The site with the table's rooms: existing ones are changed, new ones added.
    ///
    /// - Throws: the faults of all wrong lines; the site is then unchanged.
    public static func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        var reading = TableReading(table, known: known, needed: ["id", "floor"])
        var site = site
        let floors = Set(site.floors.map(\.id))
        var places: [RoomID: Int] = [:]
        for (index, room) in site.rooms.enumerated() { places[room.id] = index }
        var seen: Set<RoomID> = []
        var corners = 0
        try reading.eachRow { (cells) throws(TableFault) in
            let id = RoomID(try cells.identifier("id"))
            let floor = FloorID(try cells.identifier("floor"))
            guard floors.contains(floor) else { throw cells.fault("there is no floor \(floor)") }
            guard seen.insert(id).inserted else {
                throw cells.fault("the room \(id) is in the table twice")
            }
            var room: RoomRecord
            if let place = places[id] {
                room = site.rooms[place]
            } else {
                room = RoomRecord(id: id, floor: floor, name: "", kind: "room", outline: [])
            }
            room.floor = floor
            try read(cells, into: &room)
            let isOver = corners > SiteLimits.corners
            corners += room.cornerCount
            guard corners <= SiteLimits.corners else {
                // The fault names this once. Further rooms are not kept.
                if isOver { return "room \(id)" }
                throw cells.fault("the table has over \(SiteLimits.corners) corners")
            }
            if let place = places[id] {
                site.rooms[place] = room
            } else {
                site.rooms.append(room)
            }
            return "room \(id)"
        }
        return try reading.checked(site)
    }

    private static func read(_ cells: Cells, into room: inout RoomRecord) throws(TableFault) {
        if let name = cells["name"] { room.name = name }
        if let kind = cells["kind"], !kind.isEmpty { room.kind = kind }
        for (language, name) in cells.names {
            room.names.byLanguage[language] = name.isEmpty ? nil : name
        }
        if let word = cells["accessible"], !word.isEmpty {
            guard let accessible = Accessibility(rawValue: word) else {
                throw cells.fault("accessible must be yes, no or unknown, not \(shown(word))")
            }
            room.accessible = accessible
        }
        if let isRestricted = try cells.flag("restricted") { room.isRestricted = isRestricted }
        if let surface = cells["surface"] { room.surface = surface.isEmpty ? nil : surface }
        if let isTactile = try cells.flag("tactilePaving") { room.hasTactilePaving = isTactile }
        if let hours = cells["openingHours"] { room.openingHours = hours.isEmpty ? nil : hours }
        if let visibility = try visibility(cells, "visibility") { room.visibility = visibility }
        if let visibility = try visibility(cells, "timetableVisibility") {
            room.timetableVisibility = visibility
        }
        if let text = cells["outline"], !text.isEmpty {
            guard text.utf8.count <= mostOutlineBytes else {
                throw cells.fault("the outline has over \(mostOutlineBytes) bytes")
            }
            guard let rings = WellKnownText.rings(text) else {
                throw cells.fault("the outline must be POLYGON ((x y, x y, …)) in metres")
            }
            room.outline = rings[0]
            room.holes = Array(rings.dropFirst())
        } else if let side = try cells.number("side") {
            guard let x = try cells.number("x"), let y = try cells.number("y"), side > 0 else {
                throw cells.fault("a square needs x, y and a side above 0")
            }
            let half = side / 2
            room.outline = [
                [x - half, y - half], [x + half, y - half], [x + half, y + half],
                [x - half, y + half],
            ]
            room.holes = []
        }
    }

    /// Nil where the table does not say it, and nil inside for what follows from others.
    private static func visibility(
        _ cells: Cells, _ column: String
    ) throws(TableFault) -> Visibility?? {
        guard let word = cells[column], !word.isEmpty else { return nil }
        if word == "-" { return .some(nil) }
        guard let visibility = Visibility(rawValue: word) else {
            throw cells.fault("\(column) must be public, staff, hidden or -, not \(shown(word))")
        }
        return visibility
    }
}
