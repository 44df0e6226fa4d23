import EventLog
import Foundation
import KafkaLog
import Postgres
import PostgresLog

/// A group member in a process of its own, which tests can kill, stop and continue.
///
///     log-probe (postgres CONNINFO | kafka SERVERS) GROUP INPUT OUTPUT
///
/// It copies records from one topic to the other for ever, each batch in one commit.
/// `WHEREABOUTS_FAULT` makes it die within a transaction.
@main
struct LogProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6 else {
            print("usage: log-probe (postgres CONNINFO | kafka SERVERS) GROUP INPUT OUTPUT")
            exit(2)
        }
        let log: any EventLog =
            arguments[1] == "kafka"
            ? try KafkaLog(bootstrapServers: arguments[2], onUnexpected: { print($0) })
            : PostgresLog(PostgresConfiguration(arguments[2]))
        let member = try await log.join(group: arguments[3], topics: [arguments[4]])
        while true {
            do { try await step(member, to: arguments[5]) } catch {
                print("failed \(error.code.rawValue)")
                if !error.isRetriable, error.code != .fenced { exit(1) }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func step(
        _ member: any GroupMember, to output: String
    ) async throws(EventLogError) {
        switch try await member.poll(maximum: 5, wait: .milliseconds(200)) {
        case .assigned, .revoked: break
        case .records(let records) where records.isEmpty: break
        case .records(let records):
            var next: [TopicPartition: Int64] = [:]
            for record in records { next[record.topicPartition] = record.offset + 1 }
            let outputs = records.map {
                LogRecord(topic: output, key: $0.key ?? [], value: $0.value)
            }
            try await member.commit(outputs, next: next)
        }
    }
}
