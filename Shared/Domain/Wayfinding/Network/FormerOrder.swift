import Events
import Geometry
import Site

/// The order of a former network's nodes, taken over for the network of a changed site.
///
/// Any order gives the same routes; a poor one makes searches slower. So nodes that are new come
/// first, and when many have changed since the last dissection, there is none to take over.
struct FormerOrder {
    /// The graph is dissected again when a twentieth of its nodes have changed.
    private static let mostChanged = 20

    let order: NodeOrder
    let changedNodes: Int

    /// Where a node is. Several may be at one point, such as the two sides of a door: they are told
    /// apart by their order.
    private struct Place: Hashable {
        var level: Int
        var x: Int
        var y: Int
        var number: Int
    }

    init?(
        _ former: WayNetwork, for nodes: [WayJunctions.Node], _ graph: RouteGraph,
        _ site: SiteIndex
    ) {
        let levels = former.site.floors.map { site.floorIndex($0.id)?.value }
        let ranks = former.hierarchy.rank
        var rankOfPlace: [Place: Int32] = [:]
        rankOfPlace.reserveCapacity(ranks.count)
        for (node, place) in Self.places(of: former.nodes, level: { levels[$0] }) {
            rankOfPlace[place] = ranks[node]
        }
        var ranked: [(rank: Int32, node: Int)] = []
        ranked.reserveCapacity(nodes.count)
        var new: [Int] = []
        for (node, place) in Self.places(of: nodes, level: { $0 }) {
            if let rank = rankOfPlace[place] {
                ranked.append((rank, node))
            } else {
                new.append(node)
            }
        }
        let gone = ranks.count - ranked.count
        changedNodes = former.changedNodes + new.count + gone
        guard changedNodes * Self.mostChanged <= nodes.count else { return nil }
        var degree = [Int](repeating: 0, count: nodes.count)
        for arc in graph.arcs { degree[arc.tail.value] += 1 }
        new.sort { (degree[$0], $0) < (degree[$1], $1) }
        ranked.sort { $0.rank < $1.rank }
        order = NodeOrder(new.map { NodeIndex($0) } + ranked.map { NodeIndex($0.node) })
    }

    /// Each node with its place; nodes of a floor that is gone are left out.
    private static func places(
        of nodes: [WayJunctions.Node], level: (Int) -> Int?
    ) -> [(node: Int, place: Place)] {
        var places: [(node: Int, place: Place)] = []
        places.reserveCapacity(nodes.count)
        var seen: [Place: Int] = [:]
        seen.reserveCapacity(nodes.count)
        for (index, node) in nodes.enumerated() {
            var number = -1
            if let floor = node.level {
                guard let known = level(floor.value) else { continue }
                number = known
            }
            let first = Place(
                level: number, x: Int((node.point.x * 1_000).rounded()),
                y: Int((node.point.y * 1_000).rounded()), number: 0)
            var place = first
            place.number = seen[first, default: 0]
            seen[first, default: 0] += 1
            places.append((index, place))
        }
        return places
    }
}
