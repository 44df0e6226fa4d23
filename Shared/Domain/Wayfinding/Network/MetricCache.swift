import Synchronization

/// Metrics that were worked out before, and room to search in.
///
/// A metric with closures is the profile's own with a few arcs changed, which takes a fraction of
/// working it out.
final class MetricCache: Sendable {
    /// So many metrics are kept, those used last.
    static let capacity = 24

    struct Key: Hashable {
        var profile: TravelProfile
        /// Connections and spaces that are out of service or shut.
        var closed: Set<Int> = []
        var closedSpaces: Set<Int> = []
        /// Spaces that only those cross who begin or end there, for one who does.
        var openedSpaces: Set<Int> = []
        /// With barriers at a price in place of closed.
        var isRelaxed = false
    }

    private struct State {
        var metrics: [Key: (metric: CustomisedMetric, usedAt: UInt64)] = [:]
        var clock: UInt64 = 0
        var searches: [ManyEndedSearch] = []
    }

    private let network: WayNetwork
    private let state = Mutex(State())

    init(_ network: WayNetwork) { self.network = network }

    /// Two threads that miss at once both work it out, which does no harm.
    func metric(for key: Key, _ costs: NetworkCosts) -> CustomisedMetric {
        if let known = take(key) { return known }
        let metric: CustomisedMetric
        let plain = Key(profile: key.profile, isRelaxed: key.isRelaxed)
        if key == plain {
            metric = CustomisedMetric(network.hierarchy, costs.metric(isRelaxed: key.isRelaxed))
        } else {
            var changed = self.metric(for: plain, costs)
            changed.change(costs.changes(key))
            metric = changed
        }
        keep(metric, key)
        return metric
    }

    /// Lends a search to a body.
    func withSearch<Answer>(_ body: (inout ManyEndedSearch) -> Answer) -> Answer {
        var search = state.withLock { $0.searches.popLast() } ?? ManyEndedSearch()
        defer { state.withLock { $0.searches.append(search) } }
        return body(&search)
    }

    private func take(_ key: Key) -> CustomisedMetric? {
        state.withLock { state in
            guard let known = state.metrics[key] else { return nil }
            state.clock += 1
            state.metrics[key]?.usedAt = state.clock
            return known.metric
        }
    }

    private func keep(_ metric: CustomisedMetric, _ key: Key) {
        state.withLock { state in
            state.clock += 1
            state.metrics[key] = (metric, state.clock)
            while state.metrics.count > Self.capacity,
                let oldest = state.metrics.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
            {
                state.metrics[oldest] = nil
            }
        }
    }
}
