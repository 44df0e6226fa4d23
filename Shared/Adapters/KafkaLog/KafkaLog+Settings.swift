import Kafka

extension KafkaLog {
    /// The fault of a setting of librdkafka, as the rest of a sentence that begins with its
    /// variable. Nil for a good one. The sentence does not quote the value, which may be a secret.
    public static func fault(ofSetting name: String, value: String) -> String? {
        switch KafkaSetting(name, value) {
        case .good: nil
        case .unknown: "is no setting of librdkafka: there is no \(name)"
        case .refused: "has a value that librdkafka does not accept for \(name)"
        }
    }
}
