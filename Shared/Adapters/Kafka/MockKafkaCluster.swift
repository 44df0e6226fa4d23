import CKafka

/// librdkafka's simulated cluster, on 127.0.0.1 in this process.
///
/// Tests use it to inject errors and to measure a client without a broker. Its limits: it shows
/// aborted records, answers queries for offsets by time wrongly, and has no administration.
///
/// Safe to share: the mock cluster's functions are thread-safe.
public final class MockKafkaCluster: @unchecked Sendable {
    /// The number of a request type in Kafka's protocol.
    public enum Request: Int16, Sendable {
        case produce = 0
        case fetch = 1
        case listOffsets = 2
        case metadata = 3
        case addPartitionsToTransaction = 24
        case endTransaction = 26
    }

    private let handle: ClientHandle
    private let cluster: OpaquePointer

    public init(brokers: Int = 1) throws(KafkaError) {
        handle = try ClientHandle(RD_KAFKA_PRODUCER, settings: [:], observer: KafkaObserver())
        guard let made = rd_kafka_mock_cluster_new(handle.pointer, Int32(brokers)) else {
            throw KafkaError(RD_KAFKA_RESP_ERR__FAIL)
        }
        cluster = made
    }

    deinit { rd_kafka_mock_cluster_destroy(cluster) }

    public var bootstrapServers: String {
        String(cString: rd_kafka_mock_cluster_bootstraps(cluster))
    }

    public func createTopic(_ name: String, partitions: Int) throws(KafkaError) {
        try KafkaError.check(rd_kafka_mock_topic_create(cluster, name, Int32(partitions), 1))
    }

    /// Answers the next requests of this type with these errors, one each. `_TRANSPORT` cuts the
    /// connection.
    public func fail(_ request: Request, with codes: [KafkaError.Code]) {
        let errors = codes.map(\.response)
        rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, errors.count, errors)
    }

    /// Cuts the connections to all brokers and refuses new ones until `bringUp`.
    public func bringDown() throws(KafkaError) {
        try KafkaError.check(rd_kafka_mock_broker_set_down(cluster, -1))
    }

    public func bringUp() throws(KafkaError) {
        try KafkaError.check(rd_kafka_mock_broker_set_up(cluster, -1))
    }
}
