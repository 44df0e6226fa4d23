import Synchronization

/// Counts and reports the failures of a program: each as text up to a limit, and the number of lost
/// scans.
final class ProgramReports: Sendable {
    /// The most failures that are reported as text. Further ones are only counted.
    private static let mostNotes = 20
    /// This many failures in a row mean that the program does not work at all.
    static let failuresOfHealth = 3

    private struct Counts {
        var notes = 0
        var unanswered = 0
        /// Failures since the last answer.
        var failures = 0
    }

    private let name: String
    private let note: @Sendable (String) -> Void
    private let onHealth: @Sendable (String?) -> Void
    private let counts = Mutex(Counts())

    /// - Parameter onHealth: is called with the reason when the program stops working, and with nil
    ///   when it works again.
    init(
        name: String, note: @escaping @Sendable (String) -> Void,
        onHealth: @escaping @Sendable (String?) -> Void
    ) {
        self.name = name
        self.note = note
        self.onHealth = onHealth
    }

    /// Reports for the second process, which answers questions. Its failures don't count for the
    /// health of the first.
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

    /// - Parameter failure: the rest of a sentence whose subject is the program's name.
    func failed(_ failure: String) {
        let (count, failures) = counts.withLock { counts in
            counts.notes += 1
            counts.failures += 1
            return (counts.notes, counts.failures)
        }
        if failures == Self.failuresOfHealth { onHealth("\(name) \(failure)") }
        guard count <= Self.mostNotes else { return }
        note("\(name) \(failure)")
        if count == Self.mostNotes {
            note("\(name): further failures are counted, but not reported")
        }
    }
}
