import Events
import Site

/// The heights of a graph's floors, as far as the site states them.
struct FloorHeights: Sendable {
    /// The height from floor to floor where the site states none, as is usual in offices. It is an
    /// assumption.
    static let usualMetres = 3.5
    /// The deviation between the heights of two buildings, whose floors of ordinal 0 may lie on a
    /// slope. It is an assumption.
    static let slopeMetres: Float = 3

    /// Metres above the building's floor of ordinal 0, for each of the graph's floors.
    let metres: [Float]
    private let buildings: [BuildingID?]

    init(_ floors: [FloorID], site: SiteIndex) {
        let records = floors.map { site.floor($0) }
        let stated = site.document.floors.filter { $0.heightMetres != nil }
        buildings = records.map { $0?.building }
        metres = records.map { record in
            guard let record else { return 0 }
            return Float(Self.height(of: record, stated))
        }
    }

    /// A floor without a height lies some usual heights above or below the nearest floor with one.
    /// If two are as near, it is the lower one.
    private static func height(of floor: FloorRecord, _ stated: [FloorRecord]) -> Double {
        if let height = floor.heightMetres { return height }
        let nearest =
            stated
            .filter { $0.building == floor.building }
            .min {
                (abs($0.ordinal - floor.ordinal), $0.ordinal)
                    < (abs($1.ordinal - floor.ordinal), $1.ordinal)
            }
        let known = (ordinal: nearest?.ordinal ?? 0, metres: nearest?.heightMetres ?? 0)
        return known.metres + usualMetres * Double(floor.ordinal - known.ordinal)
    }

    func areInOneBuilding(_ one: Int, _ other: Int) -> Bool {
        one == other || (buildings[one] != nil && buildings[one] == buildings[other])
    }

    /// The heights of people in a cell. A cell from which people change floors also has the lower
    /// or upper half of the way to the next floor.
    func range(of cell: Int, in graph: WalkableGraph) -> ClosedRange<Float> {
        let floor = Int(graph.cells[cell].floor)
        let own = metres[floor]
        var (low, high) = (own, own)
        for edge in graph.edges(of: cell) {
            let edge = graph.edges[edge]
            guard edge.direction == WalkableGraph.Edge.vertical else { continue }
            let other = Int(graph.cells[Int(edge.target)].floor)
            guard areInOneBuilding(floor, other) else { continue }
            low = min(low, (own + metres[other]) / 2)
            high = max(high, (own + metres[other]) / 2)
        }
        return low...high
    }
}
