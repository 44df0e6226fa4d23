import Events
import Geometry
import Site

/// A part of a route on one arc. Pieces of the same connection or room become one leg.
struct RoutePiece {
    enum Passage: Hashable {
        case space(Int)
        case connection(Int)
        case approach
    }

    var passage: Passage
    var startLevel: Level
    var endLevel: Level
    var points: [Point]
    /// Longer than the line of its points where stairs wind upwards.
    var metres: Double
    var seconds: Double
    var rise: Double?
    /// Whether the piece is a step between a wall and a room; such a piece is not straightened.
    var isStep = false
    var isBackward = false
}

/// Turns the arcs of a route into pieces.
struct PieceWriter {
    let network: WayNetwork
    let costs: NetworkCosts

    func piece(_ index: ArcIndex) -> RoutePiece {
        let arc = network.arcs[index.value]
        let ends = network.graph.arcs[index.value]
        let (tail, head) = (network.nodes[ends.tail.value], network.nodes[ends.head.value])
        var piece = RoutePiece(
            passage: .approach, startLevel: tail.level, endLevel: head.level,
            points: [tail.point, head.point], metres: arc.metres, seconds: costs.seconds(arc),
            rise: arc.rise)
        if let space = arc.space { piece.passage = .space(space) }
        if let connection = arc.connection { piece.passage = .connection(connection) }
        switch arc.course {
        case .along(let first, let isBackward):
            let points = arc.connection.map { network.record($0).points(from: first) } ?? []
            piece.points = isBackward ? points.reversed() : points
            piece.isBackward = isBackward
        case .step(let number, let isOut):
            let step = arc.space.map { network.spaces[$0].entries[number].step } ?? []
            piece.points = isOut ? step.reversed() : step
            piece.isStep = true
        case .through, .board, .ride, .alight: piece.points = [head.point]
        case .inside: break
        }
        return piece
    }

    /// The pieces from a place to the node that it is linked to.
    func pieces(from anchor: PlaceAnchor) -> [RoutePiece] {
        guard let spot = anchor.spot else { return [] }
        switch anchor.join {
        case .node: return []
        case .space(let space, let vertex):
            return [walk(.space(space), spot, to: network.spaces[space].vertices[vertex].point)]
        case .straight:
            return [walk(.approach, spot, to: network.nodes[anchor.node.value].point)]
        case .arc(let arc, let shares, let foot):
            return [walk(.approach, spot, to: foot), part(of: arc, shares)]
        }
    }

    /// The pieces from a node to the place that is linked to it.
    func pieces(to anchor: PlaceAnchor) -> [RoutePiece] {
        if case .arc(let arc, let shares, let foot) = anchor.join, let spot = anchor.spot {
            return [part(of: arc, shares), walk(.approach, spot, to: foot).turned]
        }
        return pieces(from: anchor).reversed().map(\.turned)
    }

    func walk(_ passage: RoutePiece.Passage, _ spot: PlaceSpot, to point: Point) -> RoutePiece {
        let metres = spot.point.distance(to: point)
        return RoutePiece(
            passage: passage, startLevel: spot.level, endLevel: spot.level,
            points: [spot.point, point], metres: metres,
            seconds: metres / costs.rules.profile.walkingSpeed, rise: 0)
    }

    /// The part of an arc between two shares of its length.
    func part(of arc: ArcIndex, _ shares: ClosedRange<Double>) -> RoutePiece {
        var piece = piece(arc)
        let whole = piece.points.lengthMetres
        let share = shares.upperBound - shares.lowerBound
        piece.points = cut(
            piece.points, from: shares.lowerBound * whole, to: shares.upperBound * whole)
        piece.metres *= share
        piece.seconds *= share
        piece.rise = piece.rise.map { $0 * share }
        return piece
    }

    private func cut(_ points: [Point], from begin: Double, to end: Double) -> [Point] {
        var cut = [point(on: points, at: begin)]
        var along = 0.0
        for (start, next) in zip(points, points.dropFirst()) {
            along += start.distance(to: next)
            if along > begin, along < end { cut.append(next) }
        }
        cut.append(point(on: points, at: end))
        return cut
    }
}

/// The point at a distance along a line.
func point(on points: [Point], at metres: Double) -> Point {
    var along = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
        let length = start.distance(to: end)
        if along + length >= metres, length > 0 {
            let share = max(0, (metres - along) / length)
            return Point(
                x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
        }
        along += length
    }
    return points[points.count - 1]
}

extension RoutePiece {
    /// The same piece in the other direction, for walks on the level.
    var turned: RoutePiece {
        var piece = self
        (piece.startLevel, piece.endLevel) = (endLevel, startLevel)
        piece.points = points.reversed()
        return piece
    }
}
