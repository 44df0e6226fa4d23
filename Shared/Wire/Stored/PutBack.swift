internal import Cryptography
public import EventLog
public import Events
internal import JSON

/// The headers of a record that was set aside and appended to its topic again. They give the time
/// when it first came.
///
/// Such a record counts as late whatever its own time is, because newer records were processed
/// before it.
public enum PutBack {
    public static func append(_ time: Timestamp, to headers: inout LogHeaders) {
        headers.append("put-back", RFC3339.text(microseconds: time.microseconds))
    }

    /// Nil for a record that came in order. A stranger can only make their own record late with
    /// this header.
    public static func time(of record: StoredRecord) -> Timestamp? {
        guard let text = record.headers["put-back"], let time = RFC3339.microseconds(text) else {
            return nil
        }
        return Timestamp(microseconds: min(time, record.appendedAtMicroseconds))
    }

    /// How long a proof is valid. A later copy of the record proves nothing.
    private static let proofMicroseconds: Int64 = 3_600_000_000

    /// The record to append again: with the time when it first came, and a proof that a service put
    /// it back.
    ///
    /// Without the proof anybody who writes to the topic could date a copy of an old record back.
    ///
    /// - Parameter secret: the secret that services show each other.
    public static func again(
        _ record: StoredRecord, secret: String, at moment: Timestamp
    ) -> LogRecord {
        // An earlier proof may have expired; the time that it proved still counts.
        let time = provenTime(record, secret)?.time ?? appended(record)
        let until = RFC3339.text(microseconds: moment.microseconds + proofMicroseconds)
        var headers = LogHeaders()
        record.headers.forEach({ name, value in
            // A stranger's headers with these names are left out, because the proof would confirm
            // them.
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

    /// The time when the record first came, if that is proven; else the time of its append.
    public static func firstAppended(_ record: StoredRecord, secret: String) -> Timestamp {
        guard let (time, until) = provenTime(record, secret), appended(record) <= until else {
            return appended(record)
        }
        return time
    }

    /// Whether a service put the record back within the last hour.
    static func isProven(_ record: StoredRecord, secret: String) -> Bool {
        provenTime(record, secret).map { appended(record) <= $0.until } ?? false
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
        // The time in milliseconds, as the header has it.
        let time = RFC3339.text(microseconds: time.microseconds)
        let (key, value) = (sha256Hex(record.key ?? []), sha256Hex(record.value ?? []))
        return keyedHash(
            Array("put-back\n\(record.topic)\n\(time)\n\(until)\n\(key)\n\(value)\n".utf8),
            key: sha256(secret.utf8))
    }
}
