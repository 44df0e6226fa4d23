import EventLog
import Events
import ServiceHost
import Wire

/// Keeps the index of the newest dead letters up to date as long as somebody looks at them.
actor LetterShelf {
    private let log: any EventLog
    private let siteOf: @Sendable (StoredRecord) -> SiteID?
    private let pause: Duration
    private var index: LetterIndex
    private var readAt: ContinuousClock.Instant?
    private var reading: Task<LetterIndex, any Error>?

    /// - Parameters:
    ///   - pause: how long the index is answered before the log is read on.
    ///   - siteOf: the site of a record's sender or key; nil where it is unknown.
    init(
        log: any EventLog, capacity: Int = LetterIndex.capacity, pause: Duration = .seconds(2),
        siteOf: @escaping @Sendable (StoredRecord) -> SiteID?
    ) {
        self.log = log
        self.pause = pause
        self.siteOf = siteOf
        index = LetterIndex(capacity: capacity)
    }

    /// The index; the log is read on unless that was just done.
    func latest() async throws -> LetterIndex {
        if let readAt, readAt.duration(to: .now) < pause { return index }
        if let reading { return try await reading.value }
        let task = Task { [index, log, siteOf] in
            var next = index
            try await next.readOn(log, siteOf: siteOf)
            return next
        }
        reading = task
        defer { reading = nil }
        index = try await task.value
        readAt = .now
        return index
    }

    /// Reads the log on at the next question, since something was put back.
    func expire() { readAt = nil }

    /// The letter itself; nil where the log has dropped it.
    func letter(_ row: LetterIndex.Row) async throws -> DeadLettered? {
        let there = try await log.ranges(of: [Topic.deadLetters.name])[row.partition]
        guard let there, there.contains(row.offset) else { return nil }
        var found: StoredRecord?
        try await log.readRange([row.partition: row.offset..<(row.offset + 1)]) {
            found = found ?? $0.first
        }
        return found.flatMap { try? DeadLettered(record: $0) }
    }
}
