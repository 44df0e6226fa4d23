import Events
import Foundation
import Geometry
import Site

extension BlindWalker {
    mutating func pass() -> Bool {
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

    mutating func pass(_ first: TouchWorld.Stop) -> Bool {
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
    mutating func leave(_ before: RoomID?) {
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

    /// The opening that leads most directly out of the room, among all at one place.
    func outward(from stop: TouchWorld.Stop) -> TouchWorld.Stop {
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

    mutating func arrive(at stop: TouchWorld.Stop, facing: Double?) {
        let end = world.end(stop)
        (floor, room, point, found) = (end.floor, end.room, end.point, nil)
        came = stop.connection
        if let facing { heading = facing }
    }

    mutating func ride(_ sentence: String) -> Bool {
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

    mutating func leaveLift(_ sentence: String) -> Bool {
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
}
