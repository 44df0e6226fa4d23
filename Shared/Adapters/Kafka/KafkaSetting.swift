import CKafka

/// librdkafka's judgement of one setting, without a client.
public enum KafkaSetting: Sendable {
    case good
    case unknown
    /// The value is malformed, or this build of librdkafka lacks the feature.
    case refused

    public init(_ name: String, _ value: String) {
        guard let configuration = rd_kafka_conf_new() else {
            self = .good
            return
        }
        defer { rd_kafka_conf_destroy(configuration) }
        self =
            switch rd_kafka_conf_set(configuration, name, value, nil, 0) {
            case RD_KAFKA_CONF_UNKNOWN: .unknown
            case RD_KAFKA_CONF_INVALID: .refused
            default: .good
            }
    }
}
