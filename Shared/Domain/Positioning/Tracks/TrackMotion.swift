import Glibc

/// How people may have moved between two scans.
struct TrackMotion: Hashable, Sendable {
    /// Of those who stayed, how many walk now, and the other way round.
    var startedShare: Float
    var stoppedShare: Float
    /// The same in passages.
    var startedInPassageShare: Float
    var stoppedInPassageShare: Float
    /// What the device says of its own movement, as factors of the belief in each.
    var stayingFactor: Float = 1
    var walkingFactor: Float = 1
    /// How many times those who walk may go on to a neighbouring cell, and how many of them do so
    /// each time: paces differ.
    var moves: Int
    var movingShare: Float
    /// How much each direction of a way is preferred by those who walked in a direction, one after
    /// the other; the last of `WalkableGraph.directions` + 1 ways is that to another floor.
    var turning: [Float]
    /// How those who begin to walk choose their direction.
    var starting: [Float]
    /// Of those who stand in a lift: how many go to the next floor.
    var liftedShare: Float

    /// A lift takes about so long for a floor, doors and all.
    private static let liftSeconds = 12.0
    /// More moves cost more time than they are worth: the belief is all about by then.
    static let mostMoves = 24

    init(
        seconds: Double, scan: RadioScan, pitch: Double, bearing: Double, _ settings: TrackSettings
    ) {
        startedShare = Float(1 - exp(-seconds / settings.stayingSeconds))
        stoppedShare = Float(1 - exp(-seconds / settings.walkingSeconds))
        startedInPassageShare = Float(1 - exp(-seconds / settings.stayingInPassageSeconds))
        stoppedInPassageShare = Float(1 - exp(-seconds / settings.walkingInPassageSeconds))
        liftedShare = Float(1 - exp(-seconds / Self.liftSeconds))
        let fastest = TrackSettings.fastestMetresPerSecond * seconds
        var (way, farthest) = (settings.paceMetresPerSecond * seconds, fastest)
        var isTold = false
        if let speed = scan.speedMetresPerSecond {
            (way, isTold) = (max(0, speed) * seconds, true)
        }
        if let steps = scan.steps {
            (way, isTold) = (Double(max(0, steps)) * settings.stepMetres, true)
        }
        if isTold {
            if way < settings.stepMetres {
                walkingFactor = 1 / TrackSettings.stepOdds
                way = settings.paceMetresPerSecond * seconds
            } else {
                stayingFactor = 1 / TrackSettings.stepOdds
                way = min(way, fastest)
                farthest = way * 1.25
            }
        }
        // A move goes from one middle of a cell to the next: straight, or by a diagonal.
        let move = pitch * (1 + 2.0.squareRoot()) / 2
        moves = min(Self.mostMoves, Int((farthest / move).rounded(.up)))
        movingShare = moves == 0 ? 0 : Float(min(1, way / move / Double(moves)))
        let heading = way > 0 ? scan.headingDegrees.map { $0 - bearing } : nil
        starting = Self.preferences(heading, TrackSettings.headingConcentration)
        turning = []
        for direction in 0..<WalkableGraph.directions {
            let straight = Self.preferences(45 * Double(direction), settings.straightness)
            turning += zip(straight, starting).map(*) + [1]
        }
        let total = starting.reduce(0, +)
        starting = starting.map { $0 / total }
    }

    /// The von Mises density of each direction, relative to that of `degrees`.
    private static func preferences(_ degrees: Double?, _ concentration: Double) -> [Float] {
        (0..<WalkableGraph.directions).map { direction in
            guard let degrees else { return 1 }
            let angle = (degrees - 45 * Double(direction)) * .pi / 180
            return Float(exp(concentration * (cos(angle) - 1)))
        }
    }
}
