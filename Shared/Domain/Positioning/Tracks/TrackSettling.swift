import Events
import Geometry

/// Decides whether a device is at rest, since noise moves an estimate about but not away.
///
/// A place is settled as soon as the belief's means have stayed near their average for a while.
/// From then on the published room stays until the mean moves away. It also changes if its average
/// probability shows that it was wrong.
///
/// People go to the next room without going far. So that average is of a short time. It is long
/// enough for a few scans with one error, where scans come every few seconds.
///
/// A few scans with one error take the mean through a wall and back. So the mean has to stay away
/// for longer than the noise of scans is alike. It need not where it is in a passage,
/// because those who leave go there first, or where the device's sensors tell of a way.
struct TrackSettling: Hashable, Sendable {
    /// The average of the means of the belief.
    var point = Point(x: 0, y: 0)
    /// The time for which the means have stayed near their average.
    var seconds: Float = 0
    /// The average probability of the published room over the last scans.
    var roomShare: Float = 0
    /// The time for which the means have been away from the place of rest; 0 for a mean near it.
    var awaySeconds: Float = 0

    func isSettled(_ settings: TrackSettings) -> Bool { seconds >= settings.settlingSeconds }

    /// Adds the mean of one more scan.
    ///
    /// - Parameters:
    ///   - elapsed: the time since the state that is added to.
    ///   - awaySeconds: the time that counts if the mean is away, which is that since the newest
    ///     scan. Nil where being away once is enough.
    mutating func add(
        _ mean: Point, share: Double, seconds elapsed: Double, awaySeconds since: Double? = nil,
        _ settings: TrackSettings
    ) {
        guard mean.distance(to: point) <= settings.settledMetres else {
            awaySeconds += Float(since ?? 0)
            let mayReturn = since != nil && Double(awaySeconds) <= settings.awaySeconds
            guard isSettled(settings), mayReturn else {
                self = TrackSettling(point: mean, seconds: 0, roomShare: Float(share))
                return
            }
            return
        }
        awaySeconds = 0
        seconds = min(seconds + Float(elapsed), TrackSettings.settledMemorySeconds)
        let fresh = Float(elapsed) / max(seconds, Float(elapsed), .leastNormalMagnitude)
        point.x += Double(fresh) * (mean.x - point.x)
        point.y += Double(fresh) * (mean.y - point.y)
        let freshShare = max(fresh, min(1, Float(elapsed) / settings.roomMemorySeconds))
        roomShare += freshShare * (Float(share) - roomShare)
    }
}

extension TrackState {
    /// Whether this state goes on serving a device at rest, so that the state after a scan need not
    /// be stored.
    ///
    /// While it serves, each scan is located from it, with the time since it. So a locator that
    /// reads it back gives the same positions as one that has run all the time. It ends with the
    /// first scan that changes more than times. Such a scan hears nothing, moves the device,
    /// changes its floor or room, or makes outdoors more likely.
    ///
    /// It ends at fixed times, too, so that tracks that began at different times come to the same
    /// states. Those are other times in another room, so that not all devices store at once.
    ///
    /// - Parameters:
    ///   - after: the state after the scan.
    ///   - mean: the mean of the belief after the scan.
    func serves(
        _ scan: RadioScan, after: TrackState, mean: Point, graph: WalkableGraph,
        _ settings: TrackSettings
    ) -> Bool {
        // While a device's clock runs ahead nobody knows the time of its scan before. All that is
        // new in a scan would count from the state, and rooms would change at random.
        guard settings.servingSeconds > 0, scan.previousAt != nil else { return false }
        let hash = room < 0 ? 0 : graph.roomHashes[Int(room)]
        func period(_ at: Int64) -> Double {
            (Double(at) / 1e6 / settings.servingSeconds + Double(hash) / Double(UInt32.max))
                .rounded(.down)
        }
        return period(after.at) == period(at) && !scan.isMoving
            && mayServe(settings) && after.mayServe(settings)
            && after.floor == floor && after.room == room
            && after.outdoors.odds.logarithm
                <= outdoors.odds.logarithm + settings.servingOdds
            && mean.distance(to: settling.point) <= settings.servingMetres
    }

    /// Whether it serves, unless scans since it have ended that.
    fileprivate func mayServe(_ settings: TrackSettings) -> Bool {
        isQuiet && settling.isSettled(settings)
    }

    /// Whether the last scan said something, and agreed with the track.
    private var isQuiet: Bool {
        heardAt == at && silentScans == 0 && doubtSeconds == 0 && settling.awaySeconds == 0
    }
}

extension RadioScan {
    /// Whether the device tells of a walk's first steps, or of the way along a magnetic route.
    var isMoving: Bool {
        (steps ?? 0) > 0 || (speedMetresPerSecond ?? 0) > 0 || !evidence.isEmpty
    }
}

/// The times that have passed until a scan.
struct TrackTimes {
    /// Seconds since the scan of the stored state.
    let sinceState: Double
    /// Seconds since the device's newest scan, which is newer than the state while that serves.
    let sinceScan: Double
    /// The time of the last scan with a usable reading. Each scan that a state serves has one.
    let heardAt: Int64

    init(_ scan: RadioScan, after state: TrackState, _ settings: TrackSettings) {
        let at = scan.at.microseconds
        var newest = state.at
        if state.mayServe(settings), let previous = scan.previousAt?.microseconds {
            let last = state.at &+ Int64(settings.servingSeconds * 1e6)
            // Scans after these were located by other means, such as nodes.
            newest = min(max(newest, previous), last)
        }
        sinceState = (Double(at) - Double(state.at)) / 1e6
        sinceScan = (Double(at) - Double(newest)) / 1e6
        heardAt = state.heardAt == state.at ? newest : state.heardAt
    }
}
