public import EventLog

/// The newest number of an outbox on the log, found at the ends of the topics that it alone feeds.
/// Only ends that have moved are read again.
public struct OutboxTail: Sendable {
    /// How far before the end a record is looked for, since compaction leaves gaps.
    private static let widths: [Int64] = [1, 50, 2_000]

    private let outbox: Outbox
    private var ends: [TopicPartition: Int64] = [:]
    /// 0 where the log has none.
    public private(set) var newest: Int64 = 0

    public init(_ outbox: Outbox) { self.outbox = outbox }

    /// - Returns: false where the log ends before the place where it ended last time, so that
    ///   another one has replaced it.
    public mutating func look(_ log: any EventLog) async throws -> Bool {
        let ranges = try await log.ranges(of: outbox.topics)
        let isSame = ranges.allSatisfy { $0.value.upperBound >= ends[$0.key] ?? 0 }
        if !isSame { (ends, newest) = ([:], 0) }
        var open = ranges.filter { !$0.value.isEmpty && $0.value.upperBound != ends[$0.key] }
        for width in Self.widths where !open.isEmpty {
            var found: Set<TopicPartition> = []
            var numbers: [Int64] = []
            let parts = open.mapValues { max($0.lowerBound, $0.upperBound - width)..<$0.upperBound }
            let schema = outbox.schema
            try await log.readRange(parts) { records in
                for record in records {
                    found.insert(record.topicPartition)
                    OutboxNumber.of(record.headers, in: schema).map { numbers.append($0) }
                }
            }
            newest = max(newest, numbers.max() ?? 0)
            open = open.filter { !found.contains($0.key) }
        }
        ends = ranges.mapValues(\.upperBound)
        return isSame
    }
}
