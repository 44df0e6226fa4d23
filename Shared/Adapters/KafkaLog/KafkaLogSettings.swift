/// What each kind of client is made with: librdkafka's settings, ours unless the user's say
/// otherwise, except where the contract of the log hangs on them.
struct KafkaLogSettings {
    /// Names a member's session; also how long a member may go without polling at least.
    static let sessionTimeoutMilliseconds = 6_000
    /// An appended record is acknowledged or given up within this.
    static let deliveryTimeoutMilliseconds = 30_000
    /// The largest record that any topic may allow.
    static let maximumMessageBytes = 64_000_000

    let bootstrapServers: String
    let user: [String: String]

    /// For connections: a broker that comes back is found within about a second.
    private var common: [String: String] {
        [
            "bootstrap.servers": bootstrapServers, "client.id": "whereabouts",
            "reconnect.backoff.ms": "50", "reconnect.backoff.max.ms": "1000",
            "topic.metadata.refresh.fast.interval.ms": "100",
        ]
    }

    private var producing: [String: String] {
        [
            "linger.ms": "5", "compression.type": "lz4",
            "delivery.timeout.ms": "\(Self.deliveryTimeoutMilliseconds)",
            "message.max.bytes": "\(Self.maximumMessageBytes)",
            // A topic that was made a moment ago may not be known everywhere yet.
            "topic.metadata.propagation.max.ms": "3000",
        ]
    }

    /// As the Java clients partition, so that every writer puts a key into the same partition.
    private static let durable = [
        "enable.idempotence": "true", "acks": "all", "partitioner": "murmur2",
    ]

    var appender: [String: String] {
        merged(common, producing, required: Self.durable.merging(Self.unlimited) { $1 })
    }

    /// The user's limits on the queue are kept by `AppendBudget`, which refuses a whole append and
    /// not a part of it; librdkafka's own stay out of the way.
    private static let unlimited = [
        "queue.buffering.max.messages": "10000000", "queue.buffering.max.kbytes": "2097151",
    ]

    var budget: AppendBudget {
        AppendBudget(
            messages: user["queue.buffering.max.messages"].flatMap(Int.init)
                ?? AppendBudget.usualMessages,
            bytes: user["queue.buffering.max.kbytes"].flatMap(Int.init).map { $0 * 1024 }
                ?? AppendBudget.usualBytes)
    }

    func transactions(id: String) -> [String: String] {
        let transaction = [
            "transactional.id": id, "transaction.timeout.ms": "5000",
            // A transaction waits for all of its messages, so there is nothing to linger for, and
            // none may outlive it.
            "linger.ms": "0", "delivery.timeout.ms": "5000",
            // What the brokers are not ready for yet they are within milliseconds.
            "retry.backoff.ms": "5",
        ]
        .merging(Self.unlimited) { $1 }
        return merged(common, producing, required: Self.durable.merging(transaction) { $1 })
    }

    private var consuming: [String: String] {
        [
            "fetch.wait.max.ms": "500", "fetch.min.bytes": "1", "fetch.error.backoff.ms": "50",
            // librdkafka pauses for a second when this is reached, so only memory should limit it.
            "queued.min.messages": "1000000", "queued.max.messages.kbytes": "65536",
        ]
    }

    /// What a reader that misses nothing silently needs: a lost offset is an error.
    private static let exact = [
        "isolation.level": "read_committed", "enable.auto.commit": "false",
        "enable.auto.offset.store": "false", "auto.offset.reset": "error",
    ]

    var reader: [String: String] {
        merged(
            common, consuming,
            // The end of a partition is told by an answer without records, so it comes this late.
            ["fetch.wait.max.ms": "100"],
            // librdkafka wants a group even where none is joined and nothing is committed.
            required: Self.exact.merging(
                ["enable.partition.eof": "true", "group.id": "whereabouts-reader"]) { $1 })
    }

    /// - Parameter id: names the member to others (`FormerOwners`).
    func member(of group: String, id: String) -> [String: String] {
        merged(
            common, consuming,
            [
                "session.timeout.ms": "\(Self.sessionTimeoutMilliseconds)",
                "heartbeat.interval.ms": "1500", "max.poll.interval.ms": "10000",
            ],
            required: Self.exact.merging(
                [
                    "group.id": group, "partition.assignment.strategy": "cooperative-sticky",
                    "client.id": id,
                ]) { $1 })
    }

    /// librdkafka 2.0 takes it for granted that a consumer's handle has a group: without one it
    /// crashes when a broker answers that it does not coordinate the group that was asked about.
    ///
    /// Sees the records of open transactions: the end that it tells is the high watermark.
    var administrator: [String: String] {
        merged(
            common,
            required: ["group.id": "whereabouts-reader", "isolation.level": "read_uncommitted"])
    }

    /// The same with the eyes of readers: the end that it tells is the last stable offset.
    var readableAdministrator: [String: String] {
        merged(
            common,
            required: ["group.id": "whereabouts-reader", "isolation.level": "read_committed"])
    }

    /// Asks what a group has committed and is none of its members.
    func offsets(of group: String, isWaitingForPending: Bool) -> [String: String] {
        let level = isWaitingForPending ? "read_committed" : "read_uncommitted"
        return merged(common, required: ["group.id": group, "isolation.level": level])
    }

    private func merged(
        _ layers: [String: String]..., required: [String: String] = [:]
    ) -> [String: String] {
        var result: [String: String] = [:]
        for layer in layers { result.merge(layer) { $1 } }
        result.merge(user) { $1 }
        result.merge(required) { $1 }
        return result
    }
}
