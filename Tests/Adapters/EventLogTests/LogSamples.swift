import EventLog
import Testing

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

extension LogRecord {
    init(_ topic: String, _ key: String, _ value: String?, partition: Int? = nil) {
        self.init(topic: topic, partition: partition, key: bytes(key), value: value.map(bytes))
    }
}

extension TopicSpecification {
    static func forever(_ name: String, _ partitions: Int) -> TopicSpecification {
        TopicSpecification(name: name, partitions: partitions, cleanup: .forever)
    }
    static func aDay(_ name: String, _ partitions: Int) -> TopicSpecification {
        TopicSpecification(
            name: name, partitions: partitions, cleanup: .delete(after: .seconds(86_400)))
    }
}

/// Whether the condition holds within half a minute.
func isSoon(_ condition: () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(50))
    }
    return false
}

/// Expects the body to fail with this code.
func expect(
    _ code: EventLogError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("it succeeded", sourceLocation: sourceLocation)
    } catch {
        let found = (error as? EventLogError)?.code
        #expect(found == code, "\(error)", sourceLocation: sourceLocation)
    }
}

extension EventLog {
    /// Reads partitions until enough records have come, or ten seconds have passed without any.
    func read(
        _ count: Int, from start: [TopicPartition: Int64]
    ) async throws -> [StoredRecord] {
        let reader = try await reader(from: start)
        var records: [StoredRecord] = []
        while records.count < count {
            let more = try await reader.next(maximum: 500, wait: .seconds(10))
            if more.isEmpty { break }
            records += more
        }
        await reader.close()
        return records
    }

    /// Reads a topic from its start to its current end. Faults that may pass are retried: a new
    /// broker, or one with a new topic, may not lead its partitions yet.
    ///
    /// - Parameter atLeast: the number of records to wait for. Kafka answers a commit before it has
    ///   marked the records as committed. So a topic may end before them for a moment.
    func readAll(_ topic: String, atLeast count: Int = 0) async throws -> [StoredRecord] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                let records = try await readToEnd(of: topic, until: deadline)
                if records.count >= count || .now > deadline { return records }
            } catch let error as EventLogError where error.isRetriable && .now < deadline {}
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func readToEnd(
        of topic: String, until deadline: ContinuousClock.Instant
    ) async throws -> [StoredRecord] {
        var start: [TopicPartition: Int64] = [:]
        let bounds = try await bounds(of: topic)
        for (partition, bounds) in bounds.enumerated() where bounds.start < bounds.end {
            start[TopicPartition(topic, partition)] = bounds.start
        }
        let reader = try await reader(from: start)
        var records: [StoredRecord] = []
        while try await reader.positions().contains(where: {
            $0.value < bounds[$0.key.partition].end
        }) {
            try #require(ContinuousClock.now < deadline, "the end was never reached")
            records += try await reader.next(maximum: 500, wait: .milliseconds(200))
        }
        await reader.close()
        return records
    }
}

extension DeadLetters {
    /// To the topic `letters`, by no known sender.
    static let toLetters = DeadLetters(
        letter: { LogRecord(topic: "letters", key: [], value: $0.record.value) },
        sender: { _ in .unknown }, largestRecord: { _ in nil })
}

/// The results of a member's polls so far.
struct Seen {
    var owned: Set<TopicPartition> = []
    var records: [StoredRecord] = []
    var revocations = 0
    /// All partitions that were revoked, even if they came back.
    var revoked: Set<TopicPartition> = []
}

extension GroupMember {
    /// Polls until the condition holds or the time is over. Commits nothing.
    func drive(
        _ seen: inout Seen, for limit: Duration = .seconds(30), until done: (Seen) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while !done(seen), ContinuousClock.now < deadline {
            switch try await poll(maximum: 100, wait: .milliseconds(100)) {
            case .assigned(let partitions): seen.owned.formUnion(partitions)
            case .revoked(let partitions):
                seen.owned.subtract(partitions)
                seen.revocations += 1
                seen.revoked.formUnion(partitions)
            case .records(let records): seen.records += records
            }
        }
    }
}

/// The offsets after the last of the records, per partition.
func next(after records: [StoredRecord]) -> [TopicPartition: Int64] {
    Dictionary(records.map { ($0.topicPartition, $0.offset + 1) }) { max($0, $1) }
}
