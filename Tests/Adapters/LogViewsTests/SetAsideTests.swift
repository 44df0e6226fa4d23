import EventLog
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import LogViews

/// A view that refuses some values itself, and whose table refuses others.
private struct PickyView: View {
    let name = "picky"
    let schema = "picky_view"
    let topics = ["in"]

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step(
                "seen",
                """
                CREATE TABLE \(schema).seen (
                    value text NOT NULL CHECK (value NOT LIKE '%refused%'))
                """)
        ]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        var values: [String] = []
        var faults: [SetAside] = []
        for record in records {
            let value = String(decoding: record.value ?? [], as: UTF8.self)
            if value.hasSuffix("unreadable") {
                faults.append(SetAside(record, code: "not-json", detail: "unreadable"))
            } else {
                values.append(value)
            }
        }
        try connection.query(
            "INSERT INTO \(schema).seen SELECT * FROM unnest($1::text[])", [.textArray(values)])
        return faults
    }
}

@Suite(
    .serialized, .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SetAsideTests {
    private func projector(_ fixture: Fixture, _ told: Told = Told()) -> Projector {
        Projector(
            PickyView(), log: fixture.log, pool: fixture.pool, deadLetters: .test,
            notices: told.notices)
    }

    private func letters(_ fixture: Fixture) async throws -> [String] {
        try await fixture.values(of: "letters").sorted()
    }

    private func projecting(
        _ fixture: Fixture, until count: Int
    ) async throws {
        let projector = projector(fixture)
        let running = Task { try await projector.run() }
        #expect(
            try await eventually {
                ((try? await fixture.seen(schema: "picky_view")) ?? []).count >= count
            })
        running.cancel()
        try await running.value
    }

    @Test("Only records that the database or the view refuses are set aside, U+0000 too")
    func alone() async throws {
        let fixture = try await Fixture()
        let good = (0..<100).map { "good\($0)" }
        try await fixture.append(
            good[..<40] + ["one-refused", "one-\u{0}"] + good[40..<70] + ["one-unreadable"]
                + good[70...])
        try await projecting(fixture, until: 100)
        #expect(try await fixture.seen(schema: "picky_view") == good.sorted())
        #expect(
            try await letters(fixture)
                == [
                    "not-json one-unreadable", "not-storable one-\u{0}", "not-storable one-refused",
                ])
        await fixture.close()
    }

    @Test("One sender's records are set aside however many they are")
    func oneSender() async throws {
        let fixture = try await Fixture()
        try await fixture.append(
            (0..<60).map { "one-\($0)refused" } + (0..<20).map { "good\($0)" })
        try await projecting(fixture, until: 20)
        #expect(try await letters(fixture).count == 60)
        await fixture.close()
    }

    @Test("Bad records of many senders at several sites stop the view, without dead letters")
    func manySenders() async throws {
        let fixture = try await Fixture()
        // The senders belong to two sites, a and b. All records are in one partition.
        let values = (0..<12).map { "\($0 % 2 == 0 ? "a" : "b")\($0)-refused" }
        try await fixture.log.append(
            values.map { LogRecord(topic: "in", partition: 0, key: [1], value: Array($0.utf8)) })
        let projector = projector(fixture)
        await #expect(throws: ConsumerStopped.self) { try await projector.run() }
        #expect(try await letters(fixture).isEmpty)
        await fixture.close()
    }

    @Test("A program fault in the view stops it at the second attempt; nothing is set aside")
    func ours() async throws {
        let fixture = try await Fixture()
        let projector = projector(fixture)
        try await fixture.append(["good"])
        try await projecting(fixture, until: 1)
        try await fixture.pool.query("ALTER TABLE picky_view.seen DROP COLUMN value")
        try await fixture.append(["good"])
        await #expect(throws: ConsumerStopped.self) { try await projector.run() }
        #expect(try await letters(fixture).isEmpty)
        await fixture.close()
    }

    @Test("The alarm about a log that ended too early stays, even when the log grows past the view")
    func alarmStays() async throws {
        let fixture = try await Fixture()
        try await fixture.append(["good"])
        try await projecting(fixture, until: 1)
        try await fixture.pool.query(
            "UPDATE picky_view.view_positions SET next_offset = next_offset + 5")
        let projector = projector(fixture)
        do {
            try await projector.run()
        } catch {
            #expect(error.description.contains("ends at"))
        }
        try await fixture.append((0..<40).map { "later\($0)" })
        await #expect(throws: ConsumerStopped.self) { try await projector.run() }
        #expect(try await fixture.seen(schema: "picky_view") == ["good"])
        _ = try await ViewRebuild(
            PickyView(), log: fixture.log, pool: fixture.pool, deadLetters: .test
        ).run()
        try await projecting(fixture, until: 41)
        await fixture.close()
    }

    @Test("A record that comes a second time changes nothing")
    func redelivered() async throws {
        let fixture = try await Fixture()
        try await fixture.append(["a", "b", "c"])
        let log = RepeatingLog(fixture.log)
        let projector = Projector(
            PickyView(), log: log, pool: fixture.pool, deadLetters: .test, notices: .ignored)
        let running = Task { try await projector.run() }
        try await fixture.append(["d", "e"])
        #expect(
            try await eventually {
                ((try? await fixture.seen(schema: "picky_view")) ?? []).count >= 5
                    && log.hasRepeated
            })
        running.cancel()
        try await running.value
        #expect(try await fixture.seen(schema: "picky_view") == ["a", "b", "c", "d", "e"])
        await fixture.close()
    }

    @Test("A record is put back once its cause is gone, once; a rebuild gives the same rows")
    func putBack() async throws {
        let fixture = try await Fixture()
        try await fixture.append(["good", "one-refused", "better"])
        try await projecting(fixture, until: 2)
        var stored: StoredRecord?
        try await fixture.log.readRange(fixture.log.ranges(of: ["in"])) { records in
            for record in records where record.value == Array("one-refused".utf8) {
                stored = record
            }
        }
        let record = try #require(stored)
        let putBack = ViewPutBack(PickyView(), pool: fixture.pool)
        guard case .refused = try await putBack.apply(record) else {
            Issue.record("the view still can't store the record")
            return
        }
        try await fixture.pool.query(
            "ALTER TABLE picky_view.seen DROP CONSTRAINT seen_value_check")
        guard case .putBack = try await putBack.apply(record) else {
            Issue.record("the cause is gone, so the record should be back")
            return
        }
        guard case .notMissing = try await putBack.apply(record) else {
            Issue.record("the record is already in the view")
            return
        }
        #expect(
            try await fixture.seen(schema: "picky_view") == ["better", "good", "one-refused"])
        var good = record
        good.offset += 1
        guard case .notMissing = try await putBack.apply(good) else {
            Issue.record("the record was never set aside")
            return
        }
        await fixture.close()
    }
}

@Suite struct SetAsideShareTests {
    private func records(_ range: Range<Int64>) -> [StoredRecord] {
        range.map {
            StoredRecord(
                topic: "in", partition: 0, offset: $0, appendedAtMicroseconds: 0, key: nil,
                value: nil, headers: LogHeaders())
        }
    }

    private func sender(_ number: Int64, sites: Int64) -> RecordSender {
        RecordSender(site: "site\(number % sites)", name: "device\(number)")
    }

    @Test("Ten of a thousand records, of five senders at two sites, stop a consumer; nine do not")
    func share() throws {
        var share = SetAsideShare()
        for number in 0..<Int64(9) {
            let batch = records(number * 100..<number * 100 + 100)
            try share.note(batch, [batch[0].offset: sender(number, sites: 2)])
        }
        // The first one no longer counts when the tenth comes.
        try share.note(records(900..<1_050), [1_049: sender(9, sites: 2)])
        #expect(throws: ConsumerStopped.self) {
            try share.note(records(1_050..<1_051), [1_050: sender(10, sites: 2)])
        }
    }

    @Test("Many senders of one site, or four of many sites, do not stop a consumer")
    func others() throws {
        var share = SetAsideShare()
        for number in 0..<Int64(50) {
            try share.note(
                records(number..<number + 1), [number: sender(number, sites: 1)])
        }
        share = SetAsideShare()
        for number in 0..<Int64(50) {
            try share.note(
                records(number..<number + 1), [number: sender(number % 4, sites: 4)])
        }
    }

    @Test("Faults of the senders themselves never stop a consumer, however many there are")
    func judgements() throws {
        var shares: [TopicPartition: SetAsideShare] = [:]
        for number in 0..<Int64(50) {
            let batch = records(number..<number + 1)
            let fault = SetAside(batch[0], code: "quota-exceeded", detail: "", isOfSender: true)
            try shares.note(batch, [fault]) { _ in sender(number, sites: 2) }
        }
    }

    @Test("Senders without a token count as one sender without a site")
    func strangers() throws {
        var share = SetAsideShare()
        for number in 0..<Int64(50) {
            try share.note(records(number..<number + 1), [number: .unknown])
        }
    }
}
