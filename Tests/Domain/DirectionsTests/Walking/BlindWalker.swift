import Events
import Foundation
import Geometry
import SeededRandomness
import Site

/// A traveller who can't see and has only the English words of a route.
///
/// Every length that he paces is wrong by up to 10 %, every turn by up to 12 degrees. Walls stop
/// him, and he can follow them with a hand; he finds a door, an opening or stairs where his cane
/// touches them, but can't read what is behind. He counts openings and junctions.
struct BlindWalker {
    private static let lengthError = 0.10
    private static let turnErrorDegrees = 12.0
    /// Metres from a wall at which the cane still finds an opening.
    private static let reachMetres = 3.0
    /// Metres that he searches to both sides of where a thing should be.
    private static let searchMetres = 4.0
    /// Two openings nearer to each other are one to his cane.
    private static let samePlaceMetres = 0.5
    /// A way is at his back, and not counted, within this many degrees.
    private static let backDegrees = 10.0

    let world: TouchWorld
    private var random: SeededRandom
    private(set) var floor: FloorID?
    private(set) var point: Point
    private(set) var room: RoomID?
    private(set) var heading: Double?
    /// The connection that he came by last.
    private var came: Int?
    /// The thing that he has found and stands at.
    private var found: TouchWorld.Stop?
    private var liftDoor: Point?
    /// The number of the way that he is told to take, and whether he counts from the left.
    private var choice: (number: Int, isFromLeft: Bool)?
    private(set) var failure: String?
    private(set) var log: [String] = []

    /// The part of his errors that he makes: 0 for none.
    private let share: Double

    init(
        _ world: TouchWorld, in room: RoomID?, floor: FloorID?, at point: Point, seed: Int,
        errors share: Double = 1
    ) {
        self.world = world
        self.share = share
        (self.room, self.floor, self.point) = (room, floor, point)
        random = SeededRandom(seed: seed)
    }

    /// Does what the texts say, one after the other, until something can't be done.
    mutating func follow(_ texts: [String]) {
        for text in texts where failure == nil {
            for sentence in Self.sentences(text) where failure == nil {
                if !act(sentence) { failure = failure ?? sentence }
                log.append(
                    "\(sentence)  => \(room?.text ?? "-") \(floor?.text ?? "out") "
                        + "(\(Int(point.x)), \(Int(point.y))) \(failure == nil ? "" : "FAILED")")
            }
        }
    }

    private static func sentences(_ text: String) -> [String] {
        text.components(separatedBy: ". ").map {
            $0.hasSuffix(".") ? String($0.dropLast()) : $0
        }
    }

    // MARK: Words

    private mutating func act(_ sentence: String) -> Bool {
        if let rest = Self.after("You are in ", sentence) { return !rest.isEmpty }
        if sentence.hasPrefix("Careful:") || sentence.hasPrefix("You have arrived") { return true }
        if let thing = Self.after("Find a wall, and follow it to ", sentence) {
            return followAnyWall(to: Self.thing(thing))
        }
        if let words = Self.match(#"With a compass, face ([a-z-]+)(.*)"#, sentence) {
            let points = [
                "north", "north-east", "east", "south-east", "south", "south-west", "west",
                "north-west",
            ]
            guard let index = points.firstIndex(of: words[0]) else { return false }
            heading = Double(index) * 45 - compassOffset + turnError
            return go(words[1], hour: 12)
        }
        if sentence.hasPrefix("Take "), !sentence.contains(" way from the ") {
            return ride(sentence)
        }
        if sentence.hasPrefix("Leave the lift") { return leaveLift(sentence) }
        if sentence.hasPrefix("Go through ") { return pass() }
        let clause = Self.match(#"With .* behind you, (.*)"#, sentence)?[0] ?? sentence
        return walk(clause.prefix(1).lowercased() + clause.dropFirst())
    }

    /// The site's north is this many degrees from the frame's.
    var compassOffset = 0.0

    private mutating func walk(_ clause: String) -> Bool {
        if let words = Self.match(
            #"turn (left|right) and follow the wall on your (left|right)(.*)"#, clause)
        {
            return followWall(isRight: words[1] == "right", words[2])
        }
        if let words = Self.match(#"cross to the wall opposite(.*)"#, clause) {
            return cross(metres(words[0]))
        }
        if let words = Self.match(#"turn to (\d+) o'clock and (walk|follow)(.*)"#, clause) {
            guard let hour = Double(words[0]) else { return false }
            return go(" and \(words[1])\(words[2])", hour: hour)
        }
        if let words = Self.match(
            #"take the ([a-z0-9]+) way from the (left|right), at (\d+) o'clock, and (follow .*)"#,
            clause)
        {
            let numbers = ["first", "second", "third", "fourth", "fifth", "sixth"]
            let number =
                numbers.firstIndex(of: words[0]).map { $0 + 1 } ?? Int(words[0].dropLast(2))
            guard let number, let hour = Double(words[2]) else { return false }
            choice = (number, words[1] == "left")
            defer { choice = nil }
            return go(" and \(words[3])", hour: hour)
        }
        if clause.hasPrefix("walk") { return go(" and \(clause)", hour: 12) }
        if let words = Self.match(#"go straight on along (.*)"#, clause) {
            return go(" and follow \(words[0])", hour: 12)
        }
        return false
    }

    private mutating func go(_ words: String, hour: Double) -> Bool {
        let thing = Self.match(#".*to ([^,]*)"#, words).map { Self.thing($0[0]) } ?? ""
        if words.hasPrefix(" and follow") {
            let passed = Self.match(#".*past (\d+) junctions?.*"#, words).flatMap { Int($0[0]) }
            return followPath(hour, metres(words), passed ?? 0, to: thing)
        }
        if words.hasSuffix("to the wall") { return cross(metres(words)) }
        return ahead(hour, metres(words), to: thing)
    }

    private static func after(_ start: String, _ sentence: String) -> String? {
        sentence.hasPrefix(start) ? String(sentence.dropFirst(start.count)) : nil
    }

    /// The groups of a pattern that the whole text has; nil if it has another form.
    private static func match(_ pattern: String, _ text: String) -> [String]? {
        guard let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))$") else {
            return nil
        }
        let whole = NSRange(text.startIndex..., in: text)
        guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
        return (1..<match.numberOfRanges).map { index in
            Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
        }
    }

    /// The thing that words such as "the only door" mean to a cane.
    private static func thing(_ words: String) -> String {
        let known = [
            "next junction", "door", "opening", "stairs", "escalator", "lift", "ramp", "end",
        ]
        let words = words.replacingOccurrences(of: "only ", with: "")
        return known.first { words == "the \($0)" } ?? "room"
    }

    private func metres(_ words: String) -> Double? {
        if let found = Self.match(#".*?([\d.]+) metres?.*"#, words) { return Double(found[0]) }
        return Self.match(#".*?([\d.]+) km.*"#, words).flatMap { Double($0[0]) }.map { $0 * 1_000 }
    }

    // MARK: Errors

    private var turnError: Double {
        mutating get {
            let most = Self.turnErrorDegrees
            return share * Double.random(in: -most...most, using: &random)
        }
    }

    /// The factor by which he misjudges the lengths of one walk.
    private mutating func pace() -> Double {
        1 + share * Double.random(in: -Self.lengthError...Self.lengthError, using: &random)
    }

    // MARK: Walls

    /// What the hand finds along the wall of the room, with the metres to each.
    private func along(_ room: RoomID, isRight: Bool, from start: Double)
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

    private mutating func followWall(isRight: Bool, _ words: String) -> Bool {
        guard let room, let touch = world.touch(room, from: point), touch.metres <= 4 else {
            return false
        }
        let passed =
            Self.match(#".*past (\d+) openings?.*"#, words).flatMap { Int($0[0]) } ?? 0
        let said = metres(words) ?? 0
        let thing = Self.match(#".*, to (.*)"#, words).map { Self.thing($0[0]) } ?? ""
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

    private mutating func followAnyWall(to thing: String) -> Bool {
        guard let room else { return false }
        return find(
            world.stops(in: room).filter { world.touch($0) == thing }.min {
                world.end($0).point.distance(to: point) < world.end($1).point.distance(to: point)
            })
    }

    private mutating func find(_ stop: TouchWorld.Stop?) -> Bool {
        guard let stop else { return false }
        found = stop
        point = world.end(stop).point
        if let room, let touch = world.touch(room, from: point), touch.metres <= Self.reachMetres {
            // He turns to what he has found.
            heading = touch.inward + 180
        }
        return true
    }

    private mutating func cross(_ metres: Double?) -> Bool {
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
    private mutating func ahead(_ hour: Double, _ metres: Double?, to thing: String) -> Bool {
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

    // MARK: Doors, stairs and lifts

    private mutating func pass() -> Bool {
        var door = found
        if door == nil {
            door = world.stops(at: point, on: floor).first { world.record($0).kind == .door }
        }
        if door == nil, let room {
            // He stands in front of it: the nearest within an arm's length.
            door = world.stops(in: room).first { world.end($0).point.distance(to: point) < 1 }
        }
        guard let door else { return false }
        return pass(door)
    }

    private mutating func pass(_ first: TouchWorld.Stop) -> Bool {
        let door = outward(from: first)
        let record = world.record(door)
        guard record.stops.count == 2 else { return false }
        let before = room
        let place = world.end(door).point
        let way = world.ways(at: place, on: world.end(door).floor, withDoors: true)
            .first { $0.stop == door }
        if let way, let there = world.along(way) {
            arrive(at: there.stop, facing: there.degrees)
            leave(before)
        } else {
            arrive(
                at: TouchWorld.Stop(connection: door.connection, stop: 1 - door.stop),
                facing: nil)
            if let room, let touch = world.touch(room, from: point) {
                heading = touch.inward
            } else if let before, let touch = world.touch(before, from: point) {
                heading = touch.inward + 180
            }
        }
        if let room, world.kind(of: room) == "lift" { liftDoor = place }
        return true
    }

    /// An opening leads out of the room, however the map cuts the way through the wall.
    private mutating func leave(_ before: RoomID?) {
        var count = 0
        while let before, room == before, let heading, count < 4 {
            let onward = world.ways(at: point, on: floor).filter {
                TouchWorld.difference($0.degrees, heading) < 60 && $0.stop.connection != came
            }.min {
                TouchWorld.difference($0.degrees, heading)
                    < TouchWorld.difference($1.degrees, heading)
            }
            guard let onward, let there = world.along(onward) else { return }
            arrive(at: there.stop, facing: there.degrees)
            count += 1
        }
    }

    /// Of all openings at one place, the one that leads most directly out of the room.
    private func outward(from stop: TouchWorld.Stop) -> TouchWorld.Stop {
        guard world.touch(stop) == "opening", world.record(stop).kind == .walk, let room,
            let touch = world.touch(room, from: world.end(stop).point)
        else { return stop }
        let end = world.end(stop)
        let ways = world.ways(at: end.point, on: end.floor)
            .filter { world.record($0.stop).kind == .walk }
        let out = ways.filter { way in
            world.along(way).map { world.end($0.stop).room != room } ?? false
        }
        return (out.isEmpty ? ways : out)
            .min {
                TouchWorld.difference($0.degrees, touch.inward + 180)
                    < TouchWorld.difference($1.degrees, touch.inward + 180)
            }?.stop ?? stop
    }

    private mutating func arrive(at stop: TouchWorld.Stop, facing: Double?) {
        let end = world.end(stop)
        (floor, room, point, found) = (end.floor, end.room, end.point, nil)
        came = stop.connection
        if let facing { heading = facing }
    }

    private mutating func ride(_ sentence: String) -> Bool {
        let isLift = !sentence.contains("stairs") && !sentence.contains("escalator")
        let isUp = sentence.contains(" up")
        let isDown = sentence.contains(" down")
        let sign = Self.match(#".* to level ([^ ]+)( .*)?"#, sentence)?[0]
        let isKind = { [world] (stop: TouchWorld.Stop) in
            let kind = world.record(stop).kind
            return isLift
                ? kind == .lift || kind == .platformLift
                : kind == .stairs || kind == .escalator || kind == .ramp
        }
        var starts = [found].compactMap { $0 } + world.stops(at: point, on: floor)
        if let room {
            starts += world.stops(in: room).sorted { [world, point] in
                world.end($0).point.distance(to: point) < world.end($1).point.distance(to: point)
            }
        }
        // Nobody who leaves stairs climbs them back.
        for start in starts where isKind(start) && start.connection != came {
            let ends = world.record(start).stops.indices.filter { $0 != start.stop }
            for end in ends {
                let there = TouchWorld.Stop(connection: start.connection, stop: end)
                let rise = world.ordinal(world.end(there).floor) - world.ordinal(floor)
                if isUp && rise < 0 || isDown && rise > 0 { continue }
                if isLift, let sign, world.level(world.end(there).floor) != sign { continue }
                let way = world.ways(at: world.end(start).point, on: floor)
                    .first { $0.stop == start }
                let facing = way.flatMap { world.along($0)?.degrees }
                arrive(at: there, facing: facing)
                if isLift { heading = nil }
                return true
            }
        }
        return false
    }

    private mutating func leaveLift(_ sentence: String) -> Bool {
        guard let room else { return false }
        let doors = world.stops(in: room).filter { world.touch($0) != "lift" }
        guard let liftDoor, doors.count > 1 else { return doors.first.map { pass($0) } ?? false }
        let inside = point
        let inward = TouchWorld.degrees(inside, liftDoor)
        let wantsOpposite = sentence.contains("opposite")
        let door = doors.first { door in
            let difference = TouchWorld.difference(
                TouchWorld.degrees(inside, world.end(door).point), inward)
            return (difference > 90) == wantsOpposite
        }
        return door.map { pass($0) } ?? false
    }

    // MARK: Paths

    private struct Halt {
        var metres: Double
        var passed: Int
        var stop: TouchWorld.Stop
        var degrees: Double
        var isJunction: Bool
    }

    private mutating func followPath(
        _ hour: Double, _ said: Double?, _ passed: Int, to thing: String
    ) -> Bool {
        guard let heading else { return false }
        let wanted = heading + hour * 30 + (hour == 12 ? 0 : turnError)
        let said = said ?? 0
        let pace = pace()
        let halts = halts(towards: wanted, most: said * 1.4 + 15)
        let suited = halts.filter { suits($0, thing) }
        func isNear(_ halt: Halt) -> Bool {
            abs(halt.metres * pace - said) <= max(6, said * 0.3)
        }
        func nearest(_ halts: [Halt]) -> Halt? {
            halts.min { abs($0.metres * pace - said) < abs($1.metres * pace - said) }
        }
        let near = suited.filter(isNear)
        let counted = near.filter { $0.passed == passed }
        // He feels that he enters a room, so he stops at the first.
        let halt = (thing == "room" ? counted.first : nearest(counted)) ?? nearest(near)
        guard let halt else { return false }
        arrive(at: halt.stop, facing: halt.degrees)
        return true
    }

    /// The way that he takes from where he stands. Ways are counted along the edge of the path,
    /// from his back.
    private func firstWay(towards degrees: Double) -> TouchWorld.Way? {
        let ways = world.ways(at: point, on: floor)
        let nearest = ways.min {
            TouchWorld.difference($0.degrees, degrees) < TouchWorld.difference($1.degrees, degrees)
        }
        guard let choice, let heading else { return nearest }
        func turn(_ way: TouchWorld.Way) -> Double {
            let turn = (way.degrees - heading - 180).truncatingRemainder(dividingBy: 360)
            return turn < 0 ? turn + 360 : turn
        }
        let others = ways.filter {
            TouchWorld.difference(heading + 180, $0.degrees) > Self.backDegrees
        }
        var sorted = others.sorted { turn($0) < turn($1) }
        if !choice.isFromLeft { sorted.reverse() }
        // Ways in one direction are one way to the touch.
        var distinct: [TouchWorld.Way] = []
        for way in sorted
        where distinct.last.map({ TouchWorld.difference($0.degrees, way.degrees) > 1 }) ?? true {
            distinct.append(way)
        }
        return distinct.indices.contains(choice.number - 1) ? distinct[choice.number - 1] : nearest
    }

    private func suits(_ halt: Halt, _ thing: String) -> Bool {
        let here = world.stops(at: world.end(halt.stop).point, on: world.end(halt.stop).floor)
        switch thing {
        case "next junction": return halt.isJunction
        case "room":
            return here.contains { world.end($0).room.map { $0 != room } ?? false }
        case "end": return true
        default:
            let room = world.end(halt.stop).room
            return here.contains { world.touch($0) == thing }
                || room.map { world.stops(in: $0).contains { world.touch($0) == thing } } == true
        }
    }

    /// The stops that he comes to if he takes the straightest way at each junction.
    private func halts(towards degrees: Double, most: Double) -> [Halt] {
        var halts: [Halt] = []
        var (metres, passed) = (0.0, 0)
        var way = firstWay(towards: degrees)
        while let present = way, let there = world.along(present), metres < most,
            halts.count < 1_000
        {
            metres += there.metres
            let end = world.end(there.stop)
            let ways = world.ways(at: end.point, on: end.floor)
            let onward = ways.filter {
                $0.stop != there.stop || $0.isForward == present.isForward
            }
            let isJunction = ways.count > 2
            halts.append(
                Halt(
                    metres: metres, passed: passed, stop: there.stop, degrees: there.degrees,
                    isJunction: isJunction))
            if isJunction { passed += 1 }
            way = onward.min {
                TouchWorld.difference($0.degrees, there.degrees)
                    < TouchWorld.difference($1.degrees, there.degrees)
            }
        }
        return halts
    }
}
