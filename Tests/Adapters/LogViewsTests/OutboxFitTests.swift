import EventLog
import LogViews
import MemoryLog
import Testing

@Suite struct OutboxFitTests {
    private static let schema = "decisions"

    @Test(
        "Tables fit the log with their id that has no number beyond theirs",
        arguments: [
            // the tables' id, sent, whether the newest waits | the log's id, newest | the result
            ("a", 7, false, "a", 7, OutboxFit.fits),
            ("a", 7, false, "a", 5, .fits),
            ("a", 7, false, "a", 8, .behind(log: 8, tables: 7)),
            // The relay ended between the append and the note of it.
            ("a", 7, true, "a", 8, .fits),
            ("a", 7, false, "b", 7, .anotherLog),
            ("a", 7, false, nil, 0, .anotherLog),
            // A new installation, and one of a release without numbers.
            (nil, 0, false, nil, 0, .new),
            (nil, 0, false, "a", 0, .new),
            // An empty database, and one from before the release with numbers.
            (nil, 0, false, "a", 8, .behind(log: 8, tables: 0)),
        ] as [(String?, Int64, Bool, String?, Int64, OutboxFit)])
    func table(
        known: String?, sent: Int64, waits: Bool, logID: String?, newest: Int64, wanted: OutboxFit
    ) {
        let mark = OutboxMark(logID: known, sent: sent, waits: waits)
        #expect(OutboxFit(mark, logID: logID, newest: newest) == wanted)
    }

    @Test("The newest number stands at an end of a topic, and other outboxes don't count")
    func tail() async throws {
        let server = MemoryLogServer()
        let log = MemoryLog(server)
        try await log.createTopics([
            TopicSpecification(name: "a", partitions: 3, cleanup: .forever),
            TopicSpecification(name: "b", partitions: 3, cleanup: .compact),
        ])
        let outbox = Outbox(schema: Self.schema, topics: ["a", "b"], largestRecord: { _ in nil })
        var tail = OutboxTail(outbox)
        #expect(try await tail.look(log) && tail.newest == 0)
        func append(_ topic: String, _ partition: Int, _ number: String?) async throws {
            var headers = LogHeaders()
            if let number { headers.append("outbox-number", number) }
            try await log.append([
                LogRecord(topic: topic, partition: partition, key: [1], value: [], headers: headers)
            ])
        }
        for number in 1...4 { try await append("a", number % 3, "\(Self.schema)/\(number)") }
        try await append("b", 0, "\(Self.schema)/9")
        try await append("a", 0, "others/70")
        try await append("a", 1, nil)
        #expect(try await tail.look(log) && tail.newest == 9)
        try await append("b", 2, "\(Self.schema)/11")
        #expect(try await tail.look(log) && tail.newest == 11)
        // Another, empty log in its place.
        let other = MemoryLog(MemoryLogServer())
        try await other.createTopics([
            TopicSpecification(name: "a", partitions: 3, cleanup: .forever),
            TopicSpecification(name: "b", partitions: 3, cleanup: .compact),
        ])
        #expect(try await !tail.look(other))
        #expect(tail.newest == 0)
        await log.close()
        await other.close()
    }
}
