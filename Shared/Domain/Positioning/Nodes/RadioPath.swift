public import Geometry
import Glibc
public import Site

/// The way of a signal between two places: its length, and the walls and floors that it crosses.
public struct RadioPath: Hashable, Sendable {
    /// Shorter ways count as one metre, where the path loss begins.
    static let leastMetres = 1.0
    /// More walls than this weaken no further: the signal finds other ways.
    static let mostWalls = 10

    /// In space.
    public var metres: Double
    public var walls: Int
    public var floors: Int

    public init(metres: Double, walls: Int, floors: Int) {
        self.metres = metres
        self.walls = walls
        self.floors = floors
    }

    /// The distance's logarithm to base 10.
    public var decades: Double { log10(max(Self.leastMetres, metres)) }
}

/// A place in space.
public struct RadioPlace: Hashable, Sendable {
    public var floor: FloorIndex
    public var point: Point
    /// Metres above the floor.
    public var height: Double

    public init(floor: FloorIndex, point: Point, height: Double) {
        self.floor = floor
        self.point = point
        self.height = height
    }
}

/// Finds the ways of signals in a site. Each change of room along the straight line in plan counts
/// as a wall.
public struct RadioPaths: Sendable {
    /// The height of devices above the floor, in the hand or on a table.
    public static let deviceHeightMetres = 1.2
    /// The height of nodes and beacons that state none.
    public static let usualHeightMetres = 1.5
    static let storeyMetres = 3.5
    /// Thinner rooms may be missed between two samples.
    static let sampleMetres = 0.5

    private let site: SiteIndex

    public init(_ site: SiteIndex) { self.site = site }

    /// Nil between different buildings.
    public func path(from start: RadioPlace, to end: RadioPlace) -> RadioPath? {
        let (first, last) = (site.floor(start.floor), site.floor(end.floor))
        guard first.building == last.building else { return nil }
        let plane = start.point.distance(to: end.point)
        let rise = elevation(of: end) - elevation(of: start)
        return RadioPath(
            metres: (plane * plane + rise * rise).squareRoot(),
            walls: walls(from: start, to: end.point, plane),
            floors: abs(first.ordinal - last.ordinal))
    }

    /// Metres above the floor of ordinal 0.
    func elevation(of place: RadioPlace) -> Double {
        let floor = site.floor(place.floor)
        return (floor.heightMetres ?? Double(floor.ordinal) * Self.storeyMetres) + place.height
    }

    private func walls(from start: RadioPlace, to end: Point, _ metres: Double) -> Int {
        let steps = max(1, Int((metres / Self.sampleMetres).rounded(.up)))
        var room = site.room(at: start.point, on: start.floor)
        var walls = 0
        var isInGap = false
        for step in 1...steps {
            let share = Double(step) / Double(steps)
            let point = Point(
                x: start.point.x + share * (end.x - start.point.x),
                y: start.point.y + share * (end.y - start.point.y))
            let next = site.room(at: point, on: start.floor)
            guard next != room else { continue }
            // A gap between two rooms is the wall between them, which counted where it began.
            if !isInGap { walls += 1 }
            isInGap = next == nil
            room = next
        }
        return min(walls, RadioPath.mostWalls)
    }
}
