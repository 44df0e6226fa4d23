import Synchronization

/// What is told about a program: each failure in words, up to a limit, and how much was lost.
final class ProgramReports: Sendable {
    /// Further failures are counted only.
    private static let mostNotes = 20
    /// So many in a row are no mishap: the program does not work.
    static let failuresOfHealth = 3

    private struct Counts {
        var notes = 0
        var unanswered = 0
        /// Since the last answer.
        var failures = 0
    }

    private let name: String
    private let note: @Sendable (String) -> Void
    private let onHealth: @Sendable (String?) -> Void
    private let counts = Mutex(Counts())

    /// - Parameter onHealth: is told why the program does not work, and nil when it does again.
    init(
        name: String, note: @escaping @Sendable (String) -> Void,
        onHealth: @escaping @Sendable (String?) -> Void
    ) {
        self.name = name
        self.note = note
        self.onHealth = onHealth
    }

    /// For the program once more, which answers questions: that it fails says nothing of the first
    /// one.
    var ofQuestions: ProgramReports { ProgramReports(name: name, note: note, onHealth: { _ in }) }

    var unanswered: Int { counts.withLock { $0.unanswered } }

    func missedOne() { counts.withLock { $0.unanswered += 1 } }

    func answered() {
        let failures = counts.withLock { counts in
            defer { counts.failures = 0 }
            return counts.failures
        }
        if failures >= Self.failuresOfHealth { onHealth(nil) }
    }

    /// - Parameter failure: the end of a sentence that begins with the program.
    func failed(_ failure: String) {
        let (count, failures) = counts.withLock { counts in
            counts.notes += 1
            counts.failures += 1
            return (counts.notes, counts.failures)
        }
        if failures == Self.failuresOfHealth { onHealth("\(name) \(failure)") }
        guard count <= Self.mostNotes else { return }
        note("\(name) \(failure)")
        if count == Self.mostNotes { note("\(name): what else goes wrong is not told") }
    }
}
