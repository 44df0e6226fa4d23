import EventLog
import Events
import JSON
import ServiceHost

/// The lines that `whereabouts dead-letters` prints, each one JSON object.
enum DeadLettersLines {
    /// The line of one letter that `apply` worked on.
    static func outcome(_ place: LetterBox.Place, _ outcome: Host.PutBackOutcome) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("id", place.id)
        line.field("consumer", place.consumer)
        switch outcome {
        case .putBack: line.field("outcome", "put-back")
        case .notMissing: line.field("outcome", "not-missing")
        case .notWhole: line.field("outcome", "not-whole")
        case .refused(let code, let detail):
            line.field("outcome", "refused")
            line.field("code", code)
            line.field("detail", detail)
        }
        line.endObject()
        return line.finishText()
    }

    /// The last line that `list` prints: the number of letters.
    static func count(_ letters: Int) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("letters", letters)
        line.endObject()
        return line.finishText()
    }

    /// The line of one letter that `list` or `show` prints.
    ///
    /// - Parameter isWhole: adds the record's headers, key and value.
    static func letter(_ letter: DeadLettered, putBackAt: Timestamp?, isWhole: Bool) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("id", letter.id)
        line.field("consumer", letter.consumer)
        line.field("code", letter.code)
        line.field("detail", letter.detail)
        line.field("at", microseconds: letter.at.microseconds)
        line.field("putBackAt", microseconds: putBackAt?.microseconds)
        line.field("wasPutBack", letter.wasPutBack)
        line.field("bytes", letter.value?.count ?? 0)
        line.field("isWhole", letter.stored != nil)
        if isWhole { record(of: letter, &line) }
        line.endObject()
        return line.finishText()
    }

    private static func record(of letter: DeadLettered, _ line: inout JSONWriter) {
        line.field("appendedAt", microseconds: letter.appendedAt?.microseconds)
        if let headers = letter.headers.flatMap({ LogHeaders(encoded: $0) }) {
            line.name("headers")
            line.beginObject()
            var known: Set<String> = []
            headers.forEach({ name, bytes in
                let name = String(decoding: name, as: UTF8.self)
                // If two headers have one name, readers use the first; so does this line.
                guard known.insert(name).inserted else { return }
                if name == "authorization" {
                    // Older producers sent their tokens in this header: never print one.
                    line.name(name)
                    line.string("not shown")
                } else {
                    member(name, Array(bytes), &line)
                }
            })
            line.endObject()
        }
        line.field("key", String(decoding: letter.key ?? [], as: UTF8.self))
        if let value = letter.value { member("value", value, &line) }
    }

    /// Writes the bytes as text, or in base64 under the name with the suffix `Base64`.
    private static func member(_ name: String, _ bytes: [UInt8], _ line: inout JSONWriter) {
        if let text = String(validating: bytes, as: UTF8.self) {
            line.name(name)
            line.string(text)
        } else {
            line.name(name + "Base64")
            line.base64(bytes)
        }
    }
}
