import CKafka

/// An error from librdkafka or a broker.
public struct KafkaError: Error, Hashable, CustomStringConvertible {
    /// librdkafka's code: negative for its own errors, the protocol's number for a broker's.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }
        init(_ code: rd_kafka_resp_err_t) { rawValue = code.rawValue }
    }

    public var code: Code
    public var reason: String
    /// Whether the same call may succeed later without any change.
    public var isRetriable: Bool
    /// Whether the producer is unusable, so that a new one must be created.
    public var isFatal: Bool
    /// Whether the open transaction must be aborted. The producer stays usable.
    public var requiresAbort: Bool

    public init(
        code: Code, reason: String, isRetriable: Bool = false, isFatal: Bool = false,
        requiresAbort: Bool = false
    ) {
        self.code = code
        self.reason = reason
        self.isRetriable = isRetriable
        self.isFatal = isFatal
        self.requiresAbort = requiresAbort
    }

    init(_ code: rd_kafka_resp_err_t, _ reason: String? = nil) {
        self.init(
            code: Code(code), reason: reason ?? String(cString: rd_kafka_err2str(code)),
            isRetriable: Code(code).isTransient, isFatal: code == RD_KAFKA_RESP_ERR__FATAL)
    }

    /// Takes ownership of the error object and frees it.
    init(consuming error: OpaquePointer) {
        let code = rd_kafka_error_code(error)
        self.init(
            code: Code(code), reason: String(cString: rd_kafka_error_string(error)),
            isRetriable: rd_kafka_error_is_retriable(error) != 0,
            isFatal: rd_kafka_error_is_fatal(error) != 0,
            requiresAbort: rd_kafka_error_txn_requires_abort(error) != 0)
        rd_kafka_error_destroy(error)
    }

    public var description: String { "\(reason) (\(code.name))" }

    /// Throws the error that a call of librdkafka's newer interface returned, if any.
    static func check(_ error: OpaquePointer?) throws(KafkaError) {
        if let error { throw KafkaError(consuming: error) }
    }

    /// Throws if the result code of librdkafka's older interface is an error.
    static func check(_ code: rd_kafka_resp_err_t) throws(KafkaError) {
        if code != RD_KAFKA_RESP_ERR_NO_ERROR { throw KafkaError(code) }
    }
}

extension KafkaError.Code {
    /// librdkafka's name for the code, such as `_TIMED_OUT` or `MSG_SIZE_TOO_LARGE`.
    public var name: String { String(cString: rd_kafka_err2name(response)) }

    var response: rd_kafka_resp_err_t { rd_kafka_resp_err_t(rawValue) }

    public static let timedOut = Self(RD_KAFKA_RESP_ERR__TIMED_OUT)
    public static let messageTimedOut = Self(RD_KAFKA_RESP_ERR__MSG_TIMED_OUT)
    public static let queueFull = Self(RD_KAFKA_RESP_ERR__QUEUE_FULL)
    public static let transport = Self(RD_KAFKA_RESP_ERR__TRANSPORT)
    public static let allBrokersDown = Self(RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN)
    public static let fenced = Self(RD_KAFKA_RESP_ERR__FENCED)
    public static let state = Self(RD_KAFKA_RESP_ERR__STATE)
    public static let purgedFromQueue = Self(RD_KAFKA_RESP_ERR__PURGE_QUEUE)
    public static let purgedInFlight = Self(RD_KAFKA_RESP_ERR__PURGE_INFLIGHT)
    public static let offsetReset = Self(RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET)
    public static let offsetOutOfRange = Self(RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE)
    /// A transaction on these offsets has not ended yet.
    static let unstableOffsets = Self(RD_KAFKA_RESP_ERR_UNSTABLE_OFFSET_COMMIT)
    public static let maximumPollExceeded = Self(RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED)
    /// The codes for a message or a batch that is larger than the client or the topic allows.
    public static let tooLarge: Set<Self> = [
        Self(RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE), Self(RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE),
        Self(RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE),
    ]
    public static let unknownTopic: Set<Self> = [
        Self(RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC), Self(RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION),
        Self(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART), Self(RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION),
    ]
    public static let notAuthorized: Set<Self> = [
        Self(RD_KAFKA_RESP_ERR__AUTHENTICATION), Self(RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED),
        Self(RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED),
        Self(RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED),
        Self(RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED),
        Self(RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED),
    ]
    /// The codes for a partition that exists, but is not to be had yet. Its leader is not chosen or
    /// is another broker by now, or the client itself has not heard about it.
    public static let notThereYet: Set<Self> = [
        Self(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE),
        Self(RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION),
        Self(RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION),
    ]
    /// The codes for a consumer that the group no longer counts as a member.
    public static let lostMembership: Set<Self> = [
        Self(RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION), Self(RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID),
        Self(RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID), Self(RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS),
        Self(RD_KAFKA_RESP_ERR__ASSIGNMENT_LOST),
    ]

    /// Whether the brokers are down, starting or electing a leader. The request itself is fine.
    var isTransient: Bool { Self.transient.contains(self) }

    private static let transient: Set<Self> = [
        // librdkafka's answer also where a slow broker has not yet said what it supports.
        Self(RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE),
        .timedOut, .messageTimedOut, .queueFull, .transport, .allBrokersDown,
        Self(RD_KAFKA_RESP_ERR__RESOLVE), Self(RD_KAFKA_RESP_ERR__WAIT_COORD),
        Self(RD_KAFKA_RESP_ERR__WAIT_CACHE), Self(RD_KAFKA_RESP_ERR__IN_PROGRESS),
        Self(RD_KAFKA_RESP_ERR__RETRY), Self(RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE),
        Self(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE),
        Self(RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION),
        Self(RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT), Self(RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE),
        Self(RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE), Self(RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION),
        Self(RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS),
        Self(RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE),
        Self(RD_KAFKA_RESP_ERR_NOT_COORDINATOR), Self(RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS),
        Self(RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND),
        Self(RD_KAFKA_RESP_ERR_NOT_CONTROLLER), Self(RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR),
        Self(RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS),
        .unstableOffsets,
        Self(RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE),
    ]
}
