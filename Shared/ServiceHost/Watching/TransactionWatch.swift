import EventLog
public import ServiceRuntime

extension Host {
    /// Watches for transactions on the log that do not end. Readers wait for them for ever, and so
    /// does a member that takes the work over.
    ///
    /// The process is not ready while one has been open for thirty seconds, and logs it once.
    public func transactionWatch(topics: [String]) -> any Component {
        let gauges = topics.map { topic in
            context.metrics.gauge(
                "whereabouts_open_transaction_records",
                help: "Records that readers can't read yet, because a transaction on them is open.",
                labels: ["topic": topic])
        }
        let check = context.health.check("transactions", initially: .ready)
        let hanging = context.metrics.gauge(
            "whereabouts_hanging_transactions",
            help: "Partitions whose readers wait for a transaction that does not end.")
        return loop("transactions") { [self] in
            var watch = TransactionWatch()
            while !Task.isCancelled {
                do {
                    for (topic, gauge) in zip(topics, gauges) {
                        // The order matters: a transaction that is open at the first read began
                        // before the end that is read second.
                        let readable = try await log.readableEnds(of: topic)
                        let ends = try await log.bounds(of: topic).map(\.end)
                        gauge.set(
                            Double(watch.note(topic, readable: readable, ends: ends, at: .now)))
                    }
                    let standing = watch.standing(at: .now)
                    hanging.set(Double(standing.count))
                    report(standing, of: &watch, on: check)
                } catch {
                    // The work that uses the log reports its faults.
                }
                try? await Task.sleep(for: TransactionWatch.interval)
            }
        }
    }

    private func report(
        _ standing: [TopicPartition], of watch: inout TransactionWatch, on check: HealthCheck
    ) {
        guard !standing.isEmpty else {
            if watch.isReported { context.log.info("All transactions on the log have ended.") }
            watch.isReported = false
            return check.set(.ready)
        }
        let places = standing.map(\.description).joined(separator: ", ")
        check.set(.failing(reason: "a transaction on \(places) does not end"))
        guard !watch.isReported else { return }
        watch.isReported = true
        context.log.error(
            """
            A transaction on \(places) does not end, so nobody reads on there. \
            docs/decisions/0006 says what to do.
            """)
    }
}

/// Since when open transactions have blocked the readers of each partition.
struct TransactionWatch {
    static let interval = Duration.seconds(5)
    /// Transactions live for five seconds, and the brokers end abandoned ones ten seconds later.
    static let patience = Duration.seconds(30)

    private struct Stand {
        var readable: Int64
        var since: ContinuousClock.Instant
    }

    private var stands: [TopicPartition: Stand] = [:]
    var isReported = false

    /// Notes the state of a topic, and returns the number of records that readers can't read yet.
    mutating func note(
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
            // Readers have advanced, so this is another transaction than before.
            if stands[place]?.readable != readable {
                stands[place] = Stand(readable: readable, since: now)
            }
        }
        return open
    }

    /// Partitions whose readers have been blocked for too long.
    func standing(at now: ContinuousClock.Instant) -> [TopicPartition] {
        stands.filter { now - $0.value.since >= Self.patience }.keys.sorted()
    }
}
