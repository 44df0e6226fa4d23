import EventLog
import Testing

@Suite("Following a log", .serialized)
struct FollowingTests {
    private static let batches = 60
    /// Most batches have a few records, and some have more than a reader gets at once.
    private static func size(ofBatch number: Int) -> Int {
        number % 20 == 19 ? 300 : 1 + number % 3
    }
    private static let total = 2 * (0..<batches).reduce(0) { $0 + size(ofBatch: $1) }

    @Test(
        "a reader sees the appends of its own and another process once and in order",
        arguments: LogKind.available)
    func reader(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 2)]) { log, server in
            let reader = try await log.reader(from: [
                TopicPartition("scans", 0): 0, TopicPartition("scans", 1): 0,
            ])
            let other = try server.open()
            async let ours: Void = append(to: log, as: "ours")
            async let others: Void = append(to: other, as: "others")
            var seen: [StoredRecord] = []
            while seen.count < Self.total {
                let records = try await reader.next(maximum: 70, wait: .seconds(20))
                if records.isEmpty { break }
                seen += records
            }
            _ = try await (ours, others)
            try await expectAll(seen, of: log)
            await reader.close()
            await other.close()
        }
    }

    @Test(
        "a member sees the appends of its own and another process once and in order",
        arguments: LogKind.available)
    func member(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 2)]) { log, server in
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { $0.owned.count == 2 }
            let other = try server.open()
            async let ours: Void = append(to: log, as: "ours")
            async let others: Void = append(to: other, as: "others")
            try await member.drive(&seen) { $0.records.count >= Self.total }
            _ = try await (ours, others)
            try await expectAll(seen.records, of: log)
            await member.close()
            await other.close()
        }
    }

    @Test("a backlog is read without pauses", arguments: LogKind.available)
    func backlog(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 2)]) { log, server in
            let other = try server.open()
            for _ in 0..<4 {
                try await other.append((0..<500).map { LogRecord("scans", "device-\($0)", "") })
            }
            let start = ContinuousClock.now
            // A pause of 200 milliseconds at each of a thousand steps would be 200 seconds.
            let reader = try await log.reader(from: [
                TopicPartition("scans", 0): 0, TopicPartition("scans", 1): 0,
            ])
            var count = 0
            while count < 2_000 {
                let records = try await reader.next(maximum: 2, wait: .seconds(20))
                try #require(!records.isEmpty)
                count += records.count
            }
            #expect(ContinuousClock.now - start < .seconds(100))
            await reader.close()
            await other.close()
        }
    }

    /// Compares the seen records with those that a new reader finds from the start of each
    /// partition.
    private func expectAll(_ seen: [StoredRecord], of log: any EventLog) async throws {
        let stored = try await log.readAll("scans")
        #expect(stored.count == Self.total)
        for partition in 0..<2 {
            let mine = seen.filter { $0.partition == partition }
            #expect(mine == stored.filter { $0.partition == partition })
        }
    }

    private func append(to log: any EventLog, as writer: String) async throws {
        for number in 0..<Self.batches {
            try await log.append(
                (0..<Self.size(ofBatch: number)).map { index in
                    let value = "\(writer) \(number).\(index)"
                    return LogRecord(
                        "scans", "device-\(index % 5)",
                        value + String(repeating: ".", count: index % 2 * 2_000))
                })
        }
    }
}
