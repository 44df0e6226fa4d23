import Synchronization

/// What is told about a program: each failure in words, up to a limit, and how much was lost.
final class ProgramReports: Sendable {
    /// Further failures are counted only.
    private static let mostNotes = 20

    private struct Counts {
        var notes = 0
        var unanswered = 0
    }

    private let name: String
    private let note: @Sendable (String) -> Void
    private let counts = Mutex(Counts())

    init(name: String, note: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.note = note
    }

    var unanswered: Int { counts.withLock { $0.unanswered } }

    func missedOne() { counts.withLock { $0.unanswered += 1 } }

    /// - Parameter failure: the end of a sentence that begins with the program.
    func failed(_ failure: String) {
        let count = counts.withLock { counts in
            counts.notes += 1
            return counts.notes
        }
        guard count <= Self.mostNotes else { return }
        note("\(name) \(failure)")
        if count == Self.mostNotes { note("\(name): what else goes wrong is not told") }
    }
}
