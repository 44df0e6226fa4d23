internal import Cryptography
public import EventLog
public import Events
internal import JSON

/// The header of a record that was set aside and stands in its topic once more: when it came first.
/// Such a record is late, whatever its own time says: what is newer has been worked on meanwhile.
public enum PutBack {
    public static func append(_ time: Timestamp, to headers: inout LogHeaders) {
        headers.append("put-back", RFC3339.text(microseconds: time.microseconds))
    }

    /// Nil where the record came in order. A stranger who writes the header makes his own record
    /// late.
    public static func time(of record: StoredRecord) -> Timestamp? {
        guard let text = record.headers["put-back"], let time = RFC3339.microseconds(text) else {
            return nil
        }
        return Timestamp(microseconds: min(time, record.appendedAtMicroseconds))
    }

    /// How long after it was made a proof is good for: a copy of the record is worth nothing later.
    private static let proofMicroseconds: Int64 = 3_600_000_000

    /// The record as it is put back: late, with the time when it came first and a proof that it was
    /// one of us who put it back. Without that whoever may write to the topic could say of an old
    /// record's copy that it came in time.
    ///
    /// - Parameter secret: what services show each other.
    public static func again(
        _ record: StoredRecord, secret: String, at moment: Timestamp
    ) -> LogRecord {
        // An earlier proof may be over; what it says of the time holds.
        let time = provenTime(record, secret)?.time ?? appended(record)
        let until = RFC3339.text(microseconds: moment.microseconds + proofMicroseconds)
        var headers = LogHeaders()
        record.headers.forEach({ name, value in
            // What a stranger has written of it is not ours to confirm.
            if !names.contains(where: { name.elementsEqual($0.utf8) }) {
                headers.append(name: name, value: value)
            }
        })
        append(time, to: &headers)
        headers.append("put-back-until", until)
        headers.append("put-back-proof", hexadecimal(proof(record, time, until, secret)))
        return LogRecord(
            topic: record.topic, partition: record.partition, key: record.key ?? [],
            value: record.value, headers: headers)
    }

    /// When the record came first, where that is proven; else when it was appended.
    public static func firstAppended(_ record: StoredRecord, secret: String) -> Timestamp {
        guard let (time, until) = provenTime(record, secret), appended(record) <= until else {
            return appended(record)
        }
        return time
    }

    private static let names = ["put-back", "put-back-until", "put-back-proof"]

    private static func appended(_ record: StoredRecord) -> Timestamp {
        Timestamp(microseconds: record.appendedAtMicroseconds)
    }

    private static func provenTime(
        _ record: StoredRecord, _ secret: String
    ) -> (time: Timestamp, until: Timestamp)? {
        guard let time = time(of: record), let until = record.headers["put-back-until"],
            let end = RFC3339.microseconds(until),
            let shown = record.headers["put-back-proof"].flatMap(bytes(fromHexadecimal:)),
            isEqualInConstantTime(shown, proof(record, time, until, secret))
        else { return nil }
        return (time, Timestamp(microseconds: end))
    }

    private static func proof(
        _ record: StoredRecord, _ time: Timestamp, _ until: String, _ secret: String
    ) -> [UInt8] {
        // As the header says it: in milliseconds.
        let time = RFC3339.text(microseconds: time.microseconds)
        let (key, value) = (sha256Hex(record.key ?? []), sha256Hex(record.value ?? []))
        return keyedHash(
            Array("put-back\n\(record.topic)\n\(time)\n\(until)\n\(key)\n\(value)\n".utf8),
            key: sha256(secret.utf8))
    }
}
