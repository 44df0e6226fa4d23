import Events
import Geometry
import Site

/// Makes connections of rows whose ids the site lacks.
struct NewConnections {
    private static let columns = ["kind", "rooms", "x", "y"]

    private let floors: [RoomID: FloorID]

    init(_ site: SiteDocument) {
        floors = Dictionary(site.rooms.map { ($0.id, $0.floor) }) { first, _ in first }
    }

    func connection(
        _ id: ConnectionID, _ cells: Cells
    ) throws(TableFault) -> ConnectionRecord {
        if let missing = Self.columns.first(where: { (cells[$0] ?? "").isEmpty }) {
            throw cells.fault(
                "\(missing) is needed: the site has no connection \(id), so the row is a new one")
        }
        let word = cells["kind"] ?? ""
        guard let kind = ConnectionRecord.Kind(rawValue: word) else {
            let known = ConnectionRecord.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw cells.fault("kind must be \(known), not \(shown(word))")
        }
        let first = try point(cells, "x", "y")
        let hasEnd = ["x2", "y2"].contains { !(cells[$0] ?? "").isEmpty }
        let last = hasEnd ? try point(cells, "x2", "y2") : first
        let words = (cells["rooms"] ?? "").split(separator: " ")
        let isLift = kind == .lift || kind == .platformLift
        guard words.count == 2 || isLift && words.count > 2 else {
            throw cells.fault(
                "rooms must be \(isLift ? "two or more" : "two") ids with spaces, or outdoors"
            )
        }
        var stops: [ConnectionStop] = []
        for word in words {
            let point = stops.isEmpty ? first : last
            if word == "outdoors" {
                stops.append(ConnectionStop(floor: nil, point: point))
                continue
            }
            let room = RoomID(String(word))
            guard let floor = floors[room] else {
                throw cells.fault("rooms: there is no room \(shown(String(word)))")
            }
            stops.append(ConnectionStop(floor: floor, room: room, point: point))
        }
        return ConnectionRecord(id: id, kind: kind, stops: stops)
    }

    private func point(_ cells: Cells, _ x: String, _ y: String) throws(TableFault) -> Point {
        guard let east = try cells.number(x), let north = try cells.number(y),
            max(abs(east), abs(north)) <= SiteLimits.coordinateMetres
        else { throw cells.fault("\(x) and \(y) must be metres within ±100,000") }
        return Point(x: east, y: north)
    }
}
