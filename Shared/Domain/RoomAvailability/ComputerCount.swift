public import Events

extension ComputersCounted {
    /// Clocks of several machines may differ by so much.
    private static let clockSeconds: Int64 = 60

    /// The count after a later good fetch of its feed, which found the same. An event says when a
    /// number has changed. A number that is unknown stays so since its own time.
    ///
    /// - Parameters:
    ///   - goodAt: nil where the feed was never read.
    ///   - mostSeconds: a number that is older `now` is unknown since its own time.
    public func confirmed(
        at goodAt: Timestamp?, now: Timestamp, mostSeconds: Int64
    ) -> ComputersCounted {
        guard available != nil else { return self }
        var count = self
        if let goodAt, goodAt > asOf { count.asOf = goodAt }
        let age = (now - count.asOf) / 1_000_000
        // One from the future is of a clock that was wrong, so nobody knows its age.
        if age < -Self.clockSeconds || age > mostSeconds { count.available = nil }
        return count
    }
}

/// The free computers of a room, from all sources that count them.
public struct ComputerCount: Hashable, Sendable {
    /// The answer to "is a computer free?".
    public enum State: Hashable, Sendable {
        /// No source counts the computers of this room.
        case notCounted
        /// The sources have had no number since this time.
        case unknown(since: Timestamp)
        /// None is free; some may be free according to `counted`.
        case noneFree
        case free(Int)
    }

    public var state: State
    /// All computers; nil where no source says.
    public var total: Int?
    /// The time of the oldest number in it; nil if there is none.
    public var asOf: Timestamp?
    /// The feeds that the numbers are from, sorted.
    public var sources: [FeedID]

    /// The sum over the newest count of each feed, since several feeds may count different
    /// computers of a room. If one of them is unknown, so is the sum.
    ///
    /// - Parameter counts: those of one room, in any order, each `confirmed`.
    public init(_ counts: some Sequence<ComputersCounted>) {
        var newest: [FeedID: ComputersCounted] = [:]
        for count in counts where (newest[count.feed]?.asOf).map({ $0 <= count.asOf }) ?? true {
            newest[count.feed] = count
        }
        let counts = newest.values.sorted { $0.feed.text < $1.feed.text }
        sources = counts.map(\.feed)
        asOf = counts.map(\.asOf).min()
        let totals = counts.compactMap(\.total)
        total = totals.isEmpty || totals.count < counts.count ? nil : totals.reduce(0, +)
        let unknown = counts.filter { $0.available == nil }
        if counts.isEmpty {
            state = .notCounted
        } else if let since = unknown.map(\.asOf).min() {
            state = .unknown(since: since)
        } else {
            let free = counts.reduce(0) { $0 + max(0, $1.available ?? 0) }
            state = free == 0 ? .noneFree : .free(free)
        }
    }

    /// The free computers; nil where the number is unknown.
    public var available: Int? {
        switch state {
        case .noneFree: 0
        case .free(let free): free
        case .notCounted, .unknown: nil
        }
    }
}
