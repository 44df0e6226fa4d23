extension EventLog {
    /// For each partition of the topics, the offsets that readers can read now.
    ///
    /// With `withOpenTransactions` the ranges also include records of transactions that are still
    /// open. A caller that reads to that end misses no record that was appended before the call.
    public func ranges(
        of topics: [String], withOpenTransactions: Bool = false
    ) async throws(EventLogError) -> [TopicPartition: Range<Int64>] {
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for topic in topics {
            let bounds = try await bounds(of: topic)
            let ends =
                withOpenTransactions ? bounds.map(\.end) : try await readableEnds(of: topic)
            for (partition, (bound, end)) in zip(bounds, ends).enumerated() {
                ranges[TopicPartition(topic, partition)] = bound.start..<max(bound.start, end)
            }
        }
        return ranges
    }

    /// Reads partitions from start to end, without the end, and passes the records on in batches.
    /// Records of one partition stay in order. Returns when every partition's end is reached; gaps
    /// in the offsets count as read.
    ///
    /// - Parameters:
    ///   - onEnd: called once for each partition, when its end is reached.
    public func readRange(
        _ ranges: [TopicPartition: Range<Int64>], batchLimit: Int = 2_000,
        onEnd: (TopicPartition) async throws -> Void = { _ in },
        onStall: ([TopicPartition: Int64]) async throws -> Void = { _ in },
        _ body: ([StoredRecord]) async throws -> Void
    ) async throws {
        for (place, range) in ranges where range.isEmpty { try await onEnd(place) }
        var missing = ranges.filter { !$0.value.isEmpty }.mapValues(\.upperBound)
        guard !missing.isEmpty else { return }
        let ends = missing
        let reader = try await reader(
            from: ranges.filter { !$0.value.isEmpty }.mapValues(\.lowerBound))
        do {
            var before: [TopicPartition: Int64] = [:]
            var movedAt = ContinuousClock.now
            while !missing.isEmpty {
                try Task.checkCancellation()
                let records = try await reader.next(maximum: batchLimit, wait: .milliseconds(20))
                    .filter { $0.offset < ends[$0.topicPartition] ?? 0 }
                if !records.isEmpty { try await body(records) }
                let positions = try await reader.positions()
                for (place, end) in missing where (positions[place] ?? 0) >= end {
                    missing[place] = nil
                    try await onEnd(place)
                }
                if positions != before { (before, movedAt) = (positions, .now) }
                if .now - movedAt > .seconds(10) { try await onStall(missing) }
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
