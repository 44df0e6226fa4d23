import Geometry
import Glibc

/// Decides whether a device is at rest, since noise moves an estimate about but not away.
///
/// A place is settled as soon as the belief's means have stayed near their average for a while.
/// From then on the published room stays until the mean moves away. It also changes if its average
/// probability shows that it was wrong.
struct TrackSettling: Hashable, Sendable {
    /// The average of the means of the belief.
    var point = Point(x: 0, y: 0)
    /// The time for which the means have stayed near their average.
    var seconds: Float = 0
    /// The average probability of the published room.
    var roomShare: Float = 0

    func isSettled(_ settings: TrackSettings) -> Bool { seconds >= settings.settlingSeconds }

    /// Adds the mean of one more scan.
    mutating func add(
        _ mean: Point, share: Double, seconds elapsed: Double, _ settings: TrackSettings
    ) {
        guard mean.distance(to: point) <= settings.settledMetres else {
            self = TrackSettling(point: mean, seconds: 0, roomShare: Float(share))
            return
        }
        seconds = min(seconds + Float(elapsed), TrackSettings.settledMemorySeconds)
        let fresh = Float(elapsed) / max(seconds, Float(elapsed), .leastNormalMagnitude)
        point.x += Double(fresh) * (mean.x - point.x)
        point.y += Double(fresh) * (mean.y - point.y)
        roomShare += fresh * (Float(share) - roomShare)
    }
}
