import Events
import Geometry
import Site

/// Joins the pieces of a route into legs.
struct LegWriter {
    let network: WayNetwork
    let costs: NetworkCosts
    /// Whether the legs list the rooms that they pass. Finding these takes most of the time.
    var hasLandmarks = true

    func legs(_ pieces: [RoutePiece]) -> [RouteLeg] {
        var groups: [[RoutePiece]] = []
        for piece in pieces {
            if groups.last?.last?.passage == piece.passage {
                groups[groups.count - 1].append(piece)
            } else {
                groups.append([piece])
            }
        }
        return groups.compactMap { group in
            switch group[0].passage {
            case .space(let space): room(space, group)
            case .connection(let connection): along(connection, group)
            case .approach: approach(group)
            }
        }
    }

    private func floorID(_ level: Level) -> FloorID? { level.map { network.site.floor($0).id } }

    private func approach(_ pieces: [RoutePiece]) -> RouteLeg? {
        let points = joined(pieces.map(\.points))
        let metres = points.lengthMetres
        guard metres > 0.01 else { return nil }
        let floor = floorID(pieces[0].startLevel)
        return RouteLeg(
            passage: .approach, startFloor: floor, endFloor: floor,
            paths: [FloorPath(floor: floor, points: points)], distanceMetres: metres,
            seconds: pieces.reduce(0) { $0 + $1.seconds }, riseMetres: 0)
    }

    /// The walk through a room. The steps at its walls stay as they are; the path between them is
    /// straightened.
    private func room(_ index: Int, _ pieces: [RoutePiece]) -> RouteLeg? {
        let space = network.spaces[index]
        let before = pieces.prefix { $0.isStep }
        let after = pieces.dropFirst(before.count).reversed().prefix { $0.isStep }.reversed()
        let between = pieces.dropFirst(before.count).dropLast(after.count)
        let points = joined(
            [
                joined(before.map(\.points)), space.straightened(joined(between.map(\.points))),
                joined(after.map(\.points)),
            ])
        let metres = points.lengthMetres
        guard metres > 0.01 else { return nil }
        let floor = floorID(space.floor)
        return RouteLeg(
            passage: .room(network.site.room(space.room).id), startFloor: floor, endFloor: floor,
            paths: [FloorPath(floor: floor, points: points)], distanceMetres: metres,
            seconds: metres / costs.rules.profile.walkingSpeed, riseMetres: 0,
            passed: hasLandmarks ? passedRooms(along: points, on: space.floor, in: index) : [])
    }

    private func along(_ connection: Int, _ pieces: [RoutePiece]) -> RouteLeg {
        let record = network.record(connection)
        let isBackward = pieces[0].isBackward
        let slope = record.slope.map { isBackward ? -$0 : $0 }
        let rises = pieces.compactMap(\.rise)
        var leg = RouteLeg(
            passage: .connection(record.id, record.kind),
            startFloor: floorID(pieces[0].startLevel),
            endFloor: floorID(pieces[pieces.count - 1].endLevel), paths: paths(pieces, record),
            distanceMetres: pieces.reduce(0) { $0 + $1.metres },
            seconds: pieces.reduce(0) { $0 + $1.seconds },
            riseMetres: rises.count == pieces.count ? rises.reduce(0, +) : nil,
            narrowestMetres: record.widthMetres, steepestSlope: slope,
            isAutomatic: record.isAutomatic,
            unknownFacts: costs.rules.unknownFacts(record).map {
                UnknownFact(connection: record.id, fact: $0)
            })
        if hasLandmarks, record.kind == .walk, let floor = pieces[0].startLevel,
            leg.paths.count == 1
        {
            leg.passed = passedRooms(along: leg.paths[0].points, on: floor, in: nil)
        }
        return leg
    }

    private func paths(_ pieces: [RoutePiece], _ record: ConnectionRecord) -> [FloorPath] {
        switch record.kind {
        case .lift, .platformLift:
            // A lift touches only its first and last floor.
            let (first, last) = (pieces[0], pieces[pieces.count - 1])
            let start = FloorPath(floor: floorID(first.startLevel), points: [first.points[0]])
            guard first.startLevel != last.endLevel else { return [start] }
            return [
                start,
                FloorPath(
                    floor: floorID(last.endLevel), points: [last.points[last.points.count - 1]]),
            ]
        case .walk, .door, .stairs, .ramp, .escalator: break
        }
        var paths: [FloorPath] = []
        for piece in pieces {
            let floor = floorID(piece.startLevel)
            if let last = paths.last, last.floor == floor {
                paths[paths.count - 1].points = joined([last.points, piece.points])
            } else {
                paths.append(FloorPath(floor: floor, points: piece.points))
            }
            if piece.endLevel != piece.startLevel {
                paths.append(FloorPath(floor: floorID(piece.endLevel), points: piece.points))
            }
        }
        return paths
    }

    /// Joins lines and removes each point that equals the one before it.
    private func joined(_ lines: [[Point]]) -> [Point] {
        var points: [Point] = []
        for point in lines.joined() where points.last.map({ $0.distance(to: point) > 1e-6 }) ?? true
        {
            points.append(point)
        }
        return points
    }
}
