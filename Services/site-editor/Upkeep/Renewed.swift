import Events
import ServiceHost

/// A value that is costly to make. It is made when somebody asks for it, and then kept for a while,
/// so that nobody can have it made often. It is never made twice at a time.
actor Renewed<Value: Sendable> {
    struct Answer: Sendable {
        var value: Value
        /// The time when it was made.
        var at: Timestamp
        /// Whether a newer one is being made.
        var isRunning: Bool
    }

    private let clock: EventClock
    private let freshMicroseconds: Int64
    private let usableMicroseconds: Int64
    private let make: @Sendable () async -> Value
    private var last: Answer?
    private var running: Task<Answer, Never>?

    /// - Parameters:
    ///   - freshSeconds: how long a value is answered without making a newer one.
    ///   - usableSeconds: how long it is answered while a newer one is being made.
    init(
        clock: EventClock, freshSeconds: Int64, usableSeconds: Int64,
        make: @escaping @Sendable () async -> Value
    ) {
        self.clock = clock
        freshMicroseconds = freshSeconds * 1_000_000
        usableMicroseconds = usableSeconds * 1_000_000
        self.make = make
    }

    /// The value. Where the last one is not fresh, the caller waits for a new one.
    func latest() async -> Answer {
        if let last, isYounger(last, than: freshMicroseconds) { return last }
        let task = running ?? start()
        return await task.value
    }

    /// The last value, at once. Where it is not fresh, a newer one is made meanwhile. Nil where
    /// there is none yet, or a former one would mislead.
    func present() -> Answer? {
        if let last, isYounger(last, than: freshMicroseconds) { return last }
        if running == nil { _ = start() }
        guard var last, isYounger(last, than: usableMicroseconds) else { return nil }
        last.isRunning = true
        return last
    }

    /// A value of the future is of a clock that was set back.
    private func isYounger(_ answer: Answer, than limit: Int64) -> Bool {
        (0..<limit).contains(clock.now.microseconds - answer.at.microseconds)
    }

    private func start() -> Task<Answer, Never> {
        let task = Task {
            let value = await make()
            let answer = Answer(value: value, at: clock.now, isRunning: false)
            last = answer
            running = nil
            return answer
        }
        running = task
        return task
    }
}
