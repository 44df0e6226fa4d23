import EventLog
import Foundation
import Testing

@Suite("Restoring records into a log", .serialized) struct RestoringTests {
    private static let partitions = 2

    @Test(
        "keeps their order and their times, and later appends have the present time",
        arguments: LogKind.available.filter { $0 != .memory })
    func restored(_ kind: LogKind) async throws {
        let server = try await LogServer(kind)
        let log = try server.open()
        let names = ["aging", "whole"]
        let week = TopicSpecification(
            name: names[0], partitions: Self.partitions,
            cleanup: .delete(after: .seconds(7 * 86_400)))
        let topics = [week, .forever(names[1], Self.partitions)]
        try await log.createTopics(topics)
        let now = Self.now
        let times = (0..<300).map { now - 3 * 86_400_000_000 + Int64($0) * 600_000_000 }
        let restorable = try #require(log as? any RestorableLog)
        try await restorable.beginRestoring(topics)
        for name in names {
            for start in stride(from: 0, to: times.count, by: 70) {
                try await restorable.restore(
                    times.indices[start..<min(start + 70, times.count)].map { number in
                        RestoredRecord(
                            LogRecord(
                                name, "key-\(number)", "value-\(number)",
                                partition: number % Self.partitions),
                            appendedAtMicroseconds: times[number])
                    })
            }
        }
        try await restorable.endRestoring(topics)
        for name in names {
            try await log.append([LogRecord(name, "later", "later", partition: 0)])
            var found: [Int: [StoredRecord]] = [:]
            try await log.readRange(log.ranges(of: [name])) { records in
                for record in records { found[record.partition, default: []].append(record) }
            }
            for partition in 0..<Self.partitions {
                let mine = times.indices.filter { $0 % Self.partitions == partition }
                let records = (found[partition] ?? []).prefix(mine.count)
                #expect(records.map(\.offset) == mine.indices.map(Int64.init))
                #expect(records.map { text($0.value) } == mine.map { "value-\($0)" })
                #expect(
                    records.map { $0.appendedAtMicroseconds / 1_000 }
                        == mine.map { times[$0] / 1_000 })
            }
            let last = try #require(found[0]?.last)
            #expect(text(last.value) == "later" && last.appendedAtMicroseconds >= now - 60_000_000)
            // The search by time finds a record where it was.
            let at = try await log.offsets(of: name, atMicroseconds: times[100])
            #expect(at == [50, 50])
        }
        await log.close()
    }

    @Test(
        "takes a record that had fitted, although it has a header more now",
        arguments: LogKind.available.filter { $0 != .memory })
    func atTheLimit(_ kind: LogKind) async throws {
        let log = try await LogServer(kind).open()
        let restorable = try #require(log as? any RestorableLog)
        let topic = TopicSpecification(
            name: "letters", partitions: 1, cleanup: .forever, maximumRecordBytes: 100_000)
        try await log.createTopics([topic])
        try await restorable.beginRestoring([topic])
        var headers = LogHeaders()
        headers.append("restored-offset", "1234567890123456789")
        let value = [UInt8](repeating: 7, count: topic.maximumRecordBytes - 1)
        try await restorable.restore([
            RestoredRecord(
                LogRecord(
                    topic: "letters", partition: 0, key: [1], value: value, headers: headers),
                appendedAtMicroseconds: Self.now)
        ])
        try await restorable.endRestoring([topic])
        #expect(try await log.readAll("letters").map(\.value) == [value])
        await log.close()
    }

    private static var now: Int64 {
        Int64(Date().timeIntervalSince1970) * 1_000_000
    }
}
