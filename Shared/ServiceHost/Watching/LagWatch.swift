import EventLog
public import LogViews
public import ServiceRuntime

extension Host {
    /// The time between two measurements.
    private static let lagInterval = Duration.seconds(15)

    /// Measures how far a consumer group is behind: `whereabouts_lag_records{group, topic}`.
    /// Records of an open commit count as behind, so that a hanging commit shows.
    public func lagWatch(group: String, topics: [String]) -> any Component {
        lagWatch(group, topics) { [log] in
            try await log.lastCommitted(group: group, topics: topics)
        }
    }

    /// Measures how far a view is behind its topics, by the offsets that stand beside its rows.
    public func lagWatch(view: any View) -> any Component {
        let pool = requiredDatabase()
        return lagWatch(view.name, view.topics) { try await pool.positions(of: view) }
    }

    private func lagWatch(
        _ group: String, _ topics: [String],
        positions: @escaping @Sendable () async throws -> [TopicPartition: Int64]
    ) -> any Component {
        let gauges = topics.map { topic in
            context.metrics.gauge(
                "whereabouts_lag_records", help: "Records that wait to be worked on.",
                labels: ["group": group, "topic": topic])
        }
        return loop("lag of \(group)") { [self] in
            while !Task.isCancelled {
                do {
                    let positions = try await positions()
                    for (topic, gauge) in zip(topics, gauges) {
                        let bounds = try await log.bounds(of: topic)
                        let behind = bounds.enumerated().reduce(Int64(0)) { sum, entry in
                            let place = TopicPartition(topic, entry.offset)
                            let position = positions[place] ?? entry.element.start
                            return sum + max(0, entry.element.end - position)
                        }
                        gauge.set(Double(behind))
                    }
                } catch {
                    // The consumer itself logs the fault; the gauge keeps its last value.
                }
                try? await Task.sleep(for: Self.lagInterval)
            }
        }
    }
}
