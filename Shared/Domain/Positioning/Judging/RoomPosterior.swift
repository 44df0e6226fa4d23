import Events
import Geometry
import Glibc
import Site

/// The probability of each room. One half comes from the candidates' votes, the other from the
/// distance between room and estimated point.
struct RoomPosterior: Sendable {
    /// Rooms below this probability are not listed, but for the estimate's own room.
    static let leastProbability = 0.005

    private let site: SiteIndex
    private let floors: [FloorIndex?]
    private let rooms: [RoomIndex?]
    private let names: [RoomID]

    init(map: RadioMap, site: SiteIndex) {
        self.site = site
        floors = map.floors.map { site.floorIndex($0) }
        rooms = map.rooms.map { site.roomIndex($0) }
        names = map.rooms
    }

    private struct Candidate {
        /// Nil for outside of every room.
        let room: RoomID?
        let share: Double
        let nearness: Double
    }

    /// The room that contains the point, otherwise the one with the most votes; and all rooms by
    /// probability.
    ///
    /// - Parameters:
    ///   - floor: an index into the map's floors.
    ///   - deviation: the deviation of each coordinate, in metres.
    func posterior(
        votes: [CandidateMean.RoomVote], point: Point, floor: Int32, deviation: Double
    ) -> (room: RoomID?, rooms: [PositionEstimated.RoomProbability]) {
        let around = floors[Int(floor)].flatMap { site.room(at: point, on: $0) }
        let aroundID = around.map { site.room($0).id }
        var candidates = votes.map { vote in
            let room = vote.room < 0 ? nil : names[Int(vote.room)]
            return Candidate(
                room: room, share: vote.share,
                nearness: nearness(distance(vote, point, around, aroundID), deviation))
        }
        if let aroundID, !candidates.contains(where: { $0.room == aroundID }) {
            candidates.append(Candidate(room: aroundID, share: 0, nearness: 1))
        }
        let total = candidates.reduce(0) { $0 + $1.nearness }
        let mostVotes = votes.max { ($0.share, $1.room) < ($1.share, $0.room) }
        let voted = mostVotes.flatMap { $0.room < 0 ? nil : names[Int($0.room)] }
        let chosen = aroundID ?? voted
        var probabilities: [PositionEstimated.RoomProbability] = []
        for candidate in candidates {
            guard let room = candidate.room else { continue }
            // Where all candidates are far from the point, only the votes count.
            let near = total > 0 ? candidate.nearness / total : candidate.share
            let probability = (candidate.share + near) / 2
            if probability >= Self.leastProbability || room == chosen {
                probabilities.append(.init(id: room, probability: probability))
            }
        }
        probabilities.sort { ($1.probability, $0.id) < ($0.probability, $1.id) }
        return (chosen, probabilities)
    }

    /// Metres from the point to the room, or to the nearest candidate in it where the room has no
    /// outline.
    private func distance(
        _ vote: CandidateMean.RoomVote, _ point: Point, _ around: RoomIndex?, _ aroundID: RoomID?
    ) -> Double {
        guard vote.room >= 0 else { return around == nil ? 0 : vote.distance }
        if names[Int(vote.room)] == aroundID { return 0 }
        guard let room = rooms[Int(vote.room)], let outline = site.outline(room) else {
            return vote.distance
        }
        return outline.distance(from: point)
    }

    private func nearness(_ distance: Double, _ deviation: Double) -> Double {
        exp(-distance * distance / (2 * deviation * deviation))
    }
}
