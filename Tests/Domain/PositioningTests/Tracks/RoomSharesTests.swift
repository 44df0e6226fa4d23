import SeededRandomness
import Testing

@testable import Positioning

@Suite("RoomShares") struct RoomSharesTests {
    @Test("The shares are those of a list with all rooms of the site", arguments: 0..<30)
    func slow(seed: Int) {
        var random = SeededRandom(seed: seed)
        let rooms = Int.random(in: 1...8, using: &random)
        var shares = RoomShares()
        // The first element is for the cells outside of every room.
        var all = [Double](repeating: 0, count: rooms + 1)
        var (room, total) = (0, 0.0)
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            if Bool.random(using: &random) { room = .random(in: 0...rooms, using: &random) }
            // Few different shares, so that several rooms have the same.
            let share = Double(Int.random(in: 0...2, using: &random)) / 4
            shares.add(share, in: Int32(room) - 1)
            all[room] += share
            total += share
        }
        if total > 0 {
            shares.divide(by: total)
            for index in all.indices { all[index] /= total }
        }
        for index in all.indices { #expect(shares[Int32(index) - 1] == all[index]) }
        let best = all.firstIndex { $0 > 0 && $0 == all.max() }
        #expect(shares.best?.room == best.map { Int32($0) - 1 })
        #expect(shares.best?.share == best.map { all[$0] })
        #expect(Set(shares.entries.map(\.room)).count == shares.entries.count)
    }
}
