import EventLog
import Synchronization
import Testing

@Suite("A group shares partitions", .serialized)
struct GroupTests {
    @Test(
        "one member owns all partitions and resumes where it committed",
        arguments: LogKind.available)
    func resumes(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 4), .forever("positions", 4)]) { log, _ in
            let inputs = (0..<20).map { LogRecord("scans", "device-\($0)", "\($0)") }
            try await log.append(inputs)
            let first = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await first.drive(&seen) { $0.records.count == 20 }
            #expect(seen.owned == Set((0..<4).map { TopicPartition("scans", $0) }))
            let outputs = seen.records.map { LogRecord("positions", text($0.key) ?? "", "p") }
            try await first.commit(outputs, next: next(after: seen.records))
            await first.close()
            let committed = try await log.committed(group: "locator", topics: ["scans"])
            #expect(committed == next(after: seen.records))
            try await log.append([LogRecord("scans", "device-1", "more")])

            let second = try await log.join(group: "locator", topics: ["scans"])
            var seenBySecond = Seen()
            try await second.drive(&seenBySecond) { !$0.records.isEmpty }
            #expect(seenBySecond.records.map { text($0.value) } == ["more"])
            #expect(try await log.readAll("positions", atLeast: 20).count == 20)
            await second.close()
        }
    }

    @Test("partitions move when a member joins and when it leaves", arguments: LogKind.available)
    func rebalances(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 4)]) { log, server in
            let otherLog = try server.open()
            let first = try await log.join(group: "locator", topics: ["scans"])
            var seenByFirst = Seen()
            try await first.drive(&seenByFirst) { $0.owned.count == 4 }
            #expect(seenByFirst.owned.count == 4)

            let second = try await otherLog.join(group: "locator", topics: ["scans"])
            var seenBySecond = Seen()
            for _ in 0..<60 where seenByFirst.owned.count != 2 || seenBySecond.owned.count != 2 {
                try await first.drive(&seenByFirst, for: .milliseconds(300)) { _ in false }
                try await second.drive(&seenBySecond, for: .milliseconds(300)) { _ in false }
            }
            #expect(seenByFirst.owned.count == 2)
            #expect(seenBySecond.owned.count == 2)
            #expect(seenByFirst.owned.isDisjoint(with: seenBySecond.owned))

            await second.close()
            try await first.drive(&seenByFirst) { $0.owned.count == 4 }
            #expect(seenByFirst.owned.count == 4)
            await first.close()
            await otherLog.close()
        }
    }

    @Test(
        "a member that commits all the time keeps its partitions while others come and go",
        arguments: LogKind.available)
    func busy(_ kind: LogKind) async throws {
        let topics: [TopicSpecification] = [.aDay("scans", 8), .forever("positions", 8)]
        try await withLog(kind, topics) { log, server in
            let otherLog = try server.open()
            let first = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await first.drive(&seen) { $0.owned.count == 8 }
            for round in 0..<3 {
                let second = try await otherLog.join(group: "locator", topics: ["scans"])
                let hasJoined = Mutex(false)
                let joining = Task {
                    var seenBySecond = Seen()
                    try await second.drive(&seenBySecond) { $0.owned.count == 4 }
                    hasJoined.withLock { $0 = true }
                }
                seen.revoked = []
                try await first.work(on: log, &seen, round) {
                    $0.owned.count == 4 && hasJoined.withLock { $0 }
                }
                try await joining.value
                #expect(seen.owned.count == 4)
                #expect(seen.revoked.isDisjoint(with: seen.owned))
                await second.close()
                seen.revoked = []
                try await first.work(on: log, &seen, round) { $0.owned.count == 8 }
                #expect(seen.owned.count == 8)
                #expect(seen.revoked.isEmpty)
            }
            await first.close()
            await otherLog.close()
        }
    }

    @Test(
        "a member that is no longer driven loses its partitions, and its commit is fenced",
        arguments: LogKind.available)
    func abandoned(_ kind: LogKind) async throws {
        let topics: [TopicSpecification] = [.aDay("scans", 2), .forever("positions", 2)]
        // Sessions as they are shipped.
        try await withLog(kind, topics, session: nil) { log, server in
            let otherLog = try server.open(session: nil)
            try await log.append([LogRecord("scans", "k", "v")])
            let zombie = try await otherLog.join(group: "locator", topics: ["scans"])
            var seenByZombie = Seen()
            try await zombie.drive(&seenByZombie) { !$0.records.isEmpty }

            let heir = try await log.join(group: "locator", topics: ["scans"])
            server.outlastSessions()
            var seenByHeir = Seen()
            try await heir.drive(&seenByHeir, for: .seconds(60)) {
                $0.owned.count == 2 && !$0.records.isEmpty
            }
            #expect(seenByHeir.owned.count == 2)
            let output = [LogRecord("positions", "k", "by the successor")]
            try await heir.commit(output, next: next(after: seenByHeir.records))
            await expect(.fenced) {
                let output = [LogRecord("positions", "k", "by the former owner")]
                try await zombie.commit(output, next: next(after: seenByZombie.records))
            }
            let values = try await log.readAll("positions", atLeast: 1).map { text($0.value) }
            #expect(values == ["by the successor"])
            await heir.close()
            await zombie.close()
            await otherLog.close()
        }
    }

    @Test("members may leave at any moment of a rebalance", arguments: LogKind.available)
    func leaving(_ kind: LogKind) async throws {
        // One that leaves while it joins has no name yet to leave under. Its session has to end.
        try await withLog(kind, [.aDay("scans", 6)], session: nil) { log, _ in
            try await log.append((0..<60).map { LogRecord("scans", "device-\($0)", "\($0)") })
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    group.addTask {
                        for turn in 0..<5 {
                            let member = try await log.join(group: "locator", topics: ["scans"])
                            // The pauses differ and range from none to longer than a complete
                            // rebalance.
                            let longest = kind == .memory ? 290 : 2_900
                            let stay = Duration.milliseconds((number * 5 + turn) * 389 % longest)
                            let end = ContinuousClock.now + stay
                            while .now < end {
                                _ = try await member.poll(maximum: 10, wait: .milliseconds(50))
                            }
                            await member.close()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let last = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await last.drive(&seen, for: .seconds(60)) { $0.owned.count == 6 }
            #expect(seen.owned.count == 6)
            await last.close()
        }
    }

    @Test(
        "a commit is all or nothing, and after a failure the member rewinds to the last one",
        arguments: LogKind.available)
    func allOrNothing(_ kind: LogKind) async throws {
        let small = TopicSpecification(
            name: "positions", partitions: 1, cleanup: .forever, maximumRecordBytes: 100_000)
        try await withLog(kind, [.aDay("scans", 2), small]) { log, _ in
            try await log.append((0..<6).map { LogRecord("scans", "device-\($0)", "\($0)") })
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { $0.records.count == 6 }
            let large = [UInt8](repeating: 0, count: 200_000)
            let outputs = [
                LogRecord("positions", "k", "fits"),
                LogRecord(topic: "positions", key: [1], value: large),
            ]
            await expect(.tooLarge) {
                try await member.commit(outputs, next: next(after: seen.records))
            }
            #expect(try await log.committed(group: "locator", topics: ["scans"]).isEmpty)
            #expect(try await log.readAll("positions").isEmpty)

            var again = seen
            again.records = []
            try await member.drive(&again) { $0.records.count == 6 && $0.owned.count == 2 }
            #expect(again.revocations == seen.revocations + 1)
            #expect(Set(again.records) == Set(seen.records))
            try await member.commit([outputs[0]], next: next(after: again.records))
            #expect(try await log.readAll("positions", atLeast: 1).count == 1)
            await member.close()
        }
    }

    @Test("a member reads from where it seeks", arguments: LogKind.available)
    func seeks(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 1)]) { log, _ in
            try await log.append((0..<6).map { LogRecord("scans", "k", "\($0)") })
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { $0.records.count == 6 }
            let place = TopicPartition("scans", 0)
            try await member.seek(place, to: seen.records[4].offset)
            var again = Seen()
            try await member.drive(&again) { $0.records.count == 2 }
            #expect(again.records.map { text($0.value) } == ["4", "5"])
            await expect(.fenced) { try await member.seek(TopicPartition("scans", 7), to: 0) }
            await member.close()
        }
    }

    @Test(
        "lag counts the records between the committed offsets and the end",
        arguments: LogKind.available)
    func lag(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 1)]) { log, _ in
            try await log.append((0..<5).map { LogRecord("scans", "k", "\($0)") })
            let member = try await log.join(group: "locator", topics: ["scans"])
            var seen = Seen()
            try await member.drive(&seen) { $0.records.count == 5 }
            try await member.commit([], next: next(after: Array(seen.records.prefix(2))))
            let place = TopicPartition("scans", 0)
            let committed = try await log.committed(group: "locator", topics: ["scans"])[place]
            #expect(committed == seen.records[2].offset)
            let unread = try await log.read(3, from: [place: try #require(committed)])
            #expect(unread.map { text($0.value) } == ["2", "3", "4"])
            #expect(try await log.bounds(of: "scans")[0].end > seen.records[4].offset)
            await member.close()
        }
    }
}

extension GroupMember {
    /// Appends scans and commits an output for each, without a pause, until the condition holds. So
    /// some commit meets each change of the group.
    fileprivate func work(
        on log: any EventLog, _ seen: inout Seen, _ round: Int, until done: (Seen) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !done(seen), ContinuousClock.now < deadline {
            try await log.append(
                (0..<8).map { LogRecord("scans", "k", "\(round)", partition: $0) })
            seen.records = []
            try await drive(&seen, for: .milliseconds(20)) { !$0.records.isEmpty }
            let owned = seen.records.filter { seen.owned.contains($0.topicPartition) }
            try await commit(
                owned.map { LogRecord("positions", "k", text($0.value)) }, next: next(after: owned))
        }
    }
}
