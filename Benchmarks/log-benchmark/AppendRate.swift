import EventLog
import Postgres
import PostgresLog

/// How many records of 2 kB a second one process gets acknowledged, with 2,000 under way.
struct AppendRate {
    let database: PostgresConfiguration
    private let underWay = 2_000

    init(_ database: PostgresConfiguration) { self.database = database }

    func run(seconds: Int) async throws -> Double {
        let log = PostgresLog(database)
        try await log.createTopics([
            TopicSpecification(
                name: "benchmark.rate", partitions: 12, cleanup: .delete(after: .seconds(604_800)))
        ])
        let value = [UInt8](repeating: 120, count: 1_950)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let appended = try await withThrowingTaskGroup(of: Int.self) { group in
            for sender in 0..<underWay {
                group.addTask { try await Self.send(as: sender, to: log, value, until: end) }
            }
            return try await group.reduce(0, +)
        }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        await log.close()
        return Double(appended) / elapsed
    }

    private static func send(
        as sender: Int, to log: PostgresLog, _ value: [UInt8], until end: ContinuousClock.Instant
    ) async throws -> Int {
        var number = 0
        while ContinuousClock.now < end {
            let key = Array("device-\(sender)-\(number % 10)".utf8)
            try await log.append([LogRecord(topic: "benchmark.rate", key: key, value: value)])
            number += 1
        }
        return number
    }
}
