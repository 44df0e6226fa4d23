import Cryptography
import EventLog
import Events
import Testing
import Wire

@Suite struct RecordSignatureTests {
    private static let pair = Ed25519.KeyPair()
    private static let signer = EventID("01a1ff00-d8d8-7f05-8f56-b6ae587e99b0")!
    private static let moment = Timestamp(microseconds: 1_795_000_000_123_456)

    /// A signed record in the log, appended this many seconds after it was signed.
    private func record(appendedAfter seconds: Int64 = 1) -> StoredRecord {
        let (key, value) = (Array("pi-0042".utf8), Array(#"{"wifi":[]}"#.utf8))
        let signature = RecordSignature(
            topic: "whereabouts.scans-inbound", key: key, value: value, by: Self.signer,
            at: Self.moment, with: Self.pair)
        var headers = LogHeaders()
        for (name, text) in signature.headers {
            headers.append(name: name.utf8, value: text.utf8)
        }
        return StoredRecord(
            topic: "whereabouts.scans-inbound", partition: 0, offset: 0,
            appendedAtMicroseconds: Self.moment.microseconds + seconds * 1_000_000, key: key,
            value: value, headers: headers)
    }

    private func isGood(_ record: StoredRecord) throws -> Bool {
        let signature = try #require(try RecordSignature(headers: record.headers))
        return signature.verifies(record, publicKey: hexadecimal(Self.pair.publicKey))
    }

    @Test("A signed record is verified by its signer's key, and by no other")
    func own() throws {
        let signed = record()
        #expect(try isGood(signed))
        let signature = try #require(try RecordSignature(headers: signed.headers))
        #expect(signature.signer == Self.signer)
        #expect(!signature.verifies(signed, publicKey: hexadecimal(Ed25519.KeyPair().publicKey)))
    }

    @Test(
        "A changed topic, key, value or time breaks it, and so does a byte moved between them")
    func changed() throws {
        var other = record()
        other.topic = "whereabouts.scans"
        #expect(try !isGood(other))
        other = record()
        other.key = Array("pi-0043".utf8)
        #expect(try !isGood(other))
        other = record()
        other.key = nil
        #expect(try !isGood(other))
        other = record()
        other.value?.append(32)
        #expect(try !isGood(other))
        other = record()
        other.key = Array("pi-0042{".utf8)
        other.value?.removeFirst()
        #expect(try !isGood(other))
        other = record()
        var headers = LogHeaders()
        let copy = { (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) in
            let isTime = String(decoding: name, as: UTF8.self) == "signed-at"
            headers.append(
                name: Array(name),
                value: isTime ? Array("2026-11-18T21:46:40.124Z".utf8) : Array(value))
        }
        other.headers.forEach(copy)
        other.headers = headers
        #expect(try !isGood(other))
    }

    @Test("A signature is fresh for ten minutes before and after the append, and no longer")
    func fresh() throws {
        for (seconds, expected) in [
            (0, true), (599, true), (-599, true), (601, false), (-601, false),
        ] {
            let record = record(appendedAfter: Int64(seconds))
            let signature = try #require(try RecordSignature(headers: record.headers))
            let appendedAt = Timestamp(microseconds: record.appendedAtMicroseconds)
            #expect(signature.isFresh(at: appendedAt) == expected, "\(seconds)")
        }
        let signature = try #require(try RecordSignature(headers: record().headers))
        #expect(!signature.isFresh(at: Timestamp(microseconds: .min)))
    }

    @Test("A repeated record without an id of its own gets the same id")
    func again() throws {
        let (first, second) = (record(), record(appendedAfter: 30))
        let id = try RecordSignature(headers: first.headers)?.derivedID
        #expect(id != nil)
        #expect(try RecordSignature(headers: second.headers)?.derivedID == id)
    }

    @Test("Headers of another form are refused, and a record without them has no signer")
    func malformed() throws {
        func headers(_ fields: [(String, String)]) -> LogHeaders {
            var headers = LogHeaders()
            for (name, value) in fields { headers.append(name: name.utf8, value: value.utf8) }
            return headers
        }
        #expect(try RecordSignature(headers: LogHeaders()) == nil)
        #expect(try RecordSignature(headers: headers([("authorization", "Bearer x")])) == nil)
        let named = ("signed-by", Self.signer.description)
        #expect(try RecordSignature(headers: headers([named]))?.isSigned == false)
        for fields in [
            [("signed-by", "pi-0042")], [named, ("signature", "00")],
            [named, ("signature", String(repeating: "0", count: 128))],
            [named, ("signed-at", "yesterday"), ("signature", String(repeating: "0", count: 128))],
            [named, ("signature", String(repeating: "x", count: 128))],
        ] {
            #expect(throws: WireFault.self) { try RecordSignature(headers: headers(fields)) }
        }
    }
}
