public import Events
public import ServiceHost

/// Keeps values for a while. Requests for the same value at once share the work of making it.
public actor RecentValues<Key: Hashable & Sendable, Value: Sendable> {
    private struct Entry {
        var work: Task<Value, any Error>
        var number: Int
        var at: Timestamp
        /// Zero while the work goes on.
        var weight = 0
    }

    private let keptMicroseconds: Int64
    private let mostEntries: Int
    private let mostWeight: Int
    private let weigh: @Sendable (Value) -> Int
    private var entries: [Key: Entry] = [:]
    private var weight = 0
    private var count = 0

    /// - Parameters:
    ///   - mostWeight: the most weight of all values. The oldest ones go first.
    ///   - weigh: the weight of a value, such as its bytes.
    public init(
        keptSeconds: Int64, mostEntries: Int, mostWeight: Int,
        weigh: @escaping @Sendable (Value) -> Int
    ) {
        keptMicroseconds = keptSeconds * 1_000_000
        self.mostEntries = mostEntries
        self.mostWeight = mostWeight
        self.weigh = weigh
    }

    /// The value of the key, made anew if there is none that is young enough.
    ///
    /// - Parameter make: waits for no caller's turn, since others wait for it as well.
    /// - Throws: the error of `make`, to all who wait for this value. It is not kept.
    public func value(
        of key: Key, now: Timestamp, make: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let work = youngWork(of: key, now) { return try await work.value }
        remove(key)
        count += 1
        let (number, work) = (count, Task { try await make() })
        entries[key] = Entry(work: work, number: number, at: now)
        makeRoom(now)
        do {
            let value = try await work.value
            if entries[key]?.number == number {
                let added = weigh(value)
                entries[key]?.weight = added
                weight += added
                makeRoom(now)
            }
            return value
        } catch {
            if entries[key]?.number == number { remove(key) }
            throw error
        }
    }

    /// The value of the key, as above. A caller waits for a turn of his own before it is made.
    ///
    /// So nobody waits in the queue of another caller, who may have asked for much else before. A
    /// value that is young, or being made, needs no turn.
    ///
    /// - Throws: also a `Problem` with Retry-After where too many wait, and `CancellationError`.
    public func value(
        of key: Key, clock: EventClock, turns: Turns, caller: String,
        make: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let work = youngWork(of: key, clock.now) { return try await work.value }
        let turn = try await turns.acquire(for: caller)
        defer { turn.end() }
        // Somebody else may have had it made meanwhile.
        return try await value(of: key, now: clock.now, make: make)
    }

    private func youngWork(of key: Key, _ now: Timestamp) -> Task<Value, any Error>? {
        guard let known = entries[key], isYoung(known, now) else { return nil }
        return known.work
    }

    /// The clock of the machine may be set back.
    private func isYoung(_ entry: Entry, _ now: Timestamp) -> Bool {
        (0..<keptMicroseconds).contains(now - entry.at)
    }

    private func remove(_ key: Key) {
        if let gone = entries.removeValue(forKey: key) { weight -= gone.weight }
    }

    private func makeRoom(_ now: Timestamp) {
        guard isFull else { return }
        for (key, entry) in entries where !isYoung(entry, now) { remove(key) }
        while isFull, let oldest = entries.min(by: { $0.value.number < $1.value.number })?.key {
            remove(oldest)
        }
    }

    private var isFull: Bool { entries.count > mostEntries || weight > mostWeight }
}
