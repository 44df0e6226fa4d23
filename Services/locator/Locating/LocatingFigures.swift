import Events
import ServiceRuntime
import Synchronization

/// Counts positions by their states, and watches the senders' clocks.
final class LocatingFigures: Sendable {
    /// A wrong clock shows for one to two windows.
    private static let windowMicroseconds: Int64 = 600_000_000

    private struct Window {
        var begin = Timestamp(microseconds: 0)
        var largest: Int64 = 0
        var largestBefore: Int64 = 0
    }

    private let counters: [PositionEstimated.State: Counter]
    private let window = Mutex(Window())

    init(_ metrics: MetricsRegistry, now: @escaping @Sendable () -> Timestamp) {
        counters = Dictionary(
            uniqueKeysWithValues: PositionEstimated.State.allCases.map { state in
                let counter = metrics.counter(
                    "whereabouts_positions_total", help: "Positions of scans, by their state.",
                    labels: ["state": state.rawValue])
                return (state, counter)
            })
        metrics.gaugeReading(
            "whereabouts_sender_skew_seconds",
            help: "The largest fault of a sender's clock in the last ten to twenty minutes."
        ) { [weak self] in Double(self?.largestSkew(at: now()) ?? 0) / 1e6 }
    }

    /// Notes a position of the served positioner, and the scan that it is for.
    func note(_ state: PositionEstimated.State, of scan: ScanRecorded, at now: Timestamp) {
        counters[state]?.increment()
        guard let sentAt = scan.sentAt else { return }
        let skew = (scan.receivedAt - sentAt).magnitude
        window.withLock { window in
            Self.move(&window, to: now)
            window.largest = max(window.largest, Int64(clamping: skew))
        }
    }

    /// Microseconds.
    func largestSkew(at now: Timestamp) -> Int64 {
        window.withLock { window in
            Self.move(&window, to: now)
            return max(window.largest, window.largestBefore)
        }
    }

    private static func move(_ window: inout Window, to now: Timestamp) {
        guard now - window.begin >= windowMicroseconds else { return }
        let isNext = now - window.begin < 2 * windowMicroseconds
        window = Window(begin: now, largestBefore: isNext ? window.largest : 0)
    }
}
