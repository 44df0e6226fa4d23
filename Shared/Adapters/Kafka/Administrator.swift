import CKafka

/// Queries topics, offsets and groups at the brokers, and creates topics. Every call blocks.
///
/// Safe to share: it only holds the thread-safe handle.
public final class Administrator: Sendable {
    let handle: ClientHandle

    public init(
        settings: [String: String], observer: KafkaObserver = KafkaObserver()
    ) throws(KafkaError) {
        // A consumer's handle, because a producer's handle makes the brokers create unknown topics.
        handle = try ClientHandle(RD_KAFKA_CONSUMER, settings: settings, observer: observer)
    }

    /// Creates a topic with the brokers' default replication factor. Returns false when it already
    /// existed.
    public func createTopic(
        _ name: String, partitions: Int, configuration: [String: String], _ wait: Duration
    ) throws(KafkaError) -> Bool {
        var text = [CChar](repeating: 0, count: 512)
        let made = rd_kafka_NewTopic_new(name, Int32(partitions), -1, &text, text.count)
        guard let made else { throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, string(text)) }
        defer { rd_kafka_NewTopic_destroy(made) }
        for (key, value) in configuration {
            try KafkaError.check(rd_kafka_NewTopic_set_config(made, key, value))
        }
        let event = try request(RD_KAFKA_ADMIN_OP_CREATETOPICS, wait) { options, queue in
            var topics: [OpaquePointer?] = [made]
            rd_kafka_CreateTopics(handle.pointer, &topics, topics.count, options, queue)
        }
        defer { rd_kafka_event_destroy(event) }
        var count = 0
        let result = rd_kafka_event_CreateTopics_result(event)
        let topics = rd_kafka_CreateTopics_result_topics(result, &count)
        for topic in UnsafeBufferPointer(start: topics, count: count) {
            let code = rd_kafka_topic_result_error(topic)
            if code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS { return false }
            guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { continue }
            let reason = rd_kafka_topic_result_error_string(topic).map { String(cString: $0) }
            throw KafkaError(code, reason)
        }
        return true
    }

    public func partitionCount(of topic: String, _ wait: Duration) throws(KafkaError) -> Int {
        try withMetadata(of: topic, wait) { _, found in Int(found.partition_cnt) }
    }

    func withMetadata<Answer>(
        of topic: String, _ wait: Duration,
        _ body: (_ all: rd_kafka_metadata, _ topic: rd_kafka_metadata_topic) -> Answer
    ) throws(KafkaError) -> Answer {
        guard let handleOfTopic = rd_kafka_topic_new(handle.pointer, topic, nil) else {
            throw KafkaError(rd_kafka_last_error())
        }
        defer { rd_kafka_topic_destroy(handleOfTopic) }
        var metadata: UnsafePointer<rd_kafka_metadata>?
        try KafkaError.check(
            rd_kafka_metadata(handle.pointer, 0, handleOfTopic, &metadata, wait.milliseconds))
        guard let metadata else { throw KafkaError(RD_KAFKA_RESP_ERR__FAIL) }
        defer { rd_kafka_metadata_destroy(metadata) }
        guard metadata.pointee.topic_cnt == 1, let found = metadata.pointee.topics else {
            throw KafkaError(RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC)
        }
        try KafkaError.check(found.pointee.err)
        return body(metadata.pointee, found.pointee)
    }

    /// The first offset of each partition that was appended at or after the time in milliseconds
    /// since 1970. It is -1 where there is none. `earliest` and `latest` are valid times too.
    public func offsets(
        of topic: String, partitions: Int, atMilliseconds time: Int64, _ wait: Duration
    ) throws(KafkaError) -> [Int64] {
        let list = PartitionList(
            (0..<partitions).map { PartitionOffset(topic: topic, partition: $0, offset: time) })
        try KafkaError.check(
            rd_kafka_offsets_for_times(handle.pointer, list.pointer, wait.milliseconds))
        return try list.offsets().map(\.offset)
    }

    /// Instead of a time: the first offset that the partition still holds (ListOffsets, KIP-79).
    public static let earliest: Int64 = -2
    /// Instead of a time: the offset that the next record will get.
    public static let latest: Int64 = -1

    /// Sends one request and waits for its event. The caller frees the event.
    func request(
        _ operation: rd_kafka_admin_op_t, _ wait: Duration,
        _ send: (_ options: OpaquePointer?, _ queue: OpaquePointer?) -> Void
    ) throws(KafkaError) -> OpaquePointer {
        let options = rd_kafka_AdminOptions_new(handle.pointer, operation)
        defer { rd_kafka_AdminOptions_destroy(options) }
        var text = [CChar](repeating: 0, count: 512)
        let limit = wait.milliseconds
        guard
            rd_kafka_AdminOptions_set_request_timeout(options, limit, &text, text.count)
                == RD_KAFKA_RESP_ERR_NO_ERROR
        else { throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, string(text)) }
        let queue = rd_kafka_queue_new(handle.pointer)
        defer { rd_kafka_queue_destroy(queue) }
        send(options, queue)
        // librdkafka itself answers within the limit; the margin is for a busy machine.
        guard let event = rd_kafka_queue_poll(queue, limit + 10_000) else {
            throw KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT)
        }
        let code = rd_kafka_event_error(event)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let reason = rd_kafka_event_error_string(event).map { String(cString: $0) }
            rd_kafka_event_destroy(event)
            throw KafkaError(code, reason)
        }
        return event
    }
}
