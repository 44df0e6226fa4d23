import Retrying
import Synchronization

/// Reports the failures of a positioner's program as text, up to a limit, and counts the scans that
/// it left unanswered.
final class ProgramReports: Sendable {
    /// Failures in a row after which the program counts as not working.
    static let failuresOfHealth = 3

    private struct Counts {
        var unanswered = 0
        /// Failures since the last answer.
        var failures = 0
    }

    private let name: String
    private let note: @Sendable (String) -> Void
    private let onHealth: @Sendable (String?) -> Void
    private let notes = Occasional<String>(20, per: .seconds(3_600))
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
        let failures = counts.withLock { counts in
            counts.failures += 1
            return counts.failures
        }
        if failures == Self.failuresOfHealth { onHealth("\(name) \(failure)") }
        guard case .admit(let leftOut) = notes.decide(name) else { return }
        let more = leftOut > 0 ? "; \(leftOut) more failures in the hour before" : ""
        note("\(name) \(failure)\(more)")
    }
}
