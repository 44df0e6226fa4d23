import Synchronization

/// Caches computed metrics, and lends out memory for searches.
///
/// A metric with closures is the profile's own metric with a few arcs changed. That is much faster
/// than computing it anew.
final class MetricCache: Sendable {
    /// The most metrics that are kept; the least recently used is dropped first.
    static let capacity = 24

    struct Key: Hashable {
        var profile: TravelProfile
        /// Connections that are out of service or closed.
        var closed: Set<Int> = []
        var closedSpaces: Set<Int> = []
        /// Restricted or closed spaces in which this query's route begins or ends, so it may use
        /// them.
        var openedSpaces: Set<Int> = []
        /// Whether barriers have a price instead of being closed.
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

    /// Two threads may compute the same metric at once, which is harmless.
    func metric(for key: Key, _ costs: NetworkCosts) -> CustomisedMetric {
        if let known = cached(key) { return known }
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

    /// Lends a search to a closure.
    func withSearch<Answer>(_ body: (inout ManyEndedSearch) -> Answer) -> Answer {
        var search = state.withLock { $0.searches.popLast() } ?? ManyEndedSearch()
        defer { state.withLock { $0.searches.append(search) } }
        return body(&search)
    }

    private func cached(_ key: Key) -> CustomisedMetric? {
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
