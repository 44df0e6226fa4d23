/// librdkafka's settings for each kind of client. The user's settings override ours, except where
/// the log's contract depends on a setting.
struct KafkaLogSettings {
    /// The session time-out of a group member. It is also the least time that a member may go
    /// without polling.
    static let sessionTimeoutMilliseconds = 6_000
    /// The time limit for an append: within it a record is acknowledged or has failed.
    static let deliveryTimeoutMilliseconds = 30_000
    /// The largest record size that any topic may allow, in bytes.
    static let maximumMessageBytes = 64_000_000

    let bootstrapServers: String
    let user: [String: String]

    /// Settings for connections. A broker that comes back is found within about a second.
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
            // A new topic may take a moment to be known to every broker.
            "topic.metadata.propagation.max.ms": "3000",
        ]
    }

    /// The partitioner of the Java clients, so that every writer puts a key into the same
    /// partition.
    private static let durable = [
        "enable.idempotence": "true", "acks": "all", "partitioner": "murmur2",
    ]

    var appender: [String: String] {
        merged(common, producing, required: Self.durable.merging(Self.unlimited) { $1 })
    }

    /// Lifts librdkafka's own queue limits. `AppendBudget` enforces the user's limits instead,
    /// because it refuses an append as a whole and not in part.
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
            // A transaction waits for all of its messages, so lingering gains nothing. No message
            // may outlive the transaction.
            "linger.ms": "0", "delivery.timeout.ms": "5000",
            // Brokers that are not ready yet are ready within milliseconds.
            "retry.backoff.ms": "5",
        ]
        .merging(Self.unlimited) { $1 }
        return merged(common, producing, required: Self.durable.merging(transaction) { $1 })
    }

    private var consuming: [String: String] {
        [
            "fetch.wait.max.ms": "500", "fetch.min.bytes": "1", "fetch.error.backoff.ms": "50",
            // librdkafka pauses for a second at this limit, so only memory should limit it.
            "queued.min.messages": "1000000", "queued.max.messages.kbytes": "65536",
        ]
    }

    /// The settings of a reader that must not miss records silently: a lost offset is an error.
    private static let exact = [
        "isolation.level": "read_committed", "enable.auto.commit": "false",
        "enable.auto.offset.store": "false", "auto.offset.reset": "error",
    ]

    var reader: [String: String] {
        merged(
            common, consuming,
            // A partition's end comes with an answer without records, so it may be this late.
            ["fetch.wait.max.ms": "100"],
            // librdkafka requires a group id even where no group is joined and nothing is
            // committed.
            required: Self.exact.merging(
                ["enable.partition.eof": "true", "group.id": "whereabouts-reader"]) { $1 })
    }

    /// - Parameter id: the member's name for the other members (`FormerOwners`).
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

    /// The settings of the administration client.
    ///
    /// librdkafka 2.0 expects a consumer's handle to have a group. Without one it crashes when a
    /// broker answers that it does not coordinate the queried group.
    ///
    /// This client sees records of open transactions: its end of a partition is the high watermark.
    var administrator: [String: String] {
        merged(
            common,
            required: ["group.id": "whereabouts-reader", "isolation.level": "read_uncommitted"])
    }

    /// Like `administrator`, but with the view of readers: its end of a partition is the last
    /// stable offset.
    var readableAdministrator: [String: String] {
        merged(
            common,
            required: ["group.id": "whereabouts-reader", "isolation.level": "read_committed"])
    }

    /// The settings of a client that queries a group's committed offsets without being a member.
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
