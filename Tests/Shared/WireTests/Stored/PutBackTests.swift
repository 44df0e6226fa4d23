import EventLog
import Events
import Testing
import Wire

@Suite struct PutBackTests {
    private static let secret = "a-secret-of-these-tests-alone-0123456789"
    private static let first: Int64 = 1_795_000_000_123_000

    private func record(_ headers: [(name: String, value: String)] = []) -> StoredRecord {
        var all = LogHeaders()
        for (name, value) in headers { all.append(name: name.utf8, value: value.utf8) }
        return StoredRecord(
            topic: "whereabouts.scans-inbound", partition: 3, offset: 7,
            appendedAtMicroseconds: Self.first, key: Array("pi".utf8), value: [1, 2], headers: all)
    }

    /// The record in the log this many times an hour later.
    private func stored(_ again: LogRecord, times: Int64 = 1) -> StoredRecord {
        StoredRecord(
            topic: again.topic, partition: again.partition ?? 0, offset: 7 + times,
            appendedAtMicroseconds: Self.first + times * 3_600_000_000, key: again.key,
            value: again.value, headers: again.headers)
    }

    /// The record, put back this many hours after it came.
    private func putBack(_ record: StoredRecord, hours: Int64 = 0) -> LogRecord {
        let moment = Self.first + hours * 3_600_000_000
        return PutBack.again(
            record, secret: Self.secret, at: Timestamp(microseconds: moment))
    }

    private func isProven(_ record: StoredRecord, _ secret: String = secret) -> Bool {
        PutBack.firstAppended(record, secret: secret).microseconds == Self.first
    }

    @Test("The time of a record's first append is proven, however often it is put back")
    func proven() {
        let again = putBack(record([("ce_id", "x")]))
        #expect(again.partition == 3)
        #expect(again.headers["ce_id"] == "x")
        let once = stored(again)
        #expect(isProven(once))
        let twice = stored(putBack(once, hours: 1), times: 2)
        #expect(isProven(twice))
        #expect(PutBack.time(of: twice)?.microseconds == Self.first)
    }

    @Test("Another secret, value, key, topic or time proves nothing")
    func notProven() {
        let good = stored(putBack(record()))
        #expect(!isProven(good, Self.secret + "x"))
        var other = good
        other.value = [1, 3]
        #expect(!isProven(other))
        other = good
        other.key = Array("pj".utf8)
        #expect(!isProven(other))
        other = good
        other.topic = "whereabouts.scans"
        #expect(!isProven(other))
        other = good
        other.headers = LogHeaders()
        PutBack.append(Timestamp(microseconds: Self.first + 1_000), to: &other.headers)
        other.headers.append("put-back-proof", good.headers["put-back-proof"] ?? "")
        #expect(!isProven(other))
        other.headers = LogHeaders()
        PutBack.append(Timestamp(microseconds: Self.first), to: &other.headers)
        #expect(!isProven(other))
    }

    @Test("A proof is valid for an hour; a later copy of the record proves nothing")
    func over() {
        let again = putBack(record())
        #expect(isProven(stored(again)))
        #expect(!isProven(stored(again, times: 2)))
        // The earlier proof's time still counts when a service puts the record back again.
        #expect(isProven(stored(putBack(stored(again, times: 2), hours: 3), times: 4)))
    }

    @Test("A stranger's claim of an earlier time is not confirmed when the record is put back")
    func stranger() {
        let copy = record([("put-back", "2026-11-01T00:00:00Z"), ("put-back-proof", "ff")])
        #expect(isProven(stored(putBack(copy))))
    }
}
