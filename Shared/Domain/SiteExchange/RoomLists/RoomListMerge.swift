import Events
import Geometry
public import Site

/// Merges a list of rooms into a site, by the rooms' numbers.
///
/// A room's number is its id, its name, or what its name begins with. Rooms of the list that the
/// site lacks are added without an outline. The report says which appeared, vanished, moved and got
/// another name. Nothing is removed or moved unless the options say so.
public struct RoomListMerge {
    private let list: RoomList
    private let options: RoomListOptions
    private var site: SiteDocument
    private var report = ImportReport()
    private var faults = TableFaults()
    private var buildings: [String: BuildingID] = [:]
    private var floors: [FloorID: FloorRecord] = [:]
    /// The floors by their ids, signs and names, and by their ordinals.
    private var signs: [String: [FloorRecord]] = [:]
    private var ordinals: [Int: [FloorRecord]] = [:]
    /// The rooms with each number.
    private var rooms: [String: [Int]] = [:]
    private var ids: Set<RoomID> = []
    private var met: Set<RoomID> = []
    private var moved: Set<SiteThing> = []

    public init(_ list: RoomList, _ options: RoomListOptions, into site: SiteDocument) {
        (self.list, self.options, self.site) = (list, options, site)
        for building in site.buildings {
            for word in [building.id.text, building.name] + Array(building.names.byLanguage.values)
            {
                buildings[word.lowercased()] = building.id
            }
        }
        for floor in site.floors {
            floors[floor.id] = floor
            ordinals[floor.ordinal, default: []].append(floor)
            let words = [floor.id.text, floor.level] + Array(floor.names.byLanguage.values)
            for word in Set(words.map { $0.lowercased() }) {
                signs[word, default: []].append(floor)
            }
        }
        for (index, room) in site.rooms.enumerated() {
            ids.insert(room.id)
            for key in Set([RoomNumber.key(room.id.text)] + RoomNumber.keys(of: room.name)) {
                rooms[key, default: []].append(index)
            }
        }
    }

    /// - Throws: the faults of all wrong lines; nothing is merged then.
    public mutating func merged() throws(TableFault) -> ImportedSite {
        for row in list.rows {
            do throws(TableFault) { try merge(row) } catch { faults.note(error) }
        }
        try faults.check()
        let vanished = vanished()
        for room in vanished {
            report.note(
                room.id.text, .vanished,
                options.removesVanished
                    ? "\(title(room)) is not in the list and is removed"
                    : "\(title(room)) is not in the list any more; it stays")
        }
        releaseMoved()
        if options.removesVanished { site.removeAll(Set(vanished.map { .room($0.id) })) }
        report.count("rooms", list.rows.count)
        report.count("vanished", vanished.count)
        if list.linesWithoutNumber > 0 {
            report.count("linesWithoutNumber", list.linesWithoutNumber)
        }
        return ImportedSite(document: site, report: report)
    }

    private func title(_ room: RoomRecord) -> String {
        room.name.isEmpty ? room.id.text : room.name
    }

    // MARK: Rows

    private mutating func merge(_ row: RoomList.Row) throws(TableFault) {
        let building = try building(of: row)
        let floor = try floor(of: row, in: building)
        let found = (rooms[RoomNumber.key(row.number)] ?? []).filter { index in
            let room = site.rooms[index]
            return !met.contains(room.id)
                && (building == nil || floors[room.floor]?.building == building)
        }
        guard let index = best(found, row, floor) else { return try add(row, floor) }
        let room = site.rooms[index]
        met.insert(room.id)
        rename(index, row)
        guard let floor, room.floor != floor else { return }
        let (old, new) = (sign(room.floor), sign(floor))
        report.count("moved")
        guard options.movesRooms else {
            report.note(
                room.id.text, .moved,
                "\(title(room)) is on level \(new) in the list, and on \(old) here; it stays")
            return
        }
        report.note(
            room.id.text, .moved,
            "\(title(room)) moves from level \(old) to \(new), without its outline and doors")
        site.rooms[index].floor = floor
        site.rooms[index].outline = []
        site.rooms[index].holes = []
        moved.insert(.room(room.id))
    }

    /// Removes the doors of rooms that move. Locations in them stay where they are.
    private mutating func releaseMoved() {
        guard !moved.isEmpty else { return }
        let isMoved: (SiteThing) -> Bool = { [moved] in moved.contains($0) }
        site.connections = site.connections.compactMap { way in
            way.references.contains(where: isMoved) ? way.without(isMoved) : way
        }
        for index in site.locations.indices {
            if let room = site.locations[index].room, isMoved(.room(room)) {
                site.locations[index].room = nil
            }
        }
    }

    /// The room that has this number. If there are several, it is the one on the stated floor, then
    /// the one with the number as its id.
    private func best(_ found: [Int], _ row: RoomList.Row, _ floor: FloorID?) -> Int? {
        found.min { left, right in
            func rank(_ index: Int) -> (Int, Int, Int) {
                let room = site.rooms[index]
                let isNumber = RoomNumber.key(room.id.text) == RoomNumber.key(row.number)
                return (room.floor == floor ? 0 : 1, isNumber ? 0 : 1, index)
            }
            return rank(left) < rank(right)
        }
    }

    private func building(of row: RoomList.Row) throws(TableFault) -> BuildingID? {
        guard !row.building.isEmpty else { return nil }
        guard let building = buildings[row.building.lowercased()] else {
            throw TableFault(
                line: row.line,
                "column \(column(.building)): there is no building \(shown(row.building))")
        }
        return building
    }

    private func floor(
        of row: RoomList.Row, in building: BuildingID?
    ) throws(TableFault) -> FloorID? {
        guard !row.floor.isEmpty else { return nil }
        let word = row.floor.lowercased()
        let isInBuilding = { (floor: FloorRecord) in
            building == nil || floor.building == building
        }
        let fitting = (signs[word] ?? []).filter(isInBuilding)
        let numbered = Int(word).flatMap { ordinals[$0] } ?? []
        let found = fitting.isEmpty ? numbered.filter(isInBuilding) : fitting
        guard let first = found.first else {
            throw TableFault(
                line: row.line, "column \(column(.floor)): there is no floor \(shown(row.floor))")
        }
        guard found.count == 1 else {
            // A floor of each building has this sign: the room says which is meant.
            let own = (rooms[RoomNumber.key(row.number)] ?? []).map { site.rooms[$0].floor }
            if let known = found.first(where: { own.contains($0.id) }) { return known.id }
            throw TableFault(
                line: row.line,
                "column \(column(.floor)): several buildings have a floor \(shown(row.floor)); "
                    + "choose the column of buildings")
        }
        return first.id
    }

    private func column(_ column: RoomList.Column) -> String {
        shown(list.columns[column] ?? column.rawValue)
    }

    private func sign(_ floor: FloorID) -> String { floors[floor]?.level ?? floor.text }

    /// The name in the list, after the number unless the id says it. So the number stays, and the
    /// list of the next year finds the room.
    private func name(_ row: RoomList.Row, of id: RoomID) -> String {
        let hasNumber =
            RoomNumber.key(id.text) == RoomNumber.key(row.number)
            || RoomNumber.keys(of: row.name).contains(RoomNumber.key(row.number))
        if row.name.isEmpty { return row.number }
        let long = "\(row.number) \(row.name)"
        return hasNumber || long.utf8.count > SiteLimits.textBytes ? row.name : long
    }

    private mutating func rename(_ index: Int, _ row: RoomList.Row) {
        let name = name(row, of: site.rooms[index].id)
        let former = site.rooms[index].name
        guard !row.name.isEmpty, former != name else { return }
        site.rooms[index].name = name
        report.count("renamed")
        report.note(
            site.rooms[index].id.text, .renamed,
            former.isEmpty ? "is now called \(name)" : "\(former) is now called \(name)")
    }

    private mutating func add(_ row: RoomList.Row, _ floor: FloorID?) throws(TableFault) {
        guard let floor = floor ?? options.floor, floors[floor] != nil else {
            throw TableFault(
                line: row.line,
                "room \(shown(row.number)) is new, and its floor is not stated: choose the column "
                    + "of floors, or a floor")
        }
        let word = row.number.unicodeScalars.map { scalar in
            isWellFormedIdentifier(String(Character(scalar))) ? Character(scalar) : "-"
        }
        let plain = String(String(word).prefix(40))
        guard
            let id = ([plain] + (1...99).map { "\(floor.text.prefix(20))-\(plain)-\($0)" }).map({
                RoomID($0)
            })
            .first(where: { !ids.contains($0) && isWellFormedIdentifier($0.text) })
        else { throw TableFault(line: row.line, "room \(shown(row.number)) has no free id") }
        ids.insert(id)
        met.insert(id)
        let kind = RoomWords.kind(row.name) ?? RoomWords.kind(row.kind)
        let usual = row.kind.isEmpty ? "room" : row.kind.lowercased()
        let room = RoomRecord(
            id: id, floor: floor, name: name(row, of: id), kind: kind ?? usual, outline: [])
        site.rooms.append(room)
        report.count("appeared")
        report.note(
            id.text, .appeared,
            "\(title(room)) is new on level \(sign(floor)); draw its outline")
    }

    // MARK: Vanished

    /// Rooms of the list of the last time that no row names. Without one, they are rooms with a
    /// digit in their name, on the floors of the listed rooms.
    private func vanished() -> [RoomRecord] {
        let unmet = site.rooms.filter { !met.contains($0.id) }
        if let former = options.former {
            let numbers = Set(former.rows.map { RoomNumber.key($0.number) })
            return unmet.filter { room in
                numbers.contains(RoomNumber.key(room.id.text))
                    || RoomNumber.keys(of: room.name).contains(where: numbers.contains)
            }
        }
        let floors = Set(site.rooms.filter { met.contains($0.id) }.map(\.floor))
        let unlisted: Set = ["corridor", "stairs", "lift", "area", "wall", "column", "platform"]
        return unmet.filter { room in
            floors.contains(room.floor) && !unlisted.contains(room.kind)
                && (room.name.contains(where: \.isNumber)
                    || room.name.isEmpty && room.id.text.contains(where: \.isNumber))
        }
    }
}

extension ImportNote.What {
    static let appeared = Self(rawValue: "appeared")
    static let vanished = Self(rawValue: "vanished")
    static let moved = Self(rawValue: "moved")
    static let renamed = Self(rawValue: "renamed")
}
