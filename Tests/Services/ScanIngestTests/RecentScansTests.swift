import Events
import SeededRandomness
import Testing

@testable import ScanIngest

@Suite struct RecentScansTests {
    /// The obvious implementation: two dictionaries.
    private struct Slow {
        var limit: Int
        var young: [EventID: (hash: UInt64, isAcknowledged: Bool)] = [:]
        var old: [EventID: (hash: UInt64, isAcknowledged: Bool)] = [:]
        /// Forgotten ids keep their place in the generation.
        var forgotten: Set<EventID> = []

        mutating func note(_ id: EventID, _ hash: UInt64) -> RecentScans.Verdict {
            if let known = young[id] ?? old[id] {
                return known.hash == hash
                    ? .repeated(acknowledged: known.isAcknowledged) : .conflict
            }
            if young.count + forgotten.subtracting(young.keys).count >= limit {
                (old, young, forgotten) = (young, [:], [])
            }
            young[id] = (hash, false)
            return .new
        }

        mutating func acknowledge(_ id: EventID) {
            if young[id] != nil {
                young[id]?.isAcknowledged = true
            } else {
                old[id]?.isAcknowledged = true
            }
        }

        mutating func forget(_ id: EventID) {
            guard young[id]?.isAcknowledged == false else { return }
            young[id] = nil
            forgotten.insert(id)
        }
    }

    @Test(
        "It answers as two dictionaries would, in any order of calls",
        arguments: 1...20)
    func likeDictionaries(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let recent = RecentScans(limit: 16)
        var slow = Slow(limit: 16)
        // So few ids that they come again, also with other content.
        let ids = (0..<60).map { EventID(high: $0 % 3, low: $0) }
        for _ in 0..<5_000 {
            let id = ids[Int.random(in: ids.indices, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0...4:
                let hash = UInt64(Int.random(in: 0..<2, using: &random))
                #expect(recent.note(id, contentHash: hash) == slow.note(id, hash))
            case 5, 6:
                recent.acknowledge([id])
                slow.acknowledge(id)
            default:
                recent.forget([id])
                slow.forget(id)
            }
        }
    }

    @Test("An id is remembered for at least a full generation")
    func keeps() {
        let recent = RecentScans(limit: 1_000)
        for number in 0..<10_000 as Range<UInt64> {
            #expect(recent.note(EventID(high: 7, low: number), contentHash: number) == .new)
            let known = number < 1_000 ? 0 : number - 1_000
            let before = EventID(high: 7, low: known)
            #expect(recent.note(before, contentHash: known) == .repeated(acknowledged: false))
            #expect(recent.note(before, contentHash: known + 1) == .conflict)
        }
    }

    @Test("A generation of one id holds one")
    func smallest() {
        let recent = RecentScans(limit: 0)
        let (first, second, third) = (
            EventID(high: 0, low: 1), EventID(high: 0, low: 2), EventID(high: 0, low: 3)
        )
        #expect(recent.note(first, contentHash: 1) == .new)
        #expect(recent.note(second, contentHash: 1) == .new)
        #expect(recent.note(first, contentHash: 1) == .repeated(acknowledged: false))
        #expect(recent.note(third, contentHash: 1) == .new)
        #expect(recent.note(first, contentHash: 1) == .new)
    }
}
