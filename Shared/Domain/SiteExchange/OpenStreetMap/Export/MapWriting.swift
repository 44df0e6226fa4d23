import Events
import Geometry
import Site

/// Makes nodes, ways and relations of a site's records. Things that nobody has uploaded have
/// negative ids, as in editors.
struct MapWriting {
    typealias Tags = OpenStreetMapData.Tags

    /// A point that things of one floor share; things of several floors are joined by no node.
    private struct Spot: Hashable {
        let floor: FloorID?
        let latitude: Int
        let longitude: Int
    }

    /// Degrees are whole numbers of these.
    private static let stepsPerDegree = 1e7

    let site: SiteDocument
    let floors: [FloorID: FloorRecord]
    private(set) var data = OpenStreetMapData()
    /// The doors of each room, which become nodes of its outline.
    var doors: [RoomID: [(point: Point, node: Int64)]] = [:]
    private let frame: LocalFrame
    private var spots: [Spot: Int64] = [:]

    init(_ site: SiteDocument) {
        self.site = site
        frame = site.frame
        floors = Dictionary(site.floors.map { ($0.id, $0) }) { first, _ in first }
    }

    // MARK: Things

    /// The node that all things of the floor have at this point.
    mutating func node(_ point: Point, on floor: FloorID?) -> Int64 {
        let spot = spot(point, on: floor)
        if let known = spots[spot] { return known }
        let id = addNode(point, [:])
        spots[spot] = id
        return id
    }

    /// A node with tags. Things of these floors that come later share it, unless another node was
    /// there first.
    mutating func node(_ point: Point, _ tags: Tags, sharedOn floors: [FloorID?]) -> Int64 {
        let id = addNode(point, tags)
        for floor in floors {
            let spot = spot(point, on: floor)
            if spots[spot] == nil { spots[spot] = id }
        }
        return id
    }

    mutating func addNode(_ point: Point, _ tags: Tags) -> Int64 {
        let id = -Int64(data.nodes.count + 1)
        let spot = spot(point, on: nil)
        data.nodes.append(
            .init(
                id: id, latitude: Double(spot.latitude) / Self.stepsPerDegree,
                longitude: Double(spot.longitude) / Self.stepsPerDegree, tags: tags))
        return id
    }

    @discardableResult
    mutating func addWay(_ nodes: [Int64], _ tags: Tags) -> Int64 {
        let id = -Int64(data.ways.count + 1)
        data.ways.append(.init(id: id, nodes: nodes, tags: tags))
        return id
    }

    mutating func addRelation(
        _ members: [(way: Int64, role: String)], _ tags: Tags
    ) {
        let id = -Int64(data.relations.count + 1)
        data.relations.append(
            .init(
                id: id,
                members: members.map { .init(kind: .way, id: $0.way, role: $0.role) }, tags: tags))
    }

    private func spot(_ point: Point, on floor: FloorID?) -> Spot {
        let degrees = frame.geographic(point)
        return Spot(
            floor: floor, latitude: Int((degrees.latitude * Self.stepsPerDegree).rounded()),
            longitude: Int((degrees.longitude * Self.stepsPerDegree).rounded()))
    }

    /// The closed line of nodes of a ring. Nodes that would stand twice in a row are one.
    mutating func ring(_ ring: Ring, on floor: FloorID?, with doors: [(Point, Int64)] = [])
        -> [Int64]
    {
        var nodes: [Int64] = []
        for (index, corner) in ring.corners.enumerated() {
            let next = ring.corners[(index + 1) % ring.corners.count]
            nodes.append(node(corner, on: floor))
            let within = doors.compactMap { point, node in
                share(of: point, from: corner, to: next).map { (share: $0, node: node) }
            }
            nodes += within.sorted { $0.share < $1.share }.map(\.node)
        }
        var kept: [Int64] = []
        for id in nodes where kept.last != id { kept.append(id) }
        while kept.count > 1, kept.first == kept.last { kept.removeLast() }
        return kept + kept.prefix(1)
    }

    /// The place of a point on a wall, 0 to 1; nil for one that is not on it, or at its ends.
    private func share(of point: Point, from start: Point, to end: Point) -> Double? {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return nil }
        let share = ((point.x - start.x) * dx + (point.y - start.y) * dy) / square
        let foot = Point(x: start.x + share * dx, y: start.y + share * dy)
        let reach = 0.02
        guard share > 0, share < 1, foot.distance(to: point) < reach,
            start.distance(to: point) > reach, end.distance(to: point) > reach
        else { return nil }
        return share
    }

    // MARK: Tags that many things have

    func named(_ name: String?, _ names: Translations) -> Tags {
        var tags: Tags = [:]
        if let name, !name.isEmpty { tags["name"] = name }
        for (language, text) in names.byLanguage where !text.isEmpty {
            tags["name:\(language)"] = text
        }
        return tags
    }

    /// The value of `level` for things on these floors, each once.
    func levels(_ ids: [FloorID?]) -> String? {
        var ordinals: [Int] = []
        for id in ids {
            guard let floor = id.flatMap({ floors[$0] }), !ordinals.contains(floor.ordinal) else {
                continue
            }
            ordinals.append(floor.ordinal)
        }
        return ordinals.isEmpty ? nil : ordinals.map(String.init).joined(separator: ";")
    }
}
