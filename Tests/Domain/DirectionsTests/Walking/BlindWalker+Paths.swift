import Events
import Foundation
import Geometry
import Site

extension BlindWalker {
    struct Halt {
        var metres: Double
        var passed: Int
        var stop: TouchWorld.Stop
        var degrees: Double
        var isJunction: Bool
    }

    mutating func followPath(
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
    func firstWay(towards degrees: Double) -> TouchWorld.Way? {
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

    func suits(_ halt: Halt, _ thing: String) -> Bool {
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
    func halts(towards degrees: Double, most: Double) -> [Halt] {
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
            // He feels stairs, and doesn't climb them unasked.
            if let next = way, ["stairs", "escalator"].contains(world.touch(next.stop)) { break }
        }
        return halts
    }
}
