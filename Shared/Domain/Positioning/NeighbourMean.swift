import Geometry

/// The weighted mean of the neighbours on one floor, and how far they lie apart.
struct NeighbourMean {
    /// One metre in each direction is added to what the neighbours say, so that neighbours who
    /// happen to stand together do not promise certainty.
    static let leastVariance = 1.0

    private(set) var point = Point(x: 0, y: 0)
    private(set) var covariance = Estimate.Covariance(xx: 0, xy: 0, yy: 0)
    /// The share of each room among the votes; -1 stands for outside of every room.
    private(set) var roomVotes: [RoomVote] = []

    struct RoomVote {
        /// Into the map's rooms; -1 outside.
        let room: Int32
        var share: Double
        /// Metres from the mean to the nearest neighbour in the room.
        var distance: Double
    }

    /// Metres: the root of the covariance's trace.
    var spread: Double { (covariance.xx + covariance.yy).squareRoot() }

    /// At least one neighbour must be on the floor.
    init(_ neighbours: [Neighbour], on floor: Int32, map: RadioMap) {
        var total = 0.0
        for neighbour in neighbours {
            let fingerprint = map.fingerprints[Int(neighbour.fingerprint)]
            guard fingerprint.floor == floor else { continue }
            point.x += neighbour.weight * fingerprint.point.x
            point.y += neighbour.weight * fingerprint.point.y
            total += neighbour.weight
        }
        point.x /= total
        point.y /= total
        for neighbour in neighbours {
            let fingerprint = map.fingerprints[Int(neighbour.fingerprint)]
            guard fingerprint.floor == floor else { continue }
            let share = neighbour.weight / total
            let dx = fingerprint.point.x - point.x
            let dy = fingerprint.point.y - point.y
            covariance.xx += share * dx * dx
            covariance.xy += share * dx * dy
            covariance.yy += share * dy * dy
            let distance = fingerprint.point.distance(to: point)
            if let known = roomVotes.firstIndex(where: { $0.room == fingerprint.room }) {
                roomVotes[known].share += share
                roomVotes[known].distance = min(roomVotes[known].distance, distance)
            } else {
                roomVotes.append(
                    RoomVote(room: fingerprint.room, share: share, distance: distance))
            }
        }
        covariance.xx += Self.leastVariance
        covariance.yy += Self.leastVariance
    }
}
