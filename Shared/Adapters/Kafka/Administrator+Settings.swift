import CKafka

extension Administrator {
    public struct TopicSettings: Hashable, Sendable {
        /// The settings in effect, whether they come from the topic or from the brokers' defaults.
        public var effective: [String: String] = [:]
        /// The settings stored for the topic itself.
        public var own: [String: String] = [:]
    }

    public func topicSettings(
        _ topics: [String], _ wait: Duration
    ) throws(KafkaError) -> [String: TopicSettings] {
        var resources = try topics.map { (name) throws(KafkaError) in try Self.resource(name) }
        defer { rd_kafka_ConfigResource_destroy_array(&resources, resources.count) }
        let event = try request(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, wait) { options, queue in
            rd_kafka_DescribeConfigs(handle.pointer, &resources, resources.count, options, queue)
        }
        defer { rd_kafka_event_destroy(event) }
        var count = 0
        let result = rd_kafka_event_DescribeConfigs_result(event)
        let found = rd_kafka_DescribeConfigs_result_resources(result, &count)
        var settings: [String: TopicSettings] = [:]
        for resource in UnsafeBufferPointer(start: found, count: count) {
            try Self.check(resource)
            guard let name = rd_kafka_ConfigResource_name(resource) else { continue }
            settings[String(cString: name)] = Self.settings(of: resource)
        }
        return settings
    }

    /// Sets these settings on the topic and removes all its other ones.
    public func replaceTopicSettings(
        of topic: String, with settings: [String: String], _ wait: Duration
    ) throws(KafkaError) {
        var resources = [try Self.resource(topic)]
        defer { rd_kafka_ConfigResource_destroy_array(&resources, resources.count) }
        for (name, value) in settings {
            try KafkaError.check(rd_kafka_ConfigResource_set_config(resources[0], name, value))
        }
        let event = try request(RD_KAFKA_ADMIN_OP_ALTERCONFIGS, wait) { options, queue in
            rd_kafka_AlterConfigs(handle.pointer, &resources, resources.count, options, queue)
        }
        defer { rd_kafka_event_destroy(event) }
        var count = 0
        let result = rd_kafka_event_AlterConfigs_result(event)
        let answers = rd_kafka_AlterConfigs_result_resources(result, &count)
        for answer in UnsafeBufferPointer(start: answers, count: count) { try Self.check(answer) }
    }

    private static func resource(_ topic: String) throws(KafkaError) -> OpaquePointer? {
        guard let made = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic) else {
            throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG)
        }
        return made
    }

    private static func check(_ resource: OpaquePointer?) throws(KafkaError) {
        let code = rd_kafka_ConfigResource_error(resource)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        let reason = rd_kafka_ConfigResource_error_string(resource).map { String(cString: $0) }
        throw KafkaError(code, reason)
    }

    private static func settings(of resource: OpaquePointer?) -> TopicSettings {
        var count = 0
        let entries = rd_kafka_ConfigResource_configs(resource, &count)
        var settings = TopicSettings()
        for entry in UnsafeBufferPointer(start: entries, count: count) {
            guard let name = rd_kafka_ConfigEntry_name(entry),
                let value = rd_kafka_ConfigEntry_value(entry)
            else { continue }
            settings.effective[String(cString: name)] = String(cString: value)
            let source = rd_kafka_ConfigEntry_source(entry)
            guard source == RD_KAFKA_CONFIG_SOURCE_DYNAMIC_TOPIC_CONFIG else { continue }
            settings.own[String(cString: name)] = String(cString: value)
        }
        return settings
    }

    /// The numbers that decide whether a topic survives the loss of a machine.
    public func replication(
        of topic: String, _ wait: Duration
    ) throws(KafkaError) -> (brokers: Int, replicas: Int) {
        try withMetadata(of: topic, wait) { metadata, found in
            let partitions = UnsafeBufferPointer(
                start: found.partitions, count: Int(found.partition_cnt))
            let fewest = partitions.map { Int($0.replica_cnt) }.min() ?? 0
            return (Int(metadata.broker_cnt), fewest)
        }
    }
}
