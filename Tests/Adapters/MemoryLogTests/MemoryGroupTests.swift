import EventLog
import SeededRandomness
import Testing

@testable import MemoryLog

@Suite("A group in memory")
struct MemoryGroupTests {
    @Test(
        "shares partitions evenly and moves as few as possible when members come and go",
        arguments: 0..<20)
    func shares(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let places = (0..<Int.random(in: 1...12, using: &random)).map { TopicPartition("t", $0) }
        var group = MemoryGroup()
        var members: [Int] = []
        for number in 1...40 {
            let before = Dictionary(
                uniqueKeysWithValues: members.map { ($0, group.owned(by: $0)) })
            if !members.isEmpty, Bool.random(using: &random) {
                let gone = members.remove(at: Int.random(in: members.indices, using: &random))
                group.leave(gone)
            } else {
                members.append(number)
                group.join(number, places, at: 0)
            }
            for member in members { _ = group.release(member) }
            let owned = members.map { group.owned(by: $0) }
            guard let most = owned.map(\.count).max(), let least = owned.map(\.count).min() else {
                continue
            }
            #expect(owned.reduce(0) { $0 + $1.count } == places.count)
            #expect(Set(owned.flatMap(\.self)) == Set(places))
            #expect(most - least <= 1)
            // A remaining member has lost only partitions that another member lacked.
            for (member, now) in zip(members, owned) {
                let kept = now.intersection(before[member] ?? now)
                #expect(kept.count >= min(before[member]?.count ?? 0, least))
            }
        }
    }

    @Test("leaves a partition with its owner until the owner releases it")
    func release() {
        let places = (0..<2).map { TopicPartition("t", $0) }
        var group = MemoryGroup()
        group.join(1, places, at: 0)
        group.join(2, places, at: 0)
        #expect(group.owned(by: 1) == Set(places))
        let hasReleased = group.release(1)
        #expect(hasReleased)
        #expect(group.owned(by: 1) == [places[0]])
        #expect(group.owned(by: 2) == [places[1]])
    }

    @Test("removes a silent member, but not one that waits in a poll")
    func silence() {
        let places = (0..<2).map { TopicPartition("t", $0) }
        var group = MemoryGroup()
        for member in 1...3 { group.join(member, places, at: 0) }
        group.hear(2, at: 0, isPolling: true)
        group.hear(3, at: 10)
        group.removeSilent(since: 10)
        let isMember = (1...3).map { group.hear($0, at: 10) }
        #expect(isMember == [false, true, true])
        #expect(group.owned(by: 2).union(group.owned(by: 3)) == Set(places))
    }
}

@Suite("A bell for changes")
struct ChangeBellTests {
    @Test("wakes all waiters, and a task that missed the last ring does not wait")
    func wakes() async {
        let bell = ChangeBell()
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    // No change is missed, so each of these waits ends before its time is over.
                    for _ in 0..<50 {
                        let rings = bell.rings
                        ringElsewhere(bell)
                        await bell.wait(after: rings, until: .now + .seconds(3_600))
                    }
                }
            }
        }
    }

    @Test("ends a wait when its time is over and when its task is cancelled")
    func ends() async {
        let bell = ChangeBell()
        await bell.wait(after: 0, until: .now)
        let waiting = Task { await bell.wait(after: 0, until: .now + .seconds(3_600)) }
        waiting.cancel()
        await waiting.value
    }
}

private func ringElsewhere(_ bell: ChangeBell) { Task.detached { bell.ring() } }
