public import LogViews
public import ServiceRuntime

extension Host {
    private static let outboxInterval = Duration.seconds(15)

    /// Measures how many events wait in an outbox, for how long, and how many were set aside.
    public func outboxWatch(_ outbox: Outbox) -> any Component {
        let pool = requiredDatabase()
        func gauge(_ name: String, _ help: String) -> Gauge {
            context.metrics.gauge(name, help: help, labels: ["outbox": outbox.schema])
        }
        let waiting = gauge("whereabouts_outbox_events", "Events that wait for the log.")
        let oldest = gauge(
            "whereabouts_outbox_oldest_seconds", "For how long the oldest event has waited.")
        let aside = gauge(
            "whereabouts_outbox_set_aside", "Events that the log refused, and nobody has handled.")
        return loop("outbox \(outbox.schema)") {
            var age = OutboxAge()
            while !Task.isCancelled {
                // The relay reports the faults of the database.
                if let standing = try? await outbox.standing(pool) {
                    waiting.set(Double(standing.waiting))
                    oldest.set(age.seconds(oldest: standing.oldest, at: .now))
                    aside.set(Double(standing.setAside))
                }
                try? await Task.sleep(for: Self.outboxInterval)
            }
        }
    }
}

/// For how long the same event has been an outbox's oldest. Rows have no times of their own.
struct OutboxAge {
    private var oldest: Int64?
    private var since = ContinuousClock.now

    mutating func seconds(oldest: Int64?, at now: ContinuousClock.Instant) -> Double {
        if oldest != self.oldest { (self.oldest, since) = (oldest, now) }
        return oldest == nil ? 0 : (now - since) / .seconds(1)
    }
}
