/// Where a client tells what is not an answer to a call. The closures are called on librdkafka's
/// threads, also at once from several; they must return soon.
public struct KafkaObserver: Sendable {
    /// A line of librdkafka's log with its syslog level (7 is debug, 3 is an error).
    public var log: @Sendable (_ level: Int, _ message: String) -> Void
    /// A client-wide error; most pass by themselves.
    public var error: @Sendable (KafkaError) -> Void
    /// Statistics as JSON, every `statistics.interval.ms` when that is set.
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
