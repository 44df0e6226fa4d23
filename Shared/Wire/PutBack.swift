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
}
