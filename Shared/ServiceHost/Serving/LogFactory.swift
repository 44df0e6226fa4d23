import EventLog
import KafkaLog
import Postgres
import PostgresLog
import Retrying
import ServiceRuntime
import Wire

/// Opens the log that the configuration names. Nothing is connected yet, so the log may come up
/// later than the process.
///
/// - Parameter isObserver: leaves the upkeep of the log's tables to the services.
func makeLog(
    _ context: ServiceContext, storage: StorageSign? = nil, isObserver: Bool = false
) throws -> any EventLog {
    let configuration = context.configuration
    let logger = context.log
    switch configuration.text("WHEREABOUTS_LOG") {
    case "kafka":
        guard let servers = configuration.optionalText("KAFKA_BOOTSTRAP_SERVERS") else {
            throw ConfigurationError(faults: [Host.noBrokers])
        }
        var settings = try configuration.passthrough(prefix: "KAFKA_")
        settings["bootstrap.servers"] = nil
        // The interval at which librdkafka reports about itself, in milliseconds.
        settings["statistics.interval.ms"] = settings["statistics.interval.ms"] ?? "15000"
        let milliseconds = settings["statistics.interval.ms"].flatMap(Int.init) ?? 15_000
        let statistics = KafkaStatistics(
            context.metrics, interval: .milliseconds(max(1_000, milliseconds)))
        return try KafkaLog(
            bootstrapServers: servers, settings: settings,
            onUnexpected: { logger.warning($0) }, onRecovery: { logger.info($0) },
            statistics: { statistics.apply($0) })
    default:
        var settings = PostgresLogSettings(
            try PostgresConfiguration(configuration, storage: storage))
        if isObserver { settings.maintenanceInterval = nil }
        return PostgresLog(
            settings,
            notices: Notices(
                onUnexpected: { logger.warning($0) }, onRecovery: { logger.info($0) },
                start: StartPhase { logger.debug($0) }))
    }
}
