import JSON
import ServiceHost

/// What came of all letters that were to be put back.
struct DeadLettersSummary: Hashable, Sendable {
    var putBack = 0
    var notMissing = 0
    var refused = 0
    var notWhole = 0
    /// Were put back before and came again: only who names one puts it back once more.
    var leftAlone = 0

    /// Those that are still where they were set aside.
    var failures: Int { refused + notWhole }

    mutating func count(_ outcome: Host.PutBackOutcome) {
        switch outcome {
        case .putBack: putBack += 1
        case .notMissing: notMissing += 1
        case .refused: refused += 1
        case .notWhole: notWhole += 1
        }
    }

    /// The last line that `apply` prints.
    var line: String {
        var line = JSONWriter()
        line.beginObject()
        line.field("putBack", putBack)
        line.field("notMissing", notMissing)
        line.field("refused", refused)
        line.field("notWhole", notWhole)
        line.field("leftAlone", leftAlone)
        line.endObject()
        return line.finishText()
    }
}
