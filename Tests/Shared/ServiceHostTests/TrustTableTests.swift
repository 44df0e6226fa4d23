import EventLog
import Events
import Testing
import Wire

@testable import ServiceHost

@Suite("The table of tokens and people") struct TrustTableTests {
    private static func record(
        _ key: [UInt8]?, _ value: [UInt8]?, _ headers: LogHeaders = LogHeaders()
    ) -> StoredRecord {
        StoredRecord(
            topic: Topic.tokens.name, partition: 0, offset: 0, appendedAtMicroseconds: 0,
            key: key, value: value, headers: headers)
    }

    @Test(
        "knows the keys whose last record can't be read, until it is replaced",
        arguments: ["a hash", "account/00000000-0000-7000-8000-000000000000", "session-key/k"])
    func unreadable(_ key: String) {
        var table = TrustTable()
        let bytes = Array(key.utf8)
        let later = Array("of a later release".utf8)
        let isRead = table.apply(Self.record(bytes, later))
        #expect(!isRead && table.unreadable == [bytes])
        _ = table.apply(Self.record(bytes, nil))
        #expect(table.unreadable.isEmpty)
    }

    @Test("keeps a token that it could read, and knows that the last record is another")
    func replaced() {
        var table = TrustTable()
        let hash = String(repeating: "a", count: 64)
        let issued = TokenIssued(
            hash: hash, id: EventID(high: 7, low: 1), role: .administrator, site: nil,
            device: nil, note: "", issuedAt: Timestamp(milliseconds: 1), expiresAt: nil)
        let key = Array(hash.utf8)
        let event = issued.record(source: "/test")
        let readable = Self.record(event.key, event.value, event.headers)
        let first = table.apply(readable)
        let later = table.apply(Self.record(key, [0xff]))
        #expect(first && !later)
        #expect(table.tokens[hash] != nil && table.unreadable == [key])
        let again = table.apply(readable)
        #expect(again && table.unreadable.isEmpty)
    }

    @Test("has no key of a record without one, nor that of the log's id")
    func others() {
        var table = TrustTable()
        for key in [nil, Array(LogIdentified.key.utf8), [0xff]] {
            let isRead = table.apply(Self.record(key, [1]))
            #expect(!isRead)
        }
        #expect(table.unreadable == [[0xff]])
    }
}
