import Events
import Foundation
import Geometry
import Site

extension BlindWalker {
    /// The things that the hand finds along the wall of the room, with the metres to each.
    func along(_ room: RoomID, isRight: Bool, from start: Double)
        -> [(metres: Double, stops: [TouchWorld.Stop])]
    {
        let whole = world.circumference(room)
        var found: [(metres: Double, stops: [TouchWorld.Stop])] = []
        let stops = world.stops(in: room).compactMap { stop -> (Double, TouchWorld.Stop)? in
            guard let touch = world.touch(room, from: world.end(stop).point),
                touch.metres <= Self.reachMetres
            else { return nil }
            let metres = (isRight ? touch.at - start : start - touch.at)
                .truncatingRemainder(dividingBy: whole)
            return (metres < 0 ? metres + whole : metres, stop)
        }.sorted { $0.0 < $1.0 }
        for (metres, stop) in stops
        where metres > Self.samePlaceMetres && whole - metres > Self.samePlaceMetres {
            if let last = found.last, metres - last.metres <= Self.samePlaceMetres {
                found[found.count - 1].stops.append(stop)
            } else {
                found.append((metres, [stop]))
            }
        }
        return found
    }

    mutating func followWall(isRight: Bool, _ words: String) -> Bool {
        guard let room, let touch = world.touch(room, from: point), touch.metres <= 4 else {
            return false
        }
        let passed =
            Self.match(#".*past (\d+) openings?.*"#, words).flatMap { Int($0[0]) } ?? 0
        let said = metres(words) ?? 0
        let thing = Self.match(#".* to (.*)"#, words).map { Self.thing($0[0]) } ?? ""
        let pace = pace()
        let places = along(room, isRight: isRight, from: touch.at)
        let suited = places.enumerated().filter { _, place in
            place.stops.contains { world.touch($0) == thing }
        }
        func isNear(_ metres: Double) -> Bool { abs(metres * pace - said) <= max(4, said * 0.3) }
        let counted = suited.first { $0.offset == passed && isNear($0.element.metres) }
        let near = suited.filter { isNear($0.element.metres) }.min {
            abs($0.element.metres * pace - said) < abs($1.element.metres * pace - said)
        }
        guard let place = counted ?? near else { return false }
        return find(place.element.stops.first { world.touch($0) == thing })
    }

    mutating func followAnyWall(to thing: String) -> Bool {
        guard let room else { return false }
        return find(
            world.stops(in: room).filter { world.touch($0) == thing }.min {
                world.end($0).point.distance(to: point) < world.end($1).point.distance(to: point)
            })
    }

    mutating func find(_ stop: TouchWorld.Stop?) -> Bool {
        guard let stop else { return false }
        found = stop
        point = world.end(stop).point
        if let room, let touch = world.touch(room, from: point), touch.metres <= Self.reachMetres {
            // He turns to what he has found.
            heading = touch.inward + 180
        }
        return true
    }

    mutating func cross(_ metres: Double?) -> Bool {
        guard let room else { return false }
        if heading == nil, let touch = world.touch(room, from: point) { heading = touch.inward }
        guard let heading else { return false }
        let most = (metres ?? 2) * 1.5 + 4
        let walked = world.straight(
            in: room, from: point, degrees: heading + turnError, metres: most)
        point = walked.point
        return walked.isWall
    }

    /// Walks some metres, and searches for the thing where he stops.
    mutating func ahead(_ hour: Double, _ metres: Double?, to thing: String) -> Bool {
        guard let heading else { return false }
        let degrees = heading + hour * 30 + (hour == 12 ? 0 : turnError) + turnError / 2
        let length = (metres ?? 0) * pace()
        self.heading = degrees
        guard let room else {
            point = Point(
                x: point.x + length * sin(degrees * .pi / 180),
                y: point.y + length * cos(degrees * .pi / 180))
            return true
        }
        point = world.straight(in: room, from: point, degrees: degrees, metres: length).point
        if thing == "room" || thing == "end" { return true }
        let here = point
        let nearest = world.stops(in: room).filter { world.touch($0) == thing }
            .map { (stop: $0, metres: world.end($0).point.distance(to: here)) }
            .min { $0.metres < $1.metres }
        guard let nearest, nearest.metres <= Self.searchMetres else { return false }
        return find(nearest.stop)
    }
}
