import Glibc

/// A model of how people may have moved between two scans.
struct TrackMotion: Hashable, Sendable {
    /// The share of the staying people who walk now, and of the walking people who stay now.
    var startedShare: Float
    var stoppedShare: Float
    /// The same shares in passages.
    var startedInPassageShare: Float
    var stoppedInPassageShare: Float
    /// Factors of the belief in staying and in walking, by the device's own sensors.
    var stayingFactor: Float = 1
    var walkingFactor: Float = 1
    /// Whether the device tells of a way of a step or more, or of the way along a magnetic route.
    var tellsWay = false
    /// The number of moves to a neighbouring cell that a walker may make, and the share of walkers
    /// who make each one. The share models different paces.
    var moves: Int
    var movingShare: Float
    /// The weights by which walkers choose a way, one element for each direction of the way. The
    /// last is that of the way to another floor. Lanes are the directions in which they came.
    var turning: [TrackScratch.Walking]
    /// The weights of the directions in which people start to walk.
    var starting: TrackScratch.Walking
    /// The share of people in a lift who go on to the next floor.
    var liftedShare: Float

    /// The time of a lift for one floor, with its doors.
    private static let liftSeconds = 12.0
    /// The most moves. More cost time without use, because the belief is spread everywhere by then.
    static let mostMoves = 24

    /// - Parameters:
    ///   - seconds: the time since the scan of the belief.
    ///   - movingSeconds: the time since the newest scan, for which a speed counts. A device at
    ///     rest goes on with an older belief. Nil for the same time.
    init(
        seconds: Double, movingSeconds: Double? = nil, scan: RadioScan, pitch: Double,
        bearing: Double, _ settings: TrackSettings
    ) {
        startedShare = Float(1 - exp(-seconds / settings.stayingSeconds))
        stoppedShare = Float(1 - exp(-seconds / settings.walkingSeconds))
        startedInPassageShare = Float(1 - exp(-seconds / settings.stayingInPassageSeconds))
        stoppedInPassageShare = Float(1 - exp(-seconds / settings.walkingInPassageSeconds))
        liftedShare = Float(1 - exp(-seconds / Self.liftSeconds))
        let fastest = TrackSettings.fastestMetresPerSecond * seconds
        tellsWay = !scan.evidence.isEmpty
        var (way, farthest) = (settings.paceMetresPerSecond * seconds, fastest)
        var isMeasured = false
        if let speed = scan.speedMetresPerSecond {
            (way, isMeasured) = (max(0, speed) * (movingSeconds ?? seconds), true)
        }
        if let steps = scan.steps {
            (way, isMeasured) = (Double(max(0, steps)) * settings.stepMetres, true)
        }
        if isMeasured {
            if way < settings.stepMetres {
                walkingFactor = 1 / TrackSettings.stepOdds
                way = settings.paceMetresPerSecond * seconds
            } else {
                tellsWay = true
                stayingFactor = 1 / TrackSettings.stepOdds
                way = min(way, fastest)
                farthest = way * 1.25
            }
        }
        // A move goes between the middles of two cells, straight or diagonal; this is the mean of
        // both.
        let move = pitch * (1 + 2.0.squareRoot()) / 2
        moves = min(Self.mostMoves, Int((farthest / move).rounded(.up)))
        movingShare = moves == 0 ? 0 : Float(min(1, way / move / Double(moves)))
        let heading = way > 0 ? scan.headingDegrees.map { $0 - bearing } : nil
        let starting = Self.preferences(heading, TrackSettings.headingConcentration)
        let ways =
            settings.straightness == Self.usualStraightness
            ? Self.usualWays : Self.ways(settings.straightness)
        turning = ways.indices.map { ways[$0] * starting[$0] }
        turning.append(.one)
        self.starting = starting / starting.sum()
    }

    /// Made once, since nobody changes this setting from scan to scan.
    private static let usualStraightness = TrackSettings().straightness
    private static let usualWays = ways(usualStraightness)

    /// The weights of ways in each direction, by the directions in which people came.
    private static func ways(_ straightness: Double) -> [TrackScratch.Walking] {
        (0..<WalkableGraph.directions).map { preferences(45 * Double($0), straightness) }
    }

    /// The von Mises density of each direction, relative to that of `degrees`.
    private static func preferences(
        _ degrees: Double?, _ concentration: Double
    ) -> TrackScratch.Walking {
        var weights = TrackScratch.Walking.one
        guard let degrees else { return weights }
        for direction in 0..<WalkableGraph.directions {
            let angle = (degrees - 45 * Double(direction)) * .pi / 180
            weights[direction] = Float(exp(concentration * (cos(angle) - 1)))
        }
        return weights
    }
}
