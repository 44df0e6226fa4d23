import Synchronization

/// All metrics of a process, used through handles and shown in Prometheus' text format.
///
/// Get a handle once and keep it: looking it up takes a lock, using it does not. Names follow
/// Prometheus' rules: `whereabouts_scans_accepted_total`, base units, `_total` on counters.
public final class MetricsRegistry: Sendable {
    /// The most series of one name, so that an unlimited label can't fill the memory. Series beyond
    /// it are not exported; a metric of its own counts them.
    public static let seriesLimit = 1_000

    enum Instrument: Sendable {
        case counter(Counter)
        case gauge(Gauge)
        case histogram(Histogram)
        case reading(@Sendable () -> Double)
    }
    struct Series: Sendable {
        let labels: [MetricLabel]
        let instrument: Instrument
    }
    struct Family: Sendable {
        let name: String
        let type: String
        let help: String
        var series: [Series] = []
        var indexOfLabels: [[MetricLabel]: Int] = [:]
    }

    private let families = Mutex<[String: Family]>([:])
    private let notShown = Counter()

    public init() {
        counterReading(
            "whereabouts_metrics_series_not_shown_total",
            help: "Series left out because their metric had too many."
        ) { [notShown] in Double(notShown.current) }
    }

    public func counter(
        _ name: String, help: String, labels: [String: String] = [:]
    ) -> Counter {
        let made = instrument(name, "counter", help, labels) { .counter(Counter()) }
        guard case .counter(let counter) = made else { return wrongType(name) }
        return counter
    }

    public func gauge(_ name: String, help: String, labels: [String: String] = [:]) -> Gauge {
        let made = instrument(name, "gauge", help, labels) { .gauge(Gauge()) }
        guard case .gauge(let gauge) = made else { return wrongType(name) }
        return gauge
    }

    public func histogram(
        _ name: String, help: String, bounds: [Double] = Histogram.secondsBuckets,
        labels: [String: String] = [:]
    ) -> Histogram {
        let made = instrument(name, "histogram", help, labels) {
            .histogram(Histogram(bounds: bounds))
        }
        guard case .histogram(let histogram) = made else { return wrongType(name) }
        return histogram
    }

    /// A gauge whose closure is called when metrics are shown. The closure must be quick.
    public func gaugeReading(
        _ name: String, help: String, labels: [String: String] = [:],
        read: @escaping @Sendable () -> Double
    ) {
        _ = instrument(name, "gauge", help, labels) { .reading(read) }
    }

    /// A counter whose closure is called when metrics are shown. The closure must be quick.
    func counterReading(
        _ name: String, help: String, labels: [String: String] = [:],
        read: @escaping @Sendable () -> Double
    ) {
        _ = instrument(name, "counter", help, labels) { .reading(read) }
    }

    /// Every family, sorted by name.
    var snapshot: [Family] {
        families.withLock { $0.values.sorted { $0.name < $1.name } }
    }

    private func instrument(
        _ name: String, _ type: String, _ help: String, _ labels: [String: String],
        make: () -> Instrument
    ) -> Instrument {
        precondition(Self.isName(name), "\(name) is not a metric's name")
        let labels = labels.sorted { $0.key < $1.key }.map { label in
            precondition(Self.isName(label.key), "\(label.key) is not a label's name")
            return MetricLabel(name: label.key, value: label.value)
        }
        return families.withLock { families in
            var family = families[name] ?? Family(name: name, type: type, help: help)
            precondition(family.type == type, "\(name) is a \(family.type)")
            if let index = family.indexOfLabels[labels] { return family.series[index].instrument }
            let made = make()
            guard family.series.count < Self.seriesLimit else {
                notShown.increment()
                return made
            }
            family.indexOfLabels[labels] = family.series.count
            family.series.append(Series(labels: labels, instrument: made))
            families[name] = family
            return made
        }
    }

    private func wrongType<Value>(_ name: String) -> Value {
        preconditionFailure("\(name) is read when shown and has no handle")
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }
}

struct MetricLabel: Sendable, Hashable {
    let name: String
    let value: String
}
