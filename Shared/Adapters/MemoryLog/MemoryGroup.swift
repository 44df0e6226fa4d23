import EventLog

/// A consumer group: its members, the owner of each partition, and the committed offsets.
///
/// A partition has an owner and a target, which is the member that should own it. If they differ,
/// the owner releases the partition in its next poll. The target waits until then.
struct MemoryGroup: Sendable {
    private struct Member {
        var topics: Set<String>
        var heardAt: Int64
        /// Whether the member waits in a poll. Such a member is never removed.
        var isPolling = false
    }
    private struct Share {
        var owner: Int?
        var target: Int?
    }

    private(set) var committed: [TopicPartition: Int64] = [:]
    private var members: [Int: Member] = [:]
    private var shares: [TopicPartition: Share] = [:]

    mutating func join(_ member: Int, _ places: [TopicPartition], at now: Int64) {
        members[member] = Member(topics: Set(places.map(\.topic)), heardAt: now)
        for place in places where shares[place] == nil { shares[place] = Share() }
        balance()
    }

    mutating func leave(_ member: Int) {
        guard members.removeValue(forKey: member) != nil else { return }
        balance()
    }

    /// Removes the members that were last active before the time.
    mutating func removeSilent(since time: Int64) {
        let silent = members.filter { !$0.value.isPolling && $0.value.heardAt < time }
        guard !silent.isEmpty else { return }
        for member in silent.keys { members[member] = nil }
        balance()
    }

    var hasMembers: Bool { !members.isEmpty }

    /// Notes that the member is active. Returns false when it was removed already.
    @discardableResult
    mutating func hear(_ member: Int, at now: Int64, isPolling: Bool = false) -> Bool {
        guard members[member] != nil else { return false }
        members[member]?.heardAt = now
        members[member]?.isPolling = isPolling
        return true
    }

    /// Counts all members as active, after a time in which none could reach the log.
    mutating func hearAll(at now: Int64) {
        for member in members.keys { members[member]?.heardAt = now }
    }

    /// Hands the member's partitions over where they are meant for others. Returns whether there
    /// were any.
    mutating func release(_ member: Int) -> Bool {
        let leaving = shares.filter { $0.value.owner == member && $0.value.target != member }
        for (place, share) in leaving { shares[place]?.owner = share.target }
        return !leaving.isEmpty
    }

    func owned(by member: Int) -> Set<TopicPartition> {
        Set(shares.filter { $0.value.owner == member }.keys)
    }

    func owns(_ member: Int, _ place: TopicPartition) -> Bool { shares[place]?.owner == member }

    mutating func commit(_ next: [TopicPartition: Int64]) {
        committed.merge(next) { _, new in new }
    }

    /// Shares each topic's partitions out evenly and moves as few of them as possible.
    private mutating func balance() {
        for topic in Set(shares.keys.map(\.topic)) {
            let members = members.filter { $0.value.topics.contains(topic) }.keys.sorted()
            let places = shares.keys.filter { $0.topic == topic }.sorted()
            for (place, target) in targets(of: places, members) {
                let owner = shares[place]?.owner
                shares[place]?.target = target
                if owner.map({ self.members[$0] == nil }) ?? true { shares[place]?.owner = target }
            }
        }
    }

    private func targets(
        of places: [TopicPartition], _ members: [Int]
    ) -> [(place: TopicPartition, target: Int?)] {
        guard !members.isEmpty else { return places.map { ($0, nil) } }
        let least = places.count / members.count
        var extra = places.count % members.count
        var targets: [TopicPartition: Int] = [:]
        var loads = Dictionary(uniqueKeysWithValues: members.map { ($0, 0) })
        let owned = members.map { member in (member, places.filter { owns(member, $0) }) }
        for (member, own) in owned.sorted(by: { ($1.1.count, $0.0) < ($0.1.count, $1.0) }) {
            let kept = own.prefix(extra > 0 ? least + 1 : least)
            if kept.count > least { extra -= 1 }
            for place in kept { targets[place] = member }
            loads[member] = kept.count
        }
        for place in places where targets[place] == nil {
            let member = members.min { (loads[$0] ?? 0, $0) < (loads[$1] ?? 0, $1) }
            targets[place] = member
            if let member { loads[member, default: 0] += 1 }
        }
        return places.map { ($0, targets[$0]) }
    }
}
