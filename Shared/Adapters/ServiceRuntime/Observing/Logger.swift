import Glibc
import Retrying

/// Structured log lines, one per event, to standard error: JSON for machines, plain on a terminal.
///
/// Messages are constant texts; variable values go into the fields. The same message at the same
/// level is written at most ten times a minute. The first line of the next minute reports how many
/// were left out.
public struct Logger: Sendable {
    public enum Format: Sendable { case json, human }

    private struct Message: Hashable {
        let level: LogLevel
        let text: String
    }

    /// An arbitrary start, because only differences of times count.
    private static let start = ContinuousClock.now

    public let service: String
    public let level: LogLevel
    private let format: Format
    private let time: any TimeSource
    private let write: @Sendable (String) -> Void
    private let limiter: Occasional<Message>
    private var common: [String: LogValue] = [:]

    /// - Parameter write: gets each line with its line break; standard error by default.
    public init(
        service: String, level: LogLevel = .info, format: Format = .json,
        time: any TimeSource = SystemTimeSource(),
        write: @escaping @Sendable (String) -> Void = Self.writeToStandardError
    ) {
        self.service = service
        self.level = level
        self.format = format
        self.time = time
        self.write = write
        limiter = Occasional(10, per: .seconds(60))
    }

    /// Whether standard error is a terminal.
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The same logger with these fields on every line.
    public func with(_ fields: [String: LogValue]) -> Logger {
        var copy = self
        copy.common.merge(fields) { $1 }
        return copy
    }

    public func debug(_ message: String, _ fields: [String: LogValue] = [:]) {
        log(.debug, message, fields)
    }
    public func info(_ message: String, _ fields: [String: LogValue] = [:]) {
        log(.info, message, fields)
    }
    public func warning(_ message: String, _ fields: [String: LogValue] = [:]) {
        log(.warning, message, fields)
    }
    public func error(_ message: String, _ fields: [String: LogValue] = [:]) {
        log(.error, message, fields)
    }

    public func log(_ level: LogLevel, _ message: String, _ fields: [String: LogValue] = [:]) {
        guard level >= self.level else { return }
        var fields = common.merging(fields) { $1 }
        let now = Self.start + .nanoseconds(time.monotonicNanoseconds)
        switch limiter.decide(Message(level: level, text: message), at: now) {
        case .refuse: return
        case .admit(let leftOut):
            if leftOut > 0 { fields["leftOut"] = .integer(leftOut) }
        }
        let line = LogLine(
            microseconds: time.nowMicroseconds, level: level, service: service, message: message,
            fields: fields.sorted { $0.key < $1.key })
        write(format == .json ? line.json : line.human)
    }

    /// Writes the line in one call of `write`, so that lines of several threads do not mix.
    public static func writeToStandardError(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.write(
                    STDERR_FILENO, bytes.baseAddress! + sent, bytes.count - sent)
                // A log that can't be written has no place to report this.
                if count < 0 && errno != EINTR { return }
                sent += max(0, count)
            }
        }
    }
}
