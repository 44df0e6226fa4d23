import Glibc

/// Shows the progress of long work on stderr: its amount, its rate and the time left. On a terminal
/// it overwrites one line; elsewhere it writes a plain line every ten seconds.
///
/// Only one thread may use a reporter at a time.
public final class ProgressReporter {
    private static let terminalInterval = Duration.milliseconds(200)
    private static let plainInterval = Duration.seconds(10)

    private let title: String
    private let unit: String
    private let total: Int?
    private let isTerminal: Bool
    private let write: (String) -> Void
    private let now: () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private var shownAt: ContinuousClock.Instant
    private var done = 0
    /// The time of `hold` since the last unit; nil while units are worked on.
    private var heldAt: ContinuousClock.Instant?
    private var held = Duration.zero

    /// - Parameters:
    ///   - title: the work, such as `locating`.
    ///   - unit: the things that are counted, in the plural.
    ///   - total: the number of all units, if it can be stated.
    ///   - isTerminal: whether the text goes to a terminal; nil to ask stderr.
    ///   - write: writes text that contains its own line ends; nil for stderr.
    public init(
        _ title: String, unit: String, total: Int?, isTerminal: Bool? = nil,
        write: ((String) -> Void)? = nil,
        now: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.title = title
        self.unit = unit
        self.total = total
        self.isTerminal = isTerminal ?? (isatty(STDERR_FILENO) == 1)
        self.write = write ?? writeToStandardError
        self.now = now
        start = now()
        shownAt = start
    }

    /// Counts more units as done. Shows the progress if the interval since the last time is over.
    public func advance(by count: Int = 1) {
        done += count
        if let since = heldAt {
            held += now() - since
            heldAt = nil
        }
        // Reading the clock for each of a million small steps would cost too much.
        guard count > 1 || done & 15 == 0 else { return }
        let moment = now()
        guard moment - shownAt >= (isTerminal ? Self.terminalInterval : Self.plainInterval) else {
            return
        }
        shownAt = moment
        show(at: moment)
    }

    /// Stops the clock of the rate until the next unit, for work between units.
    ///
    /// - Parameter work: the work that is done meanwhile, such as `preparing knn`; shown if the
    ///   interval is over, and before the first unit.
    public func hold(_ work: String) {
        let moment = now()
        heldAt = heldAt ?? moment
        let interval = isTerminal ? Self.terminalInterval : Self.plainInterval
        guard done == 0 || moment - shownAt >= interval else { return }
        shownAt = moment
        write(isTerminal ? "\r\u{1B}[K\(work)" : "\(work)\n")
    }

    /// Shows the last state and ends the line.
    public func finish() {
        show(at: now())
        if isTerminal { write("\n") }
    }

    private func show(at moment: ContinuousClock.Instant) {
        let line = self.line(after: moment - start - held)
        write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
    }

    private func line(after elapsed: Duration) -> String {
        let seconds = max(elapsed / .seconds(1), 1e-9)
        let rate = Double(done) / seconds
        var line = "\(title): \(done)"
        if let total { line += " of \(total)" }
        line += " \(unit), \(rounded(rate)) a second"
        if let total, done < total, done > 0 {
            line += ", \(clock(Double(total - done) / rate)) left"
        } else {
            line += ", \(clock(seconds)) so far"
        }
        return line
    }

    private func rounded(_ rate: Double) -> String {
        guard rate < 1e15 else { return "many" }
        return rate < 10 ? "\((rate * 10).rounded() / 10)" : "\(Int(rate.rounded()))"
    }

    /// A duration as text, such as 0:07, 12:30 or 1:02:03.
    private func clock(_ seconds: Double) -> String {
        let all = Int(min(seconds, 1e9).rounded())
        let twoDigits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (all / 3_600, all / 60 % 60)
        let end = twoDigits(all % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(end)" : "\(minutes):\(end)"
    }
}
