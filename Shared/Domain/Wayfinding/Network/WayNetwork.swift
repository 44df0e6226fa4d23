import Events
import Geometry
public import Site

/// Where one can go in a site: the ways of its document as a graph over (place, level).
///
/// Nodes are stops of connections, those on one floor at one point being one; where paths bend in
/// rooms; and the cars of lifts, one for each floor. Arcs say what they stand for and how long they
/// are; what they cost is a profile's affair.
public struct WayNetwork: Sendable {
    /// Kinds of rooms that have no walls of their own: what lies in another room is a part of it.
    static let openKinds: Set<String> = ["area"]

    public let site: SiteIndex
    public var graph: RouteGraph { hierarchy.graph }
    let hierarchy: RouteHierarchy
    /// In the order of the graph's.
    let arcs: [WayArc]
    let nodes: [WayJunctions.Node]
    let spaces: [WalkSpace]
    /// The space that a room is, or is a part of.
    let spaceOfRoom: [RoomIndex: Int]
    /// By connection.
    let arcsOfConnection: [[ArcIndex]]
    let nodeOfStop: [[NodeIndex]]
    /// Doors for landmarks: by floor, where they are and the rooms that they lead into.
    let doorsOfFloor: [[(point: Point, room: RoomIndex)]]
    let arcsOfSpace: [[ArcIndex]]
    /// By connection, and by space.
    let openingHours: [Int: OpeningHours]
    let roomHours: [Int: OpeningHours]
    /// What a place that lies in no room may be joined to, by floor; outdoors comes first.
    let segments: [[WaySegment]]
    /// By node, a number that those share which hang together, whichever way one may go.
    let partOfNode: [Int]
    /// Whether a node hangs together with so much else that it is worth being led to.
    let isOnMainland: [Bool]
    /// Ways between outdoors and a floor.
    let waysOut: [WayOut]
    let reach: WayReach
    let ordinals: [FloorID: Int]
    private let connectionByID: [ConnectionID: Int]
    private let roomsOfKind: [String: [RoomIndex]]
    let entriesOfKind: [String: [DirectoryEntry]]

    /// - Throws: when the graph would be too large or too dense.
    public init(_ site: SiteIndex) throws(RouteGraphFault) {
        var builder = WayNetworkBuilder(site)
        builder.addSpaces()
        builder.addConnections()
        let points = builder.junctions.nodes.map(\.point)
        let graph = try RouteGraph(
            nodeCount: points.count, arcs: builder.graphArcs, points: points)
        hierarchy = try RouteHierarchy(graph)
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
        // At least a tenth of the largest part.
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
        openingHours = readHours(site.document.connections.map(\.openingHours))
    }

    func record(_ connection: Int) -> ConnectionRecord { site.document.connections[connection] }

    func connection(_ id: ConnectionID) -> Int? { connectionByID[id] }

    func rooms(ofKind kind: PlaceKind) -> [RoomIndex] {
        (roomsOfKind[kind.base] ?? []).filter { PlaceKind(site.room($0).kind).satisfies(kind) }
    }

    func segments(on level: Level) -> [WaySegment] { segments[level.map { $0.value + 1 } ?? 0] }

    /// The arc the other way, where there is one.
    func twin(of arc: ArcIndex) -> ArcIndex? {
        let ends = graph.arcs[arc.value]
        // Both ways of an arc stand side by side.
        return [arc.value + 1, arc.value - 1].first { index in
            guard arcs.indices.contains(index) else { return false }
            let other = graph.arcs[index]
            return other.tail == ends.head && other.head == ends.tail
                && arcs[index].course == arcs[arc.value].reversed.course
                && arcs[index].connection == arcs[arc.value].connection
        }.map { ArcIndex($0) }
    }

    /// The space that a point lies in, if it is in one; the smallest of several.
    func space(at point: Point, on floor: FloorIndex) -> Int? {
        for room in site.rooms(at: point, on: floor) {
            if let space = spaceOfRoom[room] { return space }
        }
        return nil
    }
}

/// By place in the list; what can't be read counts as always open.
private func readHours(_ texts: [String?]) -> [Int: OpeningHours] {
    var hours: [Int: OpeningHours] = [:]
    for (index, text) in texts.enumerated() { hours[index] = text.flatMap { OpeningHours($0) } }
    return hours
}
