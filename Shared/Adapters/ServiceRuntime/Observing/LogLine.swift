import Glibc

/// One log line before it is written.
public struct LogLine {
    let microseconds: Int64
    let level: LogLevel
    let service: String
    let message: String
    let fields: [(key: String, value: LogValue)]

    public init(
        microseconds: Int64, level: LogLevel, service: String, message: String,
        fields: [(key: String, value: LogValue)]
    ) {
        self.microseconds = microseconds
        self.level = level
        self.service = service
        self.message = message
        self.fields = fields
    }

    /// `{"time","level","service","message",fields…}` and a line break.
    public var json: String {
        var text =
            "{\"time\":\"\(Self.time(microseconds))\",\"level\":\"\(level.name)\",\"service\":"
        LogJSON.append(service, to: &text)
        text += ",\"message\":"
        LogJSON.append(message, to: &text)
        if !fields.isEmpty {
            text += ",\"fields\":{"
            for (index, field) in fields.enumerated() {
                if index > 0 { text += "," }
                LogJSON.append(field.key, to: &text)
                text += ":"
                Self.append(field.value, to: &text)
            }
            text += "}"
        }
        return text + "}\n"
    }

    /// `08:00:00.000 warning locator: message  key=value …` and a line break.
    var human: String {
        var text = "\(Self.time(microseconds).dropFirst(11).dropLast()) \(level.name) "
        text += "\(Self.plain(service)): \(Self.plain(message))"
        for field in fields {
            text += "  \(Self.plain(field.key))="
            Self.append(field.value, to: &text)
        }
        return text + "\n"
    }

    private static func append(_ value: LogValue, to text: inout String) {
        switch value {
        case .text(let content): LogJSON.append(content, to: &text)
        case .integer(let number): text += "\(number)"
        // JSON has no infinities.
        case .number(let number): text += number.isFinite ? "\(number)" : "null"
        case .flag(let flag): text += "\(flag)"
        }
    }

    /// The text with visible escapes for characters that could start a new line or control the
    /// terminal.
    private static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: LogJSON.isUnsafeOnATerminal) else {
            return text
        }
        var quoted = ""
        LogJSON.append(text, to: &quoted)
        return String(quoted.dropFirst().dropLast())
    }

    /// RFC 3339 in UTC with milliseconds.
    static func time(_ microseconds: Int64) -> String {
        let milliseconds = microseconds >= 0 ? microseconds / 1_000 : (microseconds - 999) / 1_000
        let remainder = ((milliseconds % 1_000) + 1_000) % 1_000
        var seconds = time_t((milliseconds - remainder) / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date =
            "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(Int(parts.tm_mon) + 1, 2))-"
            + padded(Int(parts.tm_mday), 2)
        let clock =
            "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):"
            + padded(Int(parts.tm_sec), 2)
        return "\(date)T\(clock).\(padded(Int(remainder), 3))Z"
    }
}
