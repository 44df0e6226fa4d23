import EventLog
import Testing

@Suite("A log keeps what is appended", .serialized)
struct AppendAndReadTests {
    @Test(
        "records of one key are read in the order in which they were appended",
        arguments: LogKind.available)
    func orderPerKey(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 3)]) { log, _ in
            let keys = (0..<7).map { "device-\($0)" }
            try await withThrowingTaskGroup { group in
                for key in keys {
                    group.addTask {
                        for number in 0..<30 {
                            try await log.append([LogRecord("scans", key, "\(number)")])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let records = try await log.readAll("scans")
            #expect(records.count == keys.count * 30)
            for key in keys {
                let own = records.filter { text($0.key) == key }
                #expect(own.map { text($0.value) } == (0..<30).map { "\($0)" })
                #expect(Set(own.map(\.partition)) == [partition(forKey: bytes(key), of: 3)])
                let pairs = zip(own, own.dropFirst())
                #expect(pairs.allSatisfy { $0.offset < $1.offset })
                #expect(pairs.allSatisfy { $0.appendedAtMicroseconds <= $1.appendedAtMicroseconds })
            }
        }
    }

    @Test(
        "appends that don't wait for each other keep their order, even for a new topic",
        arguments: LogKind.available)
    func orderWithoutWaiting(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("scans", 2)]) { log, _ in
            let (outcomes, continuation) = AsyncStream.makeStream(of: Bool.self)
            for number in 0..<200 {
                log.append([LogRecord("scans", "one", "\(number)")]) {
                    if case .success = $0 {
                        continuation.yield(true)
                    } else {
                        continuation.yield(false)
                    }
                }
            }
            var completed = 0
            for await success in outcomes {
                #expect(success)
                completed += 1
                if completed == 200 { break }
            }
            let values = try await log.readAll("scans").map { text($0.value) }
            #expect(values == (0..<200).map { "\($0)" })
        }
    }

    @Test(
        "headers are read back unchanged, even empty and binary ones", arguments: LogKind.available)
    func headers(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("site", 1)]) { log, _ in
            var headers = LogHeaders()
            headers.append("ce_type", "scan")
            headers.append(name: bytes("empty"), value: [])
            headers.append(name: bytes("binary"), value: Array(0...255))
            headers.append("ce_type", "again")
            let sent = [
                LogRecord(topic: "site", key: bytes("a"), value: [0, 255, 0], headers: headers),
                LogRecord(topic: "site", key: [], value: [], headers: LogHeaders()),
                LogRecord(topic: "site", key: bytes("b"), value: nil),
            ]
            try await log.append(sent)
            let stored = try await log.readAll("site")
            #expect(stored.map { $0.key ?? [] } == sent.map(\.key))
            #expect(stored.map(\.value) == sent.map(\.value))
            #expect(stored.map(\.headers) == sent.map(\.headers))
        }
    }

    @Test(
        "a topic is created once, and another number of partitions is refused",
        arguments: LogKind.available)
    func topics(_ kind: LogKind) async throws {
        let topic = TopicSpecification(name: "site", partitions: 2, cleanup: .compact)
        try await withLog(kind, [topic]) { log, _ in
            try await log.createTopics([topic])
            #expect(try await log.partitionCount(of: "site") == 2)
            await expect(.partitionMismatch) { try await log.createTopics([.forever("site", 3)]) }
            await expect(.unknownTopic) { _ = try await log.partitionCount(of: "nowhere") }
            await expect(.unknownTopic) { try await log.append([LogRecord("nowhere", "k", "v")]) }
        }
    }

    @Test(
        "a record larger than its topic allows is refused, and the next one is accepted",
        arguments: LogKind.available)
    func tooLarge(_ kind: LogKind) async throws {
        let topic = TopicSpecification(
            name: "site", partitions: 1, cleanup: .forever, maximumRecordBytes: 100_000)
        try await withLog(kind, [topic]) { log, _ in
            let large = [UInt8](repeating: 7, count: 200_000)
            await expect(.tooLarge) {
                try await log.append([LogRecord(topic: "site", key: [1], value: large)])
            }
            let fitting = [UInt8](repeating: 9, count: 99_000)
            try await log.append([LogRecord(topic: "site", key: [1], value: fitting)])
            #expect(try await log.readAll("site").map(\.value) == [fitting])
        }
    }

    @Test(
        "a reader takes few large records at once, and misses none",
        arguments: LogKind.available.filter { $0 != .memory })
    func largeRecords(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("letters", 2)]) { log, _ in
            for number in 0..<24 {
                let size = number % 3 == 0 ? 10 : 900_000
                try await log.append([
                    LogRecord(
                        topic: "letters", partition: number % 2, key: bytes("\(number)"),
                        value: [UInt8](repeating: 1, count: size))
                ])
            }
            let reader = try await log.reader(from: [
                TopicPartition("letters", 0): 0, TopicPartition("letters", 1): 0,
            ])
            var found: [StoredRecord] = []
            let begun = ContinuousClock.now
            while found.count < 24 {
                let records = try await reader.next(maximum: 2_000, wait: .seconds(10))
                let size = records.reduce(0) { $0 + ($1.value?.count ?? 0) }
                #expect(!records.isEmpty && size <= 4_900_000)
                if records.isEmpty { break }
                found += records
            }
            // It does not wait for more where there is more.
            #expect(.now - begun < .seconds(10))
            #expect(Set(found.map { text($0.key) }).count == 24)
            for partition in 0..<2 {
                let offsets = found.filter { $0.partition == partition }.map(\.offset)
                #expect(offsets == offsets.sorted())
            }
            await reader.close()
        }
    }

    @Test("a waiting reader gets a record that another log appends", arguments: LogKind.available)
    func wakesReaders(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("site", 1)]) { log, server in
            let other = try server.open()
            async let received = other.read(1, from: [TopicPartition("site", 0): 0])
            try await Task.sleep(for: .milliseconds(300))
            try await log.append([LogRecord("site", "k", "v")])
            #expect(try await received.map { text($0.value) } == ["v"])
            await other.close()
        }
    }

    @Test("reading starts at any offset and at any time", arguments: LogKind.available)
    func replay(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 2)]) { log, _ in
            for number in 0..<10 {
                try await log.append([LogRecord("scans", "k", "\(number)", partition: 0)])
                try await Task.sleep(for: .milliseconds(5))
            }
            let all = try await log.readAll("scans")
            try #require(all.count == 10)
            let from7 = try await log.read(3, from: [TopicPartition("scans", 0): all[7].offset])
            #expect(from7.map { text($0.value) } == ["7", "8", "9"])
            for record in all {
                let time = record.appendedAtMicroseconds
                let slow = all.first { $0.appendedAtMicroseconds >= time }
                #expect(try await log.offsets(of: "scans", atMicroseconds: time)[0] == slow?.offset)
            }
            let bounds = try await log.bounds(of: "scans")
            let hourLater = all[9].appendedAtMicroseconds + 3_600_000_000
            let late = try await log.offsets(of: "scans", atMicroseconds: hourLater)
            #expect(late == bounds.map(\.end))
            let early = try await log.offsets(of: "scans", atMicroseconds: 0)
            #expect(early == bounds.map(\.start))
        }
    }

    @Test("an offset that the log does not hold is out of range", arguments: LogKind.available)
    func outOfRange(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("site", 1)]) { log, _ in
            try await log.append([LogRecord("site", "k", "v")])
            let end = try await log.bounds(of: "site")[0].end
            let reader = try await log.reader(from: [TopicPartition("site", 0): end + 100])
            await expect(.offsetOutOfRange) {
                _ = try await reader.next(maximum: 10, wait: .seconds(10))
            }
            await reader.close()
        }
    }

    @Test("a closed log refuses", arguments: LogKind.available)
    func closed(_ kind: LogKind) async throws {
        let server = try await LogServer(kind)
        let log = try server.open()
        try await log.createTopics([.forever("site", 1)])
        await log.close()
        await expect(.closed) { try await log.append([LogRecord("site", "k", "v")]) }
        await expect(.closed) { _ = try await log.bounds(of: "site") }
    }
}
