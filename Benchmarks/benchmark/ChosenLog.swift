import EventLog
import Foundation
import KafkaLog
import Postgres
import PostgresLog

/// The log that a measurement works on.
enum ChosenLog {
    case kafka(bootstrapServers: String)
    case postgres(conninfo: String)

    /// The settings with which a service uses this log.
    var environment: [String: String] {
        switch self {
        case .kafka(let servers):
            ["WHEREABOUTS_LOG": "kafka", "KAFKA_BOOTSTRAP_SERVERS": servers]
        case .postgres(let conninfo): ["WHEREABOUTS_LOG": "postgres", "DATABASE_URL": conninfo]
        }
    }

    func open() throws -> any EventLog {
        switch self {
        case .kafka(let servers):
            try KafkaLog(bootstrapServers: servers, onUnexpected: { note($0) })
        case .postgres(let conninfo): PostgresLog(PostgresLogSettings(.init(conninfo)))
        }
    }
}
