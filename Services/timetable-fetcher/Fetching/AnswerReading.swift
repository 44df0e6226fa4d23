import Threads

/// Reads answers on threads of their own. In memory, an answer that is being read has many times
/// its size. So large ones are read one after the other.
enum AnswerReading {
    private static let largeBytes = 4 << 20
    private static let small = BlockingWork("feeds")
    private static let large = LongWork("large-feeds")

    /// - Parameter count: the bytes of the answer.
    /// - Throws: `CancellationError` where the task is cancelled before a large answer is read.
    static func run<Value: Sendable>(
        ofBytes count: Int, _ body: @escaping @Sendable () -> Value
    ) async throws -> Value {
        guard count > largeBytes else { return await small(body) }
        guard let value = await large.run(body) else { throw CancellationError() }
        return value
    }
}
