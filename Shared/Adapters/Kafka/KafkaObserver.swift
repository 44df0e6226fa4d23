/// Gets a client's reports that answer no call. librdkafka calls the closures on its own threads,
/// possibly several at once. They must return soon.
public struct KafkaObserver: Sendable {
    /// A line of librdkafka's log with its syslog level (7 is debug, 3 is an error).
    public var log: @Sendable (_ level: Int, _ message: String) -> Void
    /// A client-wide error. Most pass by themselves.
    public var error: @Sendable (KafkaError) -> Void
    /// Statistics as JSON, at every `statistics.interval.ms` if that is set.
    public var statistics: @Sendable (_ json: String) -> Void

    public init(
        log: @escaping @Sendable (_ level: Int, _ message: String) -> Void = { _, _ in },
        error: @escaping @Sendable (KafkaError) -> Void = { _ in },
        statistics: @escaping @Sendable (_ json: String) -> Void = { _ in }
    ) {
        self.log = log
        self.error = error
        self.statistics = statistics
    }
}
