import KafkaLog
import ServiceRuntime

extension Host {
    private static let kafkaPrefix = "KAFKA_"

    /// A fault for each variable that librdkafka refuses, if the log is on Kafka.
    static func refusedByKafka(_ environment: [String: String]) -> [ConfigurationFault] {
        guard environment[logKind.name] == "kafka" else { return [] }
        let settings: [String: String]
        do throws(ConfigurationError) {
            let configuration = try Configuration(
                environment: environment.filter { $0.key.hasPrefix(kafkaPrefix) }, settings: [])
            settings = try configuration.passthrough(prefix: kafkaPrefix)
        } catch {
            return error.faults
        }
        return settings.sorted { $0.key < $1.key }.compactMap { property, value in
            KafkaLog.fault(ofSetting: property, value: value).map { problem in
                let name = kafkaPrefix + property.uppercased().replacing(".", with: "_")
                return ConfigurationFault(
                    name: environment[name] == nil ? name + "_FILE" : name, problem: problem)
            }
        }
    }
}
