import Geometry
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct TrackSettlingTests {
    private static let settings = TrackSettings()

    /// One scan of a device.
    private struct Heard {
        var mean: Point
        var share: Double
        var seconds: Double
        var awaySeconds: Double?
    }

    /// The same from lists: the scans near the place of rest, and the times away since the last.
    private struct Slow {
        var near: [Heard] = []
        var away: [Double] = []

        /// The place and the room's share are means over scans, of which old ones fade.
        var figures: (point: Point, seconds: Double, share: Double) {
            var (point, seconds, share) = (near[0].mean, 0.0, near[0].share)
            for heard in near.dropFirst() {
                seconds = min(600, seconds + heard.seconds)
                let fresh = heard.seconds / max(seconds, heard.seconds)
                point = Point(
                    x: (1 - fresh) * point.x + fresh * heard.mean.x,
                    y: (1 - fresh) * point.y + fresh * heard.mean.y)
                let freshShare = max(fresh, heard.seconds / 30)
                share = (1 - freshShare) * share + freshShare * heard.share
            }
            return (point, seconds, share)
        }

        mutating func add(_ heard: Heard) {
            guard !near.isEmpty, heard.mean.distance(to: figures.point) > 8 else {
                near.append(heard)
                away = []
                return
            }
            away.append(heard.awaySeconds ?? .infinity)
            let mayReturn = away.reduce(0, +) <= 6
            if figures.seconds < 120 || !mayReturn { (near, away) = ([heard], []) }
        }
    }

    private static func settled(_ seconds: Float = 200) -> TrackSettling {
        TrackSettling(point: Point(x: 5, y: 5), seconds: seconds, roomShare: 0.9)
    }

    @Test("Rests and returns are those of plain lists", arguments: 0..<30 as Range<UInt64>)
    func slow(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        var (settling, slow) = (TrackSettling(), Slow())
        var (place, kept) = (Point(x: 20, y: 20), 0)
        for _ in 0..<300 {
            let kind = draw(0...1)
            if kind < 0.01 { place = Point(x: draw(0...40), y: draw(0...40)) }
            let error = kind > 0.93 ? 12.0 : 2.0
            let seconds = draw(1...6)
            let heard = Heard(
                mean: Point(x: place.x + draw(-error...error), y: place.y + draw(-error...error)),
                share: draw(0...1), seconds: seconds,
                awaySeconds: draw(0...1) < 0.1 ? nil : seconds)
            if slow.near.isEmpty {
                settling = TrackSettling(point: heard.mean, roomShare: Float(heard.share))
            } else {
                settling.add(
                    heard.mean, share: heard.share, seconds: heard.seconds,
                    awaySeconds: heard.awaySeconds, Self.settings)
            }
            slow.add(heard)
            kept += slow.away.isEmpty ? 0 : 1
            let figures = slow.figures
            #expect(settling.point.distance(to: figures.point) < 1e-3)
            #expect(abs(Double(settling.seconds) - figures.seconds) < 0.01)
            #expect(abs(Double(settling.roomShare) - figures.share) < 1e-3)
            #expect(abs(Double(settling.awaySeconds) - slow.away.reduce(0, +)) < 1e-3)
        }
        #expect(seed > 0 || kept > 0)
    }

    @Test("A device at rest returns from where one scan puts it, and not from where two do")
    func away() {
        for (scans, isKept) in [(1, true), (2, false)] {
            var settling = Self.settled()
            for _ in 0..<scans {
                settling.add(
                    Point(x: 5, y: 16), share: 0, seconds: 4, awaySeconds: 4, Self.settings)
            }
            #expect(settling.isSettled(Self.settings) == isKept)
            #expect(settling.awaySeconds == (isKept ? Float(4 * scans) : 0))
            settling.add(
                Point(x: 5, y: 6), share: 1, seconds: 4, awaySeconds: 4, Self.settings)
            #expect(settling.awaySeconds == 0)
            #expect(settling.isSettled(Self.settings) == isKept)
        }
    }

    @Test("After a long rest a room beside is told within a minute, and not after a few scans")
    func beside() {
        var settling = Self.settled(600)
        var seconds = 0.0
        while settling.roomShare >= Self.settings.leastRoomShare, seconds < 300 {
            settling.add(
                Point(x: 9, y: 5), share: 0, seconds: 4, awaySeconds: 4, Self.settings)
            seconds += 4
            #expect(settling.isSettled(Self.settings))
        }
        #expect(seconds > 24 && seconds <= 60, "\(seconds)")
    }

    @Test("A device leaves at once in a passage, by its steps, or if it has not settled")
    func leaving() {
        var moving = Self.settled()
        moving.add(Point(x: 5, y: 16), share: 0, seconds: 4, awaySeconds: nil, Self.settings)
        #expect(moving == TrackSettling(point: Point(x: 5, y: 16)))
        var early = Self.settled(100)
        early.add(Point(x: 5, y: 16), share: 0, seconds: 4, awaySeconds: 4, Self.settings)
        #expect(early == TrackSettling(point: Point(x: 5, y: 16)))
    }
}
