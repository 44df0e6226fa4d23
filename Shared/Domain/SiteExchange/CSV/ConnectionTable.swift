import Events
import Geometry
public import Site

/// A table of doors, stairs, lifts and other connections, for spreadsheets.
///
/// The column `id` is required. Optional are `name`, `name:xx` for each language, and the facts of
/// the record: `accessible`, `widthMetres`, `slope`, `surface`, `kerbMetres`, `automatic`, `steps`.
/// So are `leads`, `handrail`, `doorKind`, `opens`, `glass`, `tactilePaving`, `offGround` and
/// `openingHours`.
/// An empty cell changes nothing, and `-` removes a fact.
///
/// A row whose id the site lacks is a new connection. Then `kind` is door, stairs, lift or another
/// kind. `rooms` has the ids of the rooms that it joins, with spaces, or `outdoors`. A lift may
/// have many. The columns `x` and `y` are its place in metres, and `x2` and `y2` its other end.
///
/// For a connection that is there these columns only help people to find a row, as `from` and `to`
/// do. They change nothing. Nor does `slopeOfGrid`: a slope from a grid of heights is not stated by
/// the table, so that the next grid can replace it.
public enum ConnectionTable {
    private static let places = ["id", "kind", "rooms", "from", "to", "x", "y", "name"]
    private static let facts = [
        "accessible", "widthMetres", "slope", "slopeOfGrid", "surface", "kerbMetres", "automatic",
        "steps", "leads", "handrail", "doorKind", "opens", "glass", "tactilePaving", "offGround",
        "openingHours",
    ]
    private static let known = Set(places + ["x2", "y2"] + facts)

    // MARK: Out

    public static func table(of site: SiteDocument) -> DelimitedTable {
        let languages = Set(site.connections.flatMap(\.names.byLanguage.keys)).sorted()
        let words = StopWords(site)
        let rows = site.connections.enumerated().map { index, way in
            let names = languages.map { way.names.byLanguage[$0] ?? "" }
            let fields = place(of: way, words) + [way.name ?? ""] + names + facts(of: way)
            return DelimitedTable.Row(line: index + 2, fields: fields)
        }
        return DelimitedTable(
            header: places + languages.map { "name:\($0)" } + facts, rows: rows)
    }

    /// In the order of `places`, without the name.
    private static func place(of way: ConnectionRecord, _ words: StopWords) -> [String] {
        let rooms = way.stops.map { $0.room?.text ?? ($0.floor == nil ? "outdoors" : "-") }
        func middle(_ axis: KeyPath<Point, Double>) -> String {
            guard let first = way.stops.first, let last = way.stops.last else { return "" }
            let metres = (first.point[keyPath: axis] + last.point[keyPath: axis]) / 2
            return WellKnownText.number((metres * 100).rounded() / 100)
        }
        return [
            way.id.text, way.kind.rawValue, rooms.joined(separator: " "),
            way.stops.first.map(words.text) ?? "",
            way.stops.dropFirst().map(words.text).joined(separator: " / "), middle(\.x),
            middle(\.y),
        ]
    }

    /// In the order of `facts`.
    private static func facts(of way: ConnectionRecord) -> [String] {
        func number(_ value: Double?) -> String { value.map(WellKnownText.number) ?? "" }
        func flag(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "" }
        return [
            way.accessible.rawValue, number(way.widthMetres),
            // A slope with a rise is a grid's.
            number(way.riseMetres == nil ? way.slope : nil),
            number(way.riseMetres == nil ? nil : way.slope), way.surface ?? "",
            number(way.kerbMetres), flag(way.isAutomatic), way.steps.map(String.init) ?? "",
            way.leads?.rawValue ?? "", way.handrail?.rawValue ?? "", way.doorKind?.rawValue ?? "",
            way.opens?.rawValue ?? "", flag(way.isGlass), flag(way.hasTactilePaving),
            flag(way.isOffGround), way.openingHours ?? "",
        ]
    }

    // MARK: In

    /// The site with the table's facts.
    ///
    /// - Throws: the faults of all wrong lines; the site is then unchanged.
    public static func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        var reading = TableReading(table, known: known, needed: ["id"])
        var site = site
        var places: [ConnectionID: Int] = [:]
        for (index, way) in site.connections.enumerated() { places[way.id] = index }
        let new = NewConnections(site)
        var seen: Set<ConnectionID> = []
        try reading.eachRow { (cells) throws(TableFault) in
            let id = ConnectionID(try cells.identifier("id"))
            guard seen.insert(id).inserted else {
                throw cells.fault("the connection \(id) is in the table twice")
            }
            guard let place = places[id] else {
                var way = try new.connection(id, cells)
                try read(cells, into: &way)
                if let fact = way.unfittingFacts.first { throw cells.fault(way.misfit(fact)) }
                site.connections.append(way)
                return "connection \(id)"
            }
            let former = site.connections[place]
            try read(cells, into: &site.connections[place])
            let way = site.connections[place]
            let known = former.unfittingFacts
            if let fact = way.unfittingFacts.first(where: { !known.contains($0) }) {
                throw cells.fault(way.misfit(fact))
            }
            return "connection \(id)"
        }
        return try reading.checked(site)
    }

    private static func read(
        _ cells: Cells, into way: inout ConnectionRecord
    ) throws(TableFault) {
        for (language, name) in cells.names where !name.isEmpty {
            way.names.byLanguage[language] = name == "-" ? nil : name
        }
        if let name = cells.fact("name") { way.name = name }
        if let surface = cells.fact("surface") { way.surface = surface }
        if let hours = cells.fact("openingHours") { way.openingHours = hours }
        if let width = try cells.numericFact("widthMetres") { way.widthMetres = width }
        if let kerb = try cells.numericFact("kerbMetres") { way.kerbMetres = kerb }
        if let steps = try cells.numericFact("steps") {
            way.steps = try cells.whole(steps, "steps")
        }
        // Tables of an earlier release have the slopes of grids among those that are stated.
        if let slope = try cells.numericFact("slope"), slope != way.slope {
            (way.slope, way.riseMetres) = (slope, nil)
        }
        if let flag = try cells.flagFact("automatic") { way.isAutomatic = flag }
        if let flag = try cells.flagFact("glass") { way.isGlass = flag }
        if let flag = try cells.flagFact("tactilePaving") { way.hasTactilePaving = flag }
        if let flag = try cells.flagFact("offGround") { way.isOffGround = flag ?? false }
        if let word: Accessibility? = try cells.word("accessible") {
            way.accessible = word ?? .unknown
        }
        if let word: Ascent? = try cells.word("leads") { way.leads = word }
        if let word: Handrail? = try cells.word("handrail") { way.handrail = word }
        if let word: DoorKind? = try cells.word("doorKind") { way.doorKind = word }
        if let word: DoorSwing? = try cells.word("opens") { way.opens = word }
    }
}

/// The places of stops as people know them.
private struct StopWords {
    private var floors: [FloorID: String] = [:]
    private var rooms: [RoomID: String] = [:]

    init(_ site: SiteDocument) {
        var buildings: [BuildingID: String] = [:]
        for building in site.buildings { buildings[building.id] = building.name }
        for floor in site.floors {
            let building = buildings[floor.building] ?? floor.building.text
            floors[floor.id] = "\(building), level \(floor.level)"
        }
        for room in site.rooms { rooms[room.id] = room.name.isEmpty ? room.id.text : room.name }
    }

    /// Such as `Main building, level 2, Reading room`.
    func text(_ stop: ConnectionStop) -> String {
        guard let floor = stop.floor else { return "outdoors" }
        let room = stop.room.map { ", \(rooms[$0] ?? $0.text)" } ?? ""
        return (floors[floor] ?? floor.text) + room
    }
}

/// Facts of a row: nil where the table does not state one, and nil inside where it removes it.
extension Cells {
    fileprivate func fact(_ name: String) -> String?? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return .some(text == "-" ? nil : text)
    }

    fileprivate func numericFact(_ name: String) throws(TableFault) -> Double?? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return .some(text == "-" ? nil : try number(name))
    }

    fileprivate func flagFact(_ name: String) throws(TableFault) -> Bool?? {
        guard let text = self[name], !text.isEmpty else { return nil }
        return .some(text == "-" ? nil : try flag(name))
    }

    fileprivate func whole(_ value: Double?, _ name: String) throws(TableFault) -> Int? {
        guard let value else { return nil }
        guard SiteLimits.steps.contains(value), value == value.rounded() else {
            throw fault("\(name) must be a whole number, 0 to \(Int(SiteLimits.steps.upperBound))")
        }
        return Int(value)
    }

    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(TableFault) -> Word?? {
        guard let text = self[name], !text.isEmpty else { return nil }
        if text == "-" { return .some(nil) }
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault("\(name) must be \(known) or -, not \(shown(text))")
        }
        return .some(word)
    }
}
