extension EventLog {
    /// For each partition of the topics, the offsets that the log holds now.
    public func ranges(
        of topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Range<Int64>] {
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for topic in topics {
            for (partition, bound) in try await bounds(of: topic).enumerated() {
                ranges[TopicPartition(topic, partition)] = bound.start..<max(bound.start, bound.end)
            }
        }
        return ranges
    }

    /// Reads partitions from their start to their end, end excluded, and gives the records batch by
    /// batch, in order within each partition. Returns when every end is reached, gaps included.
    public func readRange(
        _ ranges: [TopicPartition: Range<Int64>], batchLimit: Int = 2_000,
        _ body: ([StoredRecord]) async throws -> Void
    ) async throws {
        var missing = ranges.filter { !$0.value.isEmpty }.mapValues(\.upperBound)
        guard !missing.isEmpty else { return }
        let ends = missing
        let reader = try await reader(
            from: ranges.filter { !$0.value.isEmpty }.mapValues(\.lowerBound))
        do {
            while !missing.isEmpty {
                try Task.checkCancellation()
                let records = try await reader.next(maximum: batchLimit, wait: .milliseconds(20))
                    .filter { $0.offset < ends[$0.topicPartition] ?? 0 }
                if !records.isEmpty { try await body(records) }
                let positions = try await reader.positions()
                missing = missing.filter { (positions[$0.key] ?? 0) < $0.value }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
