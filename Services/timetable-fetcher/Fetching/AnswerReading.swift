import Threads

/// Reads answers on threads of their own. In memory, an answer that is being read has many times
/// its size. So large ones are read one after the other, and few wait.
enum AnswerReading {
    private static let largeBytes = 4 << 20
    /// Large answers of one process that are read or wait for it: one and two.
    static let mostLarge = 3
    private static let small = BlockingWork("feeds")
    private static let large = LongWork("large-feeds")

    static func isLarge(ofBytes count: Int) -> Bool { count > largeBytes }

    /// - Parameter count: the bytes of the answer.
    /// - Throws: `CancellationError` where the task is cancelled before a large answer is read.
    static func run<Value: Sendable>(
        ofBytes count: Int, _ body: @escaping @Sendable () -> Value
    ) async throws -> Value {
        guard isLarge(ofBytes: count) else { return await small(body) }
        guard let value = await large.run(body) else { throw CancellationError() }
        return value
    }
}
