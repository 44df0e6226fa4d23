import Geometry

/// A place on the line between the beacons before and after the nearest one (Flair 4.4.4).
///
/// The report computes x, and finds y by the line's slope. Here distances are measured along the
/// line itself. That is the same on a level line, and also right on a steep one.
public struct LinearPositioning: BeaconPositioning {
    public let map: BeaconMap

    public init(map: BeaconMap) { self.map = map }

    /// The position; a circle around the nearest beacon where no neighbour of it was received.
    public func position(of sightings: [BeaconSighting]) -> BeaconPosition? {
        guard let neighbours = BeaconNeighbours(sightings, on: map) else { return nil }
        switch (neighbours.predecessor, neighbours.successor) {
        case (let predecessor?, let successor?):
            return between(predecessor, successor)
        case (let other?, nil), (nil, let other?):
            return besideEnd(neighbours.nearest, other)
        case (nil, nil):
            return BeaconPosition(at: neighbours.nearest)
        }
    }

    /// One estimate goes from the predecessor forwards by its distance, the other from the
    /// successor backwards. The nearest beacon stands between the two, so the place does too.
    private func between(
        _ predecessor: BeaconSighting, _ successor: BeaconSighting
    ) -> BeaconPosition {
        guard let line = DirectedLine(from: predecessor.point, to: successor.point) else {
            return BeaconPosition(at: min(predecessor, successor))
        }
        let forwards = line.clamped(predecessor.distanceMetres)
        let backwards = line.clamped(line.length - successor.distanceMetres)
        return position(
            on: line, (forwards, predecessor.distanceMetres),
            (backwards, successor.distanceMetres))
    }

    /// The nearest beacon is the last received one of its group. The device is before or behind it,
    /// whichever agrees better with the other beacon.
    private func besideEnd(_ end: BeaconSighting, _ other: BeaconSighting) -> BeaconPosition {
        guard let line = DirectedLine(from: end.point, to: other.point) else {
            return BeaconPosition(at: end)
        }
        let byOther = line.length - other.distanceMetres
        let byEnd = byOther >= 0 ? end.distanceMetres : -end.distanceMetres
        return position(on: line, (byEnd, end.distanceMetres), (byOther, other.distanceMetres))
    }

    /// The weighted mean of two estimates along the line. Each one's weight is 1 less its share of
    /// the distances.
    private func position(
        on line: DirectedLine, _ first: (along: Double, distance: Double),
        _ second: (along: Double, distance: Double)
    ) -> BeaconPosition {
        let total = first.distance + second.distance
        let share = total > 0 ? second.distance / total : 0.5
        let along = first.along * share + second.along * (1 - share)
        return BeaconPosition(
            centre: line.point(along),
            extent: .bar(
                from: line.point(min(first.along, second.along)),
                to: line.point(max(first.along, second.along))))
    }
}

/// A line with a start and a direction, in metres.
struct DirectedLine: Hashable, Sendable {
    let start: Point
    /// The direction as a vector of length 1.
    let direction: Point
    /// The distance from the start to the end point.
    let length: Double

    /// Nil if both points are equal, because a line needs a direction.
    init?(from start: Point, to end: Point) {
        length = start.distance(to: end)
        guard length > 0 else { return nil }
        self.start = start
        direction = Point(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
    }

    func point(_ along: Double) -> Point {
        Point(x: start.x + along * direction.x, y: start.y + along * direction.y)
    }

    func clamped(_ along: Double) -> Double { min(length, max(0, along)) }

    /// The distance in metres from the line, which is endless in both directions.
    func distance(to point: Point) -> Double {
        abs((point.x - start.x) * direction.y - (point.y - start.y) * direction.x)
    }
}
