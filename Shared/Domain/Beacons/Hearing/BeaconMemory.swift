import Events

/// A value for each beacon, which is forgotten after the beacon has been silent for too long.
struct BeaconMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var heard: Timestamp
        var value: Value
    }

    let forgetAfter: Duration
    let capacity: Int
    private var entries: [Key: Entry] = [:]

    init(forgetAfter: Duration, capacity: Int = BeaconLimits.rememberedBeacons) {
        self.forgetAfter = forgetAfter
        self.capacity = capacity
    }

    /// The beacon's value; nil if it was not received within `forgetAfter` before `now`.
    func value(of key: Key, now: Timestamp) -> Value? {
        guard let entry = entries[key], isFresh(entry, now) else { return nil }
        return entry.value
    }

    /// The newest values received within `forgetAfter` before `now`, newest first. Values of the
    /// same time are in the order of their keys.
    func newest(
        _ count: Int, now: Timestamp, by areInOrder: (Key, Key) -> Bool
    ) -> [(key: Key, heard: Timestamp, value: Value)] {
        let fresh = entries.filter { isFresh($0.value, now) }.sorted { left, right in
            left.value.heard == right.value.heard
                ? areInOrder(left.key, right.key) : left.value.heard > right.value.heard
        }
        return fresh.prefix(count).map { ($0.key, $0.value.heard, $0.value.value) }
    }

    /// The time at which the beacon was last received.
    func heard(_ key: Key) -> Timestamp? { entries[key]?.heard }

    mutating func keep(_ value: Value, of key: Key, at: Timestamp) {
        if entries[key] == nil && entries.count >= capacity { makeRoom(now: at) }
        // A reading that arrives late must not make the entry older.
        let heard = max(at, entries[key]?.heard ?? at)
        entries[key] = Entry(heard: heard, value: value)
    }

    /// Removes at least half of the entries at once, so that a flood of made-up beacons does not
    /// cost a search for each.
    private mutating func makeRoom(now: Timestamp) {
        entries = entries.filter { isFresh($0.value, now) }
        guard entries.count >= capacity else { return }
        let times = entries.values.map(\.heard).sorted()
        let middle = times[times.count / 2]
        entries = entries.filter { $0.value.heard > middle }
    }

    private func isFresh(_ entry: Entry, _ now: Timestamp) -> Bool {
        .microseconds(now - entry.heard) <= forgetAfter
    }
}
