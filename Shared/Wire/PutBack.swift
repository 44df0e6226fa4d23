internal import Cryptography
public import EventLog
public import Events
internal import JSON

/// The header of a record that was set aside and stands in its topic once more: when it came first. Such
/// a record is late, whatever its own time says: what is newer has been worked on meanwhile.
public enum PutBack {
    public static func append(_ time: Timestamp, to headers: inout LogHeaders) {
        headers.append("put-back", RFC3339.text(microseconds: time.microseconds))
    }

    /// Nil where the record came in order. A stranger who writes the header makes his own record late.
    public static func time(of record: StoredRecord) -> Timestamp? {
        guard let text = record.headers["put-back"], let time = RFC3339.microseconds(text) else {
            return nil
        }
        return Timestamp(microseconds: min(time, record.appendedAtMicroseconds))
    }

    /// The record as it is put back: late, with the time when it came first and a proof that it was one of us
    /// who put it back. Without that whoever may write to the topic could say of an old record's copy that it
    /// came in time.
    ///
    /// - Parameter secret: what services show each other.
    public static func again(_ record: StoredRecord, secret: String) -> LogRecord {
        let time = firstAppended(record, secret: secret)
        var headers = LogHeaders()
        record.headers.forEach({ name, value in
            // What a stranger has written of it is not ours to confirm.
            if ![nameOfTime, nameOfProof].contains(where: { name.elementsEqual($0.utf8) }) {
                headers.append(name: name, value: value)
            }
        })
        append(time, to: &headers)
        let proof = proof(
            time, topic: record.topic, key: record.key, value: record.value, secret)
        headers.append("put-back-proof", hexadecimal(proof))
        return LogRecord(
            topic: record.topic, partition: record.partition, key: record.key ?? [],
            value: record.value, headers: headers)
    }

    /// When the record came first, where that is proven; else when it was appended.
    public static func firstAppended(_ record: StoredRecord, secret: String) -> Timestamp {
        let appended = Timestamp(microseconds: record.appendedAtMicroseconds)
        guard let time = time(of: record),
            let shown = record.headers["put-back-proof"].flatMap(bytes(fromHexadecimal:))
        else { return appended }
        let expected = proof(
            time, topic: record.topic, key: record.key, value: record.value, secret)
        return isEqualInConstantTime(shown, expected) ? time : appended
    }

    private static let nameOfTime = "put-back"
    private static let nameOfProof = "put-back-proof"

    private static func proof(
        _ time: Timestamp, topic: String, key: [UInt8]?, value: [UInt8]?, _ secret: String
    ) -> [UInt8] {
        // As the header says it: in milliseconds.
        let time = RFC3339.text(microseconds: time.microseconds)
        let (key, value) = (sha256Hex(key ?? []), sha256Hex(value ?? []))
        return keyedHash(
            Array("put-back\n\(topic)\n\(time)\n\(key)\n\(value)\n".utf8),
            key: sha256(secret.utf8))
    }
}
