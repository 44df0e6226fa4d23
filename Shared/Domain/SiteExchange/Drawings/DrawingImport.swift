import Events
import Geometry
public import Site

/// Puts the rooms of a drawing on a floor of a site.
///
/// Closed outlines become rooms, and so do areas that lines enclose. Texts within become their
/// names. A room that is there already, with the same outline or the same id, keeps its other
/// facts. Rooms that the drawing does not have stay.
public struct DrawingImport: Sendable {
    /// Outlines whose middles are this near, and whose areas differ this little, are of one room.
    private static let sameMetres = 0.5
    private static let sameShare = 0.1

    private let file: DrawingFile
    private let options: DrawingOptions

    public init(_ file: DrawingFile, _ options: DrawingOptions) {
        (self.file, self.options) = (file, options)
    }

    /// - Throws: the missing choice, or the reason why the drawing gives no rooms.
    public func site(_ site: SiteDocument) throws(ImportRefusal) -> ImportedSite {
        guard let unit = options.unit ?? file.unit else {
            throw ImportRefusal(
                .malformed, "the drawing does not state its unit: give one, such as millimetres")
        }
        guard let floor = options.floor else {
            throw ImportRefusal(.malformed, "give the floor that the drawing shows")
        }
        guard site.floors.contains(where: { $0.id == floor }) else {
            throw ImportRefusal(.malformed, "there is no floor \(shown(floor.text))")
        }
        let names = Set(file.layers.map(\.name))
        if let missing = options.layers?.first(where: { !names.contains($0) }) {
            throw ImportRefusal(.malformed, "the drawing has no layer \(shown(missing))")
        }
        let found = try DrawingRooms(file, options, metresPerUnit: unit.metres)
        guard !found.rooms.isEmpty else {
            throw ImportRefusal(
                .nothingToImport,
                "the chosen layers have no closed outline of a room: choose other layers")
        }
        var merging = Merging(site, floor)
        for room in found.rooms { merging.add(room) }
        var report = found.report
        report.count("rooms", found.rooms.count)
        report.count("roomsWithNames", found.rooms.count { !$0.name.isEmpty })
        for (kind, count) in file.leftOut.sorted(by: { $0.key < $1.key }) {
            report.note(kind, .partLeftOut, "\(count) of this kind were left out")
        }
        return try ImportedSite(document: merging.site, report: report).checked(after: site)
    }

    private struct Merging {
        private(set) var site: SiteDocument
        private let floor: FloorID
        private var places: [RoomID: Int] = [:]
        /// The rooms of the floor that no outline of the drawing has met yet.
        private var open: Set<Int> = []
        /// These rooms by the square of a metre in which their middle is.
        private var squares: [[Int]: [Int]] = [:]
        private var nextNumber = 1

        init(_ site: SiteDocument, _ floor: FloorID) {
            self.site = site
            self.floor = floor
            for (index, room) in site.rooms.enumerated() {
                places[room.id] = index
                guard room.floor == floor else { continue }
                open.insert(index)
                if let middle = room.outline.polygon?.centroid {
                    squares[Self.square(middle), default: []].append(index)
                }
            }
        }

        mutating func add(_ room: DrawingRooms.Room) {
            let id = Self.id(floor, room.name)
            let named = id.flatMap { places[$0] }.flatMap { open.contains($0) ? $0 : nil }
            if let index = same(room) ?? named {
                open.remove(index)
                site.rooms[index].outline = room.polygon.ring
                if !room.name.isEmpty, site.rooms[index].name.isEmpty {
                    site.rooms[index].name = room.name
                }
                return
            }
            let new = id.flatMap { places[$0] == nil ? $0 : nil } ?? free()
            places[new] = site.rooms.count
            site.rooms.append(
                RoomRecord(
                    id: new, floor: floor, name: room.name, kind: room.kind,
                    outline: room.polygon.ring))
        }

        /// The room that has this outline already.
        private func same(_ room: DrawingRooms.Room) -> Int? {
            let middle = room.polygon.centroid
            let square = Self.square(middle)
            let around = [-1, 0, 1].flatMap { x in
                [-1, 0, 1].flatMap { y in squares[[square[0] + x, square[1] + y]] ?? [] }
            }
            return around.sorted().first { index in
                guard open.contains(index), let polygon = site.rooms[index].outline.polygon
                else { return false }
                return polygon.centroid.distance(to: middle) <= DrawingImport.sameMetres
                    && abs(polygon.area - room.polygon.area)
                        <= DrawingImport.sameShare * polygon.area
            }
        }

        private static func square(_ point: Point) -> [Int] {
            [Int(point.x.rounded(.down)), Int(point.y.rounded(.down))]
        }

        private mutating func free() -> RoomID {
            while places[RoomID("\(floor)-room-\(nextNumber)")] != nil { nextNumber += 1 }
            return RoomID("\(floor)-room-\(nextNumber)")
        }

        /// An id of the letters and digits in the name; nil for a name without any.
        private static func id(_ floor: FloorID, _ name: String) -> RoomID? {
            let word = name.lowercased().unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    || scalar == "." ? Character(scalar) : "-"
            }
            let parts = String(word).split(separator: "-").joined(separator: "-")
            let id = "\(floor)-\(parts.prefix(30))"
            return parts.isEmpty || !isWellFormedIdentifier(id) ? nil : RoomID(id)
        }
    }
}
