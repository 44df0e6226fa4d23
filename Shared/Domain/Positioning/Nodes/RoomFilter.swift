import Glibc

/// The room of a device over time: a hidden Markov model, solved by the forward algorithm (L. R.
/// Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77, 1989, section III).
///
/// The smoothed levels of successive scans have most of their readings in common. So each scan's
/// evidence counts only by the part of these that is new.
struct RoomFilter: Hashable, Sendable {
    struct Share: Hashable, Sendable {
        var room: Int32
        /// 0 to 1.
        var probability: Float
    }

    /// People and things change rooms about once an hour; lessons and meetings last as long.
    static let stayingSeconds: Float = 3_600
    /// A room that no cell speaks for keeps this share of the best one's evidence. Nothing is
    /// certain by one scan.
    static let leastEvidence: Float = 1e-4
    /// Rooms that are stored. Hardly ever do more have a share that counts.
    static let mostRooms = 24
    /// For so long the published room is the most probable one, as the noise averages out.
    static let settlingSeconds: Float = 60
    /// The published room changes when another has this probability, and so many times its own.
    static let leastProbability: Float = 0.5
    static let leastRatio: Float = 2

    /// Ordered by room.
    var shares: [Share] = []

    /// Adds the evidence of a scan.
    ///
    /// - Parameters:
    ///   - priors: the share of devices in each room that the evidence concerns, before any scan.
    ///   - evidence: how well the readings fit in each of these rooms, up to a factor.
    ///   - newPart: the part of the evidence that is new.
    ///   - seconds: the time since the scan before.
    mutating func add(
        _ evidence: [Int32: Float], priors: [Int32: Float], newPart: Float, seconds: Float
    ) {
        let most = evidence.values.max() ?? 0
        guard most > 0 else { return }
        var before: [Int32: Float] = [:]
        for share in shares { before[share.room] = share.probability }
        let left = shares.isEmpty ? 1 : 1 - exp(-seconds / Self.stayingSeconds)
        // In a fixed order, so that equal scans give equal sums.
        let rooms = Set(before.keys).union(priors.keys).sorted()
        let whole = rooms.reduce(Float(0)) { $0 + priors[$1, default: 0] }
        guard whole > 0 else { return }
        var next = rooms.map { room in
            let prior =
                (1 - left) * before[room, default: 0] + left * priors[room, default: 0] / whole
            let fit = max(Self.leastEvidence, evidence[room, default: 0] / most)
            return Share(room: room, probability: prior * pow(fit, newPart))
        }
        if next.count > Self.mostRooms {
            next.sort { ($1.probability, $0.room) < ($0.probability, $1.room) }
            next.removeLast(next.count - Self.mostRooms)
            next.sort { $0.room < $1.room }
        }
        let total = next.reduce(Float(0)) { $0 + $1.probability }
        guard total > 0 else { return }
        shares = next.map { Share(room: $0.room, probability: min(1, $0.probability / total)) }
    }

    func probability(of room: Int32) -> Float {
        shares.first { $0.room == room }?.probability ?? 0
    }

    /// The most probable one of these rooms.
    func best(among rooms: [Int32: Int32]) -> Share? {
        shares.filter { rooms[$0.room] != nil }.max {
            ($0.probability, $1.room) < ($1.probability, $0.room)
        }
    }
}
