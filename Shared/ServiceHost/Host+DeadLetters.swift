public import EventLog
import Events
import ServiceRuntime
import Wire

extension Host {
    /// Bytes of a record's value, of its key and of the reason that a dead letter keeps at most, so
    /// that the largest record that the log takes can still be set aside.
    private static let deadLetterValueLimit = 100_000
    private static let deadLetterKeyLimit = 4_096
    private static let deadLetterDetailLimit = 1_000

    /// The event that sets a record aside. Its id is the record's place in the log, so that the same
    /// record set aside twice can be told.
    public func deadLetter(
        _ record: StoredRecord, code: String, detail: String, source: String
    ) -> LogRecord {
        context.metrics.counter(
            "whereabouts_dead_letters_total", help: "Records that were set aside.",
            labels: ["topic": record.topic, "code": code]
        ).increment()
        return DeadLettered(
            topic: record.topic, partition: record.partition, offset: record.offset, code: code,
            detail: String(decoding: detail.utf8.prefix(Self.deadLetterDetailLimit), as: UTF8.self),
            key: record.key.map { Array($0.prefix(Self.deadLetterKeyLimit)) },
            value: record.value.map { Array($0.prefix(Self.deadLetterValueLimit)) }, at: now
        ).record(source: source)
    }
}
