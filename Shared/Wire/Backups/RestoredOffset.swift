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

    /// Offsets of surveys by partition: the former ones, ascending, at the places of the new ones.
    public struct Translation: Sendable {
        private var former: [Int: [Int64]] = [:]

        public init() {}

        /// Notes the next record of the new log. Its new offsets begin at 0 and have no gaps.
        public mutating func note(partition: Int, former offset: Int64) {
            former[partition, default: []].append(offset)
        }

        /// The new offset of the first record at or behind this one of the former log.
        public func offset(_ offset: Int64, partition: Int) -> Int64 {
            let known = former[partition] ?? []
            var (low, high) = (0, known.count)
            while low < high {
                let middle = (low + high) / 2
                if known[middle] < offset { low = middle + 1 } else { high = middle }
            }
            return Int64(low)
        }

        /// The offsets of all partitions, in their order.
        public func offsets(_ offsets: [Int64]) -> [Int64] {
            offsets.enumerated().map { offset($1, partition: $0) }
        }
    }

    /// The value of a record whose event names offsets of the former log; nil where it names none.
    public static func translated(_ record: StoredRecord, _ surveys: Translation) -> [UInt8]? {
        switch record.headers["ce_type"] {
        case EventType.surveysJudged.name:
            guard var event = try? SurveysJudged(record: record) else { return nil }
            event.surveyOffsets = surveys.offsets(event.surveyOffsets)
            return event.json
        case EventType.radioMapAnnounced.name:
            guard var event = try? RadioMapAnnounced(record: record) else { return nil }
            event.surveyOffsets = surveys.offsets(event.surveyOffsets)
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
