import Events
import Geometry
public import Site

/// The graph of a site's walks, doors, stairs and lifts.
///
/// Its nodes are stops of connections, the bends of paths in rooms, and lift cars at each floor.
/// Stops at one point of a floor are one node. Each arc has its length and the connection or room
/// that it belongs to. Costs depend on a profile and are kept elsewhere.
public struct WayNetwork: Sendable {
    /// Kinds of rooms without walls: such a room is a part of the room around it.
    static let openKinds: Set<String> = ["area"]

    public let site: SiteIndex
    public var graph: RouteGraph { hierarchy.graph }
    let hierarchy: RouteHierarchy
    /// In the order of the graph's arcs.
    let arcs: [WayArc]
    let nodes: [WayJunctions.Node]
    let spaces: [WalkSpace]
    /// The space of each room; an open area has the space of the room around it.
    let spaceOfRoom: [RoomIndex: Int]
    /// The arcs of each connection, by its index.
    let arcsOfConnection: [[ArcIndex]]
    let nodeOfStop: [[NodeIndex]]
    /// The doors of each floor, for landmarks: their points and the rooms behind them.
    let doorsOfFloor: [[(point: Point, room: RoomIndex)]]
    let arcsOfSpace: [[ArcIndex]]
    /// Opening hours by the connection's index, and by the room's space.
    let openingHours: [Int: OpeningHours]
    let roomHours: [Int: OpeningHours]
    /// For each floor, outdoors first: the segments that a place outside all rooms may be linked
    /// to.
    let segments: [[WaySegment]]
    /// For each node, the number of its connected part; directions do not count.
    let partOfNode: [Int]
    /// Whether the node is in a large connected part of the network, so that routes may lead to it.
    let isOnMainland: [Bool]
    /// Connections between outdoors and a floor.
    let waysOut: [WayOut]
    let reach: WayReach
    let ordinals: [FloorID: Int]
    /// The nodes that came or moved since the order of the nodes was made from the whole graph.
    let changedNodes: Int
    private let connectionByID: [ConnectionID: Int]
    private let roomsOfKind: [String: [RoomIndex]]
    let entriesOfKind: [String: [DirectoryEntry]]
    /// The stops of lifts, stairs, escalators and ramps by their kinds.
    let stopsOfKind: [String: [PlacedStop]]

    /// - Parameter former: the network of an earlier form of the site. Where the two are mostly the
    ///   same, this one is made much faster. Its routes are the same as without.
    /// - Throws: if the graph would have too many nodes or arcs.
    public init(_ site: SiteIndex, after former: WayNetwork? = nil) throws(RouteGraphFault) {
        var builder = WayNetworkBuilder(site)
        builder.addSpaces(after: former)
        builder.addConnections()
        let points = builder.junctions.nodes.map(\.point)
        let graph = try RouteGraph(
            nodeCount: points.count, arcs: builder.graphArcs, points: points)
        let known = former.flatMap { FormerOrder($0, for: builder.junctions.nodes, graph, site) }
        changedNodes = known?.changedNodes ?? 0
        hierarchy = try RouteHierarchy(graph, order: known?.order ?? NodeOrder(dissecting: graph))
        self.site = site
        arcs = builder.arcs
        nodes = builder.junctions.nodes
        spaces = builder.spaces
        spaceOfRoom = builder.spaceOfRoom
        nodeOfStop = builder.junctions.nodeOfStop
        doorsOfFloor = builder.doorsOfFloor()
        var arcsOfConnection = [[ArcIndex]](repeating: [], count: site.document.connections.count)
        var arcsOfSpace = [[ArcIndex]](repeating: [], count: builder.spaces.count)
        for (index, arc) in builder.arcs.enumerated() {
            if let connection = arc.connection {
                arcsOfConnection[connection].append(ArcIndex(index))
            }
            if let space = arc.space { arcsOfSpace[space].append(ArcIndex(index)) }
        }
        self.arcsOfConnection = arcsOfConnection
        self.arcsOfSpace = arcsOfSpace
        roomHours = readHours(builder.spaces.map { site.room($0.room).openingHours })
        segments = builder.segments()
        ordinals = Dictionary(
            site.floors.map { ($0.id, $0.ordinal) }, uniquingKeysWith: { first, _ in first })
        let parts = builder.parts()
        partOfNode = parts.ofNode
        // A part is large if it has at least a tenth of the nodes of the largest.
        let largest = parts.sizes.max() ?? 0
        isOnMainland = parts.sizes.map { 10 * $0 >= largest }
        waysOut = Self.waysOut(of: site, builder.junctions)
        reach = WayReach(
            nodeCount: graph.nodeCount, arcs: graph.arcs,
            isWay: builder.arcs.map { $0.connection != nil })
        connectionByID = Dictionary(
            site.document.connections.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        roomsOfKind = Dictionary(
            grouping: site.rooms.indices.map { RoomIndex($0) },
            by: { PlaceKind(site.room($0).kind).base })
        entriesOfKind = Dictionary(
            grouping: site.document.directory, by: { PlaceKind($0.kind).base })
        stopsOfKind = Self.stopsOfKind(in: site, builder.junctions.nodeOfStop)
        openingHours = readHours(site.document.connections.map(\.openingHours))
    }

    func record(_ connection: Int) -> ConnectionRecord { site.document.connections[connection] }

    func connection(_ id: ConnectionID) -> Int? { connectionByID[id] }

    func rooms(ofKind kind: PlaceKind) -> [RoomIndex] {
        kind.servingBases.flatMap { roomsOfKind[$0] ?? [] }
            .filter { PlaceKind(site.room($0).kind).satisfies(kind) }
    }

    func segments(on level: Level) -> [WaySegment] { segments[level.map { $0.value + 1 } ?? 0] }

    /// The arc in the opposite direction; nil if there is none.
    func twin(of arc: ArcIndex) -> ArcIndex? {
        let ends = graph.arcs[arc.value]
        // The two directions of an arc have consecutive numbers.
        return [arc.value + 1, arc.value - 1].first { index in
            guard arcs.indices.contains(index) else { return false }
            let other = graph.arcs[index]
            return other.tail == ends.head && other.head == ends.tail
                && arcs[index].course == arcs[arc.value].reversed.course
                && arcs[index].connection == arcs[arc.value].connection
        }.map { ArcIndex($0) }
    }

    /// The room's own space; nil for a room that is a part of another's.
    func space(ofRoom id: RoomID) -> WalkSpace? {
        guard let room = site.roomIndex(id), let space = spaceOfRoom[room] else { return nil }
        return spaces[space].room == room ? spaces[space] : nil
    }

    /// The smallest space that contains the point; nil if none does.
    func space(at point: Point, on floor: FloorIndex) -> Int? {
        for room in site.rooms(at: point, on: floor) {
            if let space = spaceOfRoom[room] { return space }
        }
        return nil
    }
}

/// Opening hours by index in the list. Hours that can't be parsed are left out and count as always
/// open.
private func readHours(_ texts: [String?]) -> [Int: OpeningHours] {
    var hours: [Int: OpeningHours] = [:]
    for (index, text) in texts.enumerated() { hours[index] = text.flatMap { OpeningHours($0) } }
    return hours
}
