import JSON
import ServiceHost

/// The number of letters with each outcome of `dead-letters apply`.
struct DeadLettersSummary: Hashable, Sendable {
    var putBack = 0
    var notMissing = 0
    var refused = 0
    var notWhole = 0
    /// Letters that were put back before and came again. `--everything` leaves them out; each has
    /// to be applied by its id.
    var leftAlone = 0

    /// Letters whose records were not put back.
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
