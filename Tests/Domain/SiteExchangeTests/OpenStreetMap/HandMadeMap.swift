import Events
import Geometry
import Site
import SiteExchange

/// An OpenStreetMap file on a grid of metres, written thing by thing.
struct HandMadeMap {
    var data = OpenStreetMapData()
    private let frame = LocalFrame(originLatitude: 51, originLongitude: 0, bearingDegrees: 0)

    @discardableResult
    mutating func node(
        _ id: Int64, _ x: Double, _ y: Double, _ tags: [String: String] = [:]
    ) -> Int64 {
        let place = frame.geographic(Point(x: x, y: y))
        data.nodes.append(
            .init(id: id, latitude: place.latitude, longitude: place.longitude, tags: tags))
        return id
    }

    mutating func way(_ id: Int64, _ nodes: [Int64], _ tags: [String: String]) {
        data.ways.append(.init(id: id, nodes: nodes, tags: tags))
    }

    mutating func relation(
        _ id: Int64, outer: [Int64], inner: [Int64] = [], _ tags: [String: String]
    ) {
        let members =
            outer.map { OpenStreetMapData.Relation.Member(kind: .way, id: $0, role: "outer") }
            + inner.map { OpenStreetMapData.Relation.Member(kind: .way, id: $0, role: "inner") }
        data.relations.append(.init(id: id, members: members, tags: tags))
    }

    /// Adds the nodes of a rectangle, anticlockwise from its lower left corner, with ids from
    /// `first` on.
    mutating func rectangle(
        _ first: Int64, _ x: ClosedRange<Double>, _ y: ClosedRange<Double>
    ) -> [Int64] {
        node(first, x.lowerBound, y.lowerBound)
        node(first + 1, x.upperBound, y.lowerBound)
        node(first + 2, x.upperBound, y.upperBound)
        node(first + 3, x.lowerBound, y.upperBound)
        return [first, first + 1, first + 2, first + 3, first]
    }

    /// The imported site, with x and y as they were written here.
    func imported() throws -> ImportedSite {
        let options = ImportOptions(frame: frame)
        return try OpenStreetMapImport(options).site(from: data)
    }
}

extension ImportedSite {
    func connection(_ id: String) -> ConnectionRecord? {
        document.connections.first { $0.id.text == id }
    }

    func room(_ id: String) -> RoomRecord? { document.rooms.first { $0.id.text == id } }

    /// The floors of the stops; `-` for outdoors.
    func floors(of id: String) -> [String] {
        connection(id)?.stops.map { $0.floor?.text ?? "-" } ?? []
    }

    /// The rooms of the stops; `-` for none.
    func rooms(of id: String) -> [String] {
        connection(id)?.stops.map { $0.room?.text ?? "-" } ?? []
    }

    func notes(_ what: String) -> [String] {
        report.notes.filter { $0.what.rawValue == what }.map(\.id)
    }
}
