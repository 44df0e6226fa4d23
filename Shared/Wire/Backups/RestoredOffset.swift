public import EventLog
internal import Events

/// The offset that a restored record had in the log that was backed up, as a header.
///
/// An interrupted restore goes on behind the last one, and offsets of the former log are
/// translated by them.
public enum RestoredOffset {
    private static let name: StaticString = "restored-offset"

    public static func of(_ headers: LogHeaders) -> Int64? { headers[name].flatMap { Int64($0) } }

    /// The headers with this offset in place of that of an earlier restore.
    public static func replace(in headers: LogHeaders, with offset: Int64) -> LogHeaders {
        var result = LogHeaders()
        headers.forEach({ entry, value in
            let isOld = name.withUTF8Buffer { entry.elementsEqual($0) }
            if !isOld { result.append(name: entry, value: value) }
        })
        result.append(name, String(offset))
        return result
    }

    /// Dead letters name the offset of a record that the new log does not have under it. So their
    /// offsets are moved beyond those of any log: 2^52 leaves them whole numbers in JSON.
    public static let beyond: Int64 = 1 << 52

    /// The value of a record whose event names offsets of the former log; nil where it names none
    /// that matter. Judged surveys are known by the header `former-offset`, which they keep.
    public static func translated(_ record: StoredRecord) -> [UInt8]? {
        switch record.headers["ce_type"] {
        case EventType.radioMapAnnounced.name:
            guard var event = try? RadioMapAnnounced(record: record) else { return nil }
            // Nobody compares them; people would take them for offsets of the new log.
            event.surveyOffsets = []
            return event.json
        case EventType.deadLettered.name:
            guard var event = try? DeadLettered(record: record), event.offset < beyond else {
                return nil
            }
            event.offset += beyond
            return event.json
        case EventType.deadLetterPutBack.name:
            guard var event = try? DeadLetterPutBack(record: record), event.offset < beyond else {
                return nil
            }
            event.offset += beyond
            return event.json
        default: return nil
        }
    }
}
