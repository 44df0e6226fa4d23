import Geometry
import Glibc

/// Tells who is at rest: noise moves an estimate about, but not away.
///
/// A place is settled at once the means of the belief have kept near their average for a while.
/// From then on the room stays that was published, unless its average probability says that it was
/// wrong, until the mean leaves the neighbourhood.
struct TrackSettling: Hashable, Sendable {
    /// The average of the means.
    var point = Point(x: 0, y: 0)
    /// For how long they have kept near it.
    var seconds: Float = 0
    /// The published room's average probability.
    var roomShare: Float = 0

    func isSettled(_ settings: TrackSettings) -> Bool { seconds >= settings.settlingSeconds }

    /// Takes the mean of one more scan.
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
