import Geometry

/// A place where the scan may have been made.
struct Candidate: Hashable, Sendable {
    let point: Point
    /// An index into the map's floors.
    let floor: Int32
    /// An index into the map's rooms; -1 outside of every room.
    let room: Int32
    var weight: Double
}

/// The weighted mean of the candidates on one floor, with their spread.
struct CandidateMean {
    /// Square metres added to the candidates' variance in each direction. Without it, candidates
    /// that happen to lie together would promise certainty.
    static let leastVariance = 1.0

    var point = Point(x: 0, y: 0)
    private(set) var covariance = Estimate.Covariance(xx: 0, xy: 0, yy: 0)
    /// The share of each room in the candidates' weight; room -1 is outside of every room.
    var roomVotes: [RoomVote] = []

    struct RoomVote {
        /// An index into the map's rooms; -1 outside of every room.
        let room: Int32
        var share: Double
        /// Metres from the mean to the nearest candidate in the room.
        var distance: Double
    }

    /// The root of the covariance's trace, in metres.
    var spread: Double { (covariance.xx + covariance.yy).squareRoot() }

    /// The root of the trace without `leastVariance`, in metres.
    var candidateSpread: Double {
        max(0, covariance.xx + covariance.yy - 2 * Self.leastVariance).squareRoot()
    }

    /// The mean of the candidates on a floor, which must have at least one.
    init(_ candidates: [Candidate], on floor: Int32) {
        var total = 0.0
        for candidate in candidates where candidate.floor == floor {
            point.x += candidate.weight * candidate.point.x
            point.y += candidate.weight * candidate.point.y
            total += candidate.weight
        }
        point.x /= total
        point.y /= total
        for candidate in candidates where candidate.floor == floor {
            let share = candidate.weight / total
            let dx = candidate.point.x - point.x
            let dy = candidate.point.y - point.y
            covariance.xx += share * dx * dx
            covariance.xy += share * dx * dy
            covariance.yy += share * dy * dy
            let distance = candidate.point.distance(to: point)
            if let known = roomVotes.firstIndex(where: { $0.room == candidate.room }) {
                roomVotes[known].share += share
                roomVotes[known].distance = min(roomVotes[known].distance, distance)
            } else {
                roomVotes.append(RoomVote(room: candidate.room, share: share, distance: distance))
            }
        }
        covariance.xx += Self.leastVariance
        covariance.yy += Self.leastVariance
    }
}
