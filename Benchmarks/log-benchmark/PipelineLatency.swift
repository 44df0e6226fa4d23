import EventLog
import Foundation
import Postgres
import PostgresLog

/// How long a record takes from its append through a group member, which appends an output and
/// commits, to a reader of the outputs. Arrivals come at a fixed rate, and a latency counts from
/// when the arrival was due.
struct PipelineLatency {
    private let database: PostgresConfiguration
    private let separate: Bool
    private let members: Int
    private let names: (input: String, output: String)

    /// With `separate` the three parts share no log, so they hear of each other by notification
    /// only, as processes of their own would. `members` share the partitions, since one member
    /// commits one batch after the other.
    init(_ database: PostgresConfiguration, members: Int, separate: Bool) {
        self.database = database
        self.members = members
        self.separate = separate
        names = ("benchmark.in", "benchmark.out")
    }

    func run(bytes: Int, rate: Int, seconds: Int) async throws -> Latencies {
        let first = PostgresLog(database)
        let second = separate ? PostgresLog(database) : first
        let third = separate ? PostgresLog(database) : first
        let week = TopicSpecification.Cleanup.delete(after: .seconds(604_800))
        try await first.createTopics([
            TopicSpecification(name: names.input, partitions: 12, cleanup: week),
            TopicSpecification(name: names.output, partitions: 12, cleanup: week),
        ])
        let arrivals = rate * seconds
        var workers: [Task<Void, any Error>] = []
        for _ in 0..<members {
            let member = try await second.join(group: "benchmark", topics: [names.input])
            workers.append(Task { try await work(member) })
        }
        let names = names
        let measuring = Task { try await Self.measure(third, names.output, arrivals) }
        // Until the members have their partitions.
        try await Task.sleep(for: .seconds(1))
        send(to: first, bytes: bytes, rate: rate, arrivals: arrivals)
        let latencies = try await measuring.value
        for worker in workers { worker.cancel() }
        for worker in workers { try await worker.value }
        for log in [third, second, first] { await log.close() }
        return Latencies(latencies)
    }

    /// On a thread that sleeps until each arrival is due.
    private func send(to log: PostgresLog, bytes: Int, rate: Int, arrivals: Int) {
        let name = names.input
        let thread = Thread {
            let start = Self.now() + 100_000_000
            for arrival in 0..<arrivals {
                let due = start + UInt64(arrival) * 1_000_000_000 / UInt64(rate)
                let now = Self.now()
                if due > now { usleep(UInt32((due - now) / 1000)) }
                var value = [UInt8](repeating: 120, count: bytes)
                withUnsafeBytes(of: due) { value.replaceSubrange(0..<8, with: $0) }
                let key = Array("device-\(arrival % 1000)".utf8)
                log.append([LogRecord(topic: name, key: key, value: value)]) { result in
                    if case .failure(let error) = result { print(error) }
                }
            }
        }
        thread.start()
    }

    private func work(_ member: any GroupMember) async throws {
        while !Task.isCancelled {
            guard
                case .records(let records) = try await member.poll(
                    maximum: 500, wait: .seconds(1)), !records.isEmpty
            else { continue }
            var next: [TopicPartition: Int64] = [:]
            for record in records { next[record.topicPartition] = record.offset + 1 }
            let outputs = records.map {
                LogRecord(topic: names.output, key: $0.key ?? [], value: $0.value)
            }
            try await member.commit(outputs, next: next)
        }
        await member.close()
    }

    private static func measure(
        _ log: PostgresLog, _ topic: String, _ arrivals: Int
    ) async throws -> [Double] {
        var start: [TopicPartition: Int64] = [:]
        for (partition, bounds) in try await log.bounds(of: topic).enumerated() {
            start[TopicPartition(topic, partition)] = bounds.end
        }
        let reader = try await log.reader(from: start)
        var latencies: [Double] = []
        while latencies.count < arrivals {
            for record in try await reader.next(maximum: 500, wait: .seconds(10)) {
                let due = record.value.map { value in
                    value.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
                }
                latencies.append(Double(now() - (due ?? 0)) / 1_000_000)
            }
        }
        await reader.close()
        return latencies
    }

    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
