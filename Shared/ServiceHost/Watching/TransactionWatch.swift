import EventLog
public import ServiceRuntime

extension Host {
    /// Watches for transactions on the log that do not end: readers wait for them for ever, and so
    /// does whoever takes the work over. The process is not ready while one has stood for thirty
    /// seconds, and says so once.
    public func transactionWatch(topics: [String]) -> any Component {
        let gauges = topics.map { topic in
            context.metrics.gauge(
                "whereabouts_open_transaction_records",
                help: "Records that readers do not get yet: a transaction on them is open.",
                labels: ["topic": topic])
        }
        let check = context.health.check("transactions", initially: .ready)
        return loop("transactions") { [self] in
            var watch = TransactionWatch()
            while !Task.isCancelled {
                do {
                    for (topic, gauge) in zip(topics, gauges) {
                        // In this order: what is open now began before the end that is told.
                        let readable = try await log.readableEnds(of: topic)
                        let ends = try await log.bounds(of: topic).map(\.end)
                        gauge.set(
                            Double(watch.take(topic, readable: readable, ends: ends, at: .now)))
                    }
                    report(watch.standing(at: .now), of: &watch, on: check)
                } catch {
                    // Those who do the work say what is wrong with the log.
                }
                try? await Task.sleep(for: TransactionWatch.interval)
            }
        }
    }

    private func report(
        _ standing: [TopicPartition], of watch: inout TransactionWatch, on check: HealthCheck
    ) {
        guard !standing.isEmpty else {
            if watch.isTold { context.log.info("No transaction hangs on the log any more.") }
            watch.isTold = false
            return check.set(.ready)
        }
        let places = standing.map(\.description).joined(separator: ", ")
        check.set(.failing(reason: "a transaction on \(places) does not end"))
        guard !watch.isTold else { return }
        watch.isTold = true
        context.log.error(
            """
            A transaction on \(places) does not end, so nobody reads on there. \
            docs/decisions/0006 says what to do.
            """)
    }
}

/// Since when open transactions hold up the readers of each partition.
struct TransactionWatch {
    static let interval = Duration.seconds(5)
    /// Transactions live for five seconds, and the brokers end abandoned ones ten later.
    static let patience = Duration.seconds(30)

    private struct Stand {
        var readable: Int64
        var since: ContinuousClock.Instant
    }

    private var stands: [TopicPartition: Stand] = [:]
    var isTold = false

    /// Gives the number of records that readers do not get yet.
    mutating func take(
        _ topic: String, readable: [Int64], ends: [Int64], at now: ContinuousClock.Instant
    ) -> Int64 {
        var open: Int64 = 0
        for (partition, (readable, end)) in zip(readable, ends).enumerated() {
            let place = TopicPartition(topic, partition)
            guard readable < end else {
                stands[place] = nil
                continue
            }
            open += end - readable
            // Where readers get on it is another transaction than before.
            if stands[place]?.readable != readable {
                stands[place] = Stand(readable: readable, since: now)
            }
        }
        return open
    }

    /// Partitions whose readers have stood for too long.
    func standing(at now: ContinuousClock.Instant) -> [TopicPartition] {
        stands.filter { now - $0.value.since >= Self.patience }.keys.sorted()
    }
}
