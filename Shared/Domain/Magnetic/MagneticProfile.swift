/// The magnetic field along a route, at equal distances.
public struct MagneticProfile: Hashable, Sendable {
    /// The distance between two cells, in metres.
    public static let cellMetres = 0.25
    /// A sample counts for cells within this distance in metres, less the farther away it is.
    static let reachMetres = 0.4

    public let path: MagneticPath
    /// The feature of each cell. The first is at the path's start, the last at its end or just
    /// before it. Either all features have the part that points down, or none has.
    public let features: [FieldFeature]

    /// Makes the profile from a walk from the path's first point to its last.
    public init(_ walk: CheckedWalk, along path: MagneticPath) {
        self.path = path
        let hasGravity = walk.places.allSatisfy { $0.feature.down != nil }
        let count = Int((path.lengthMetres / Self.cellMetres).rounded()) + 1
        features = (0..<count).map { cell in
            Self.feature(atArc: Double(cell) * Self.cellMetres, walk.places, hasGravity)
        }
    }

    public func arc(ofCell cell: Int) -> Double {
        min(Double(cell) * Self.cellMetres, path.lengthMetres)
    }

    /// The weighted mean of the samples near a place. Where a fast walker left none, it is the
    /// nearest sample.
    private static func feature(
        atArc arc: Double, _ places: [CheckedWalk.Place], _ hasGravity: Bool
    ) -> FieldFeature {
        var (weights, magnitude, down) = (0.0, 0.0, 0.0)
        var nearest = places[0]
        for place in places[firstIndex(atArc: arc - reachMetres, places)...] {
            let distance = abs(place.walkedMetres - arc)
            if distance < abs(nearest.walkedMetres - arc) { nearest = place }
            if place.walkedMetres > arc + reachMetres { break }
            let weight = max(0, 1 - distance / reachMetres)
            weights += weight
            magnitude += weight * place.feature.magnitude
            down += weight * (place.feature.down ?? 0)
        }
        guard weights > 0 else {
            return FieldFeature(
                magnitude: nearest.feature.magnitude, down: hasGravity ? nearest.feature.down : nil)
        }
        return FieldFeature(magnitude: magnitude / weights, down: hasGravity ? down / weights : nil)
    }

    /// The last place before a distance, or the first place of all. Places ascend by the metres
    /// walked.
    private static func firstIndex(atArc arc: Double, _ places: [CheckedWalk.Place]) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].walkedMetres < arc { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
