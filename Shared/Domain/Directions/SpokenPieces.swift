import Events
import Geometry
import Site
import Wayfinding

/// A piece of a route: a walk, or something else than walking such as a door.
enum SpokenPiece {
    case walk(Stretch)
    case passage(PassagePiece)

    /// Whether the piece leads up or down.
    var isClimb: Bool {
        guard case .passage(let passage) = self else { return false }
        return passage.kind != .door && passage.kind != .walk
    }
}

/// A walk on one floor, over one leg or more.
struct Stretch {
    /// A part of the walk that has a name or landmarks of its own.
    struct Part {
        var leg: Int
        /// Metres from the beginning of the walk.
        var from: Double
        var connection: ConnectionID?
        var passed: [PassedRoom]
    }

    var floor: FloorID?
    var points: [Point]
    var parts: [Part]

    var metres: Double { points.lengthMetres }

    mutating func append(_ more: [Point]) {
        for point in more where points.last.map({ $0.distance(to: point) > 1e-6 }) ?? true {
            points.append(point)
        }
    }
}

/// A leg that is not a walk: a door, stairs, a lift.
struct PassagePiece {
    var leg: Int
    var connection: ConnectionID
    var kind: ConnectionRecord.Kind
    var startFloor: FloorID?
    var endFloor: FloorID?
    var start: Point
    var end: Point
    /// The last two points on the floor at its end; they give the direction in which the traveller
    /// leaves it.
    var endDirection: (from: Point, to: Point)?
    var riseMetres: Double?
    var isAutomatic: Bool
    /// The legs that are joined in it; more than one for flights of stairs.
    var legs: [Int]
    /// The rooms before and behind it, if the route gives them.
    var roomBefore: RoomID?
    var roomAfter: RoomID?
}

extension IndoorRoute {
    /// The route cut into pieces. Flights of stairs with only a landing between them are joined.
    ///
    /// - Parameter isStairwell: whether a room is a stairwell, whose landings may be longer.
    func pieces(isStairwell: (RoomID) -> Bool) -> [SpokenPiece] {
        var pieces: [SpokenPiece] = []
        for (index, leg) in legs.enumerated() {
            if var passage = leg.passing(index) {
                passage.roomBefore = index > 0 ? legs[index - 1].room : nil
                passage.roomAfter = index + 1 < legs.count ? legs[index + 1].room : endRoom
                pieces.append(.passage(passage))
                continue
            }
            let part = { (from: Double) in
                Stretch.Part(leg: index, from: from, connection: leg.walked, passed: leg.passed)
            }
            for (number, path) in leg.paths.enumerated() {
                let points = number > 0 ? path.after(leg.paths[number - 1]) : path.points
                if case .walk(var stretch)? = pieces.last, stretch.floor == path.floor {
                    stretch.parts.append(part(stretch.metres))
                    stretch.append(points)
                    pieces[pieces.count - 1] = .walk(stretch)
                } else {
                    var stretch = Stretch(floor: path.floor, points: [], parts: [part(0)])
                    stretch.append(points)
                    pieces.append(.walk(stretch))
                }
            }
        }
        return joinedFlights(pieces) { legs[$0].room.map(isStairwell) ?? false }
    }

    /// The longest landing between two flights, in metres: anywhere, and in a stairwell.
    private static let landingMetres = 5.0
    private static let stairwellMetres = 30.0

    private func joinedFlights(
        _ pieces: [SpokenPiece], isStairwell: (_ leg: Int) -> Bool
    ) -> [SpokenPiece] {
        var joined: [SpokenPiece] = []
        for piece in pieces {
            guard case .passage(let next) = piece,
                let before = flight(before: next, in: joined, isStairwell)
            else {
                joined.append(piece)
                continue
            }
            joined.removeSubrange(before.index...)
            var whole = before.flight
            whole.legs += next.legs
            whole.endFloor = next.endFloor
            whole.end = next.end
            whole.endDirection = next.endDirection
            whole.riseMetres = whole.riseMetres.flatMap { rise in
                next.riseMetres.map { rise + $0 }
            }
            joined.append(.passage(whole))
        }
        return joined
    }

    /// The flight before `next` that has its kind and direction, with at most a landing between
    /// them.
    private func flight(
        before next: PassagePiece, in pieces: [SpokenPiece], _ isStairwell: (_ leg: Int) -> Bool
    ) -> (index: Int, flight: PassagePiece)? {
        guard [.stairs, .escalator].contains(next.kind), var index = pieces.indices.last else {
            return nil
        }
        if case .walk(let landing) = pieces[index] {
            let isInside = landing.parts.allSatisfy { isStairwell($0.leg) }
            let most = isInside ? Self.stairwellMetres : Self.landingMetres
            guard landing.metres < most, index > 0 else { return nil }
            index -= 1
        }
        guard case .passage(let flight) = pieces[index], flight.kind == next.kind,
            (flight.riseMetres ?? 0) * (next.riseMetres ?? 0) >= 0
        else { return nil }
        return (index, flight)
    }
}

extension RouteLeg {
    /// The connection of a walk that has its own record, and may have a name.
    fileprivate var walked: ConnectionID? {
        if case .connection(let id, _) = passage { id } else { nil }
    }

    fileprivate var room: RoomID? { if case .room(let id) = passage { id } else { nil } }

    /// The piece for a leg that is not a walk; nil for a walk.
    fileprivate func passing(_ index: Int) -> PassagePiece? {
        guard case .connection(let id, let kind) = passage, kind != .walk,
            let start = paths.first?.points.first, let last = paths.last,
            let end = last.points.last
        else { return nil }
        let before = last.points.dropLast().last { $0.distance(to: end) > 0.3 }
        return PassagePiece(
            leg: index, connection: id, kind: kind, startFloor: startFloor, endFloor: endFloor,
            start: start, end: end, endDirection: before.map { ($0, end) }, riseMetres: riseMetres,
            isAutomatic: isAutomatic ?? false, legs: [index])
    }
}

extension FloorPath {
    /// The points without those that the path before it has shown: a way between floors has its
    /// line on both, and is walked once.
    fileprivate func after(_ before: FloorPath) -> [Point] {
        let shared = (0...min(points.count, before.points.count)).last {
            before.points.suffix($0).elementsEqual(points.prefix($0))
        }
        return Array(points.dropFirst(max(0, (shared ?? 0) - 1)))
    }
}
