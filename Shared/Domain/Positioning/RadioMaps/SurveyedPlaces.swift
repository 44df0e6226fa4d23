public import Geometry

/// The surveyed points of a radio map, for measuring the distance from a point to the nearest one.
public struct SurveyedPlaces: Sendable {
    /// Metres; distances are not measured beyond this.
    public static let farthest = 30.0
    private static let cellMetres = 4.0

    private struct Cell: Hashable {
        let floor: Int32
        let x: Int32
        let y: Int32
    }

    private var points: [Cell: [Point]] = [:]

    /// Collects the points of the fingerprints. Points in the same square decimetre count once.
    public init(_ map: RadioMap) {
        struct Decimetres: Hashable {
            let floor: Int32
            let x: Int64
            let y: Int64
        }
        var known: Set<Decimetres> = []
        for fingerprint in map.fingerprints {
            let key = Decimetres(
                floor: fingerprint.floor, x: Int64((fingerprint.point.x * 10).rounded()),
                y: Int64((fingerprint.point.y * 10).rounded()))
            if known.insert(key).inserted {
                points[cell(fingerprint.point, fingerprint.floor), default: []].append(
                    fingerprint.point)
            }
        }
    }

    /// The surveyed points of a floor, in no particular order.
    public func points(on floor: Int32) -> [Point] {
        points.filter { $0.key.floor == floor }.flatMap(\.value)
    }

    /// Metres to the nearest surveyed point of the floor, at most `farthest`.
    public func distance(from point: Point, floor: Int32) -> Double {
        var nearest = Self.farthest
        let own = cell(point, floor)
        let rings = Int32((Self.farthest / Self.cellMetres).rounded(.up))
        for ring in 0...rings {
            // Points in this ring and beyond are at least this far away.
            if nearest <= Double(ring - 1) * Self.cellMetres { break }
            for x in -ring...ring {
                // Only the cells on the ring's edge are visited, because the inner rings are done.
                let step = abs(x) == ring || ring == 0 ? 1 : 2 * ring
                for y in stride(from: -ring, through: ring, by: Int(step)) {
                    let other = Cell(floor: floor, x: own.x + x, y: own.y + y)
                    for place in points[other] ?? [] {
                        nearest = min(nearest, place.distance(to: point))
                    }
                }
            }
        }
        return nearest
    }

    private func cell(_ point: Point, _ floor: Int32) -> Cell {
        Cell(
            floor: floor, x: Int32((point.x / Self.cellMetres).rounded(.down)),
            y: Int32((point.y / Self.cellMetres).rounded(.down)))
    }
}
