import Geometry

/// A place on the line between the beacons before and after the nearest one (Flair 4.4.4).
///
/// The report works on x and finds y by the line's slope. Here distances are laid off along the
/// line itself, which is the same on a level line and also right on a steep one.
public struct LinearPositioning: BeaconPositioning {
    public let map: BeaconMap

    public init(map: BeaconMap) { self.map = map }

    /// A circle around the nearest beacon where no neighbour of it was heard.
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

    /// From the predecessor forwards by its distance, and from the successor backwards by its own.
    /// The nearest beacon stands between them, so the place does too.
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

    /// The nearest beacon ends the way, as far as it is heard: the device is before or behind it,
    /// whichever agrees better with the other beacon.
    private func besideEnd(_ end: BeaconSighting, _ other: BeaconSighting) -> BeaconPosition {
        guard let line = DirectedLine(from: end.point, to: other.point) else {
            return BeaconPosition(at: end)
        }
        let byOther = line.length - other.distanceMetres
        let byEnd = byOther >= 0 ? end.distanceMetres : -end.distanceMetres
        return position(on: line, (byEnd, end.distanceMetres), (byOther, other.distanceMetres))
    }

    /// Two opinions of where on the line the device is, each weighing 1 less its distance's share.
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
    /// Of length 1.
    let direction: Point
    /// From the start to the point that the line was drawn to.
    let length: Double

    /// Nil for one point: it has no direction.
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

    /// Metres from the line, which goes on at both ends.
    func distance(to point: Point) -> Double {
        abs((point.x - start.x) * direction.y - (point.y - start.y) * direction.x)
    }
}
