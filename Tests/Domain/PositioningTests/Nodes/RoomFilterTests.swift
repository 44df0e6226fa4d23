import Testing

@testable import Positioning

@Suite("The room of a device over time") struct RoomFilterTests {
    private static let priors: [Int32: Float] = [1: 20, 2: 20, 3: 2]

    private static func filter(
        _ evidence: [Int32: Float], scans: Int, newPart: Float = 0.02, _ known: RoomFilter? = nil
    ) -> RoomFilter {
        var filter = known ?? RoomFilter()
        for scan in 0..<scans {
            let part = known == nil && scan == 0 ? 1 : newPart
            filter.add(evidence, priors: priors, newPart: part, seconds: 4)
        }
        return filter
    }

    @Test("One scan gives Bayes's rule, with the size of the rooms as the prior")
    func first() {
        let filter = Self.filter([1: 0.5, 2: 0.25, 3: 1], scans: 1)
        #expect(filter.shares.map(\.room) == [1, 2, 3])
        #expect(abs(filter.probability(of: 1) - 10 / 17) < 1e-5)
        #expect(abs(filter.probability(of: 2) - 5 / 17) < 1e-5)
        #expect(filter.best(among: [2: 0, 3: 0])?.room == 2)
    }

    @Test("Evidence adds up, but never to certainty, and another room is found again")
    func moves() {
        let one = Self.filter([1: 1, 2: 0.3, 3: 0.3], scans: 900)
        #expect(one.probability(of: 1) > 0.9 && one.probability(of: 2) > 1e-4)
        let other = Self.filter([1: 0.1, 2: 1, 3: 0.1], scans: 450, one)
        #expect(other.best(among: [1: 0, 2: 0, 3: 0])?.room == 2)
    }

    @Test("Probabilities sum up to 1, and the least probable of too many rooms are left out")
    func many() {
        var priors: [Int32: Float] = [:]
        for room in 0..<40 { priors[Int32(room)] = Float(room + 1) }
        var filter = RoomFilter()
        filter.add(priors, priors: priors, newPart: 1, seconds: 0)
        #expect(filter.shares.count == RoomFilter.mostRooms)
        #expect(filter.shares.first?.room == Int32(40 - RoomFilter.mostRooms))
        #expect(abs(filter.shares.reduce(0) { $0 + $1.probability } - 1) < 1e-5)
        let before = filter
        filter.add([:], priors: [:], newPart: 1, seconds: 4)
        #expect(filter == before)
    }
}
