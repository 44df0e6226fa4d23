public import Events
import JSON

/// The outcome of one check of `whereabouts doctor`.
public struct Finding: Hashable, Sendable {
    public enum Result: String, Hashable, Sendable {
        case ok, warning, wrong
        /// The check could not be made.
        case unknown = "can't tell"
    }

    /// The name of the check, such as "disk".
    public var check: String
    public var result: Result
    /// The state in a few words.
    public var text: String
    /// The remedy; nil where there is nothing to do.
    public var advice: String?

    public init(_ check: String, _ result: Result, _ text: String, advice: String? = nil) {
        self.check = check
        self.result = result
        self.text = text
        self.advice = advice
    }

    /// The finding as one line for people.
    public var line: String {
        let head = Self.padded(result.rawValue, to: 10) + "  " + Self.padded(check, to: 21)
        let link = text.last.map { ".?!".contains($0) } == true ? " " : ". "
        let sentence = text + (advice.map { link + $0 } ?? "")
        return head + "  " + String(sentence.map { $0.isNewline ? " " : $0 })
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// All findings as one JSON object, for the command.
    public static func json(_ findings: [Finding]) -> String {
        var writer = JSONWriter(capacity: 128 + findings.count * 128)
        writer.beginObject()
        write(findings, to: &writer)
        writer.endObject()
        return writer.finishText()
    }

    /// The same with the time when they were made, for HTTP.
    ///
    /// - Parameters:
    ///   - moment: nil where there are none yet.
    ///   - isRunning: whether newer ones are being made.
    public static func answer(
        _ findings: [Finding], at moment: Timestamp?, isRunning: Bool
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 128 + findings.count * 128)
        writer.beginObject()
        writer.field("at", microseconds: moment?.microseconds)
        writer.field("isRunning", isRunning)
        write(findings, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ findings: [Finding], to writer: inout JSONWriter) {
        writer.field("wrong", findings.count { $0.result == .wrong })
        writer.field("warnings", findings.count { $0.result == .warning })
        writer.name("checks")
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            writer.field("check", finding.check)
            writer.field("result", finding.result.rawValue)
            writer.field("text", finding.text)
            writer.field("advice", finding.advice)
            writer.endObject()
        }
        writer.endArray()
    }
}
