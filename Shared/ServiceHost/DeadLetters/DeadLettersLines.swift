import EventLog
public import Events
import JSON

/// Dead letters as JSON objects: the lines that `whereabouts dead-letters` prints, and what HTTP
/// answers.
public enum DeadLettersLines {
    /// The line of one letter that was put back, or was refused.
    public static func outcome(
        id: String, consumer: String, _ outcome: Host.PutBackOutcome
    ) -> String {
        var line = JSONWriter()
        write(id: id, consumer: consumer, outcome, to: &line)
        return line.finishText()
    }

    /// The outcomes of all letters of one record, as HTTP answers them.
    public static func answer(
        _ outcomes: [(consumer: String, outcome: Host.PutBackOutcome)], of id: String
    ) -> [UInt8] {
        var answer = JSONWriter()
        answer.beginObject()
        answer.name("outcomes")
        answer.beginArray()
        for (consumer, outcome) in outcomes {
            write(id: id, consumer: consumer, outcome, to: &answer)
        }
        answer.endArray()
        answer.endObject()
        return answer.finish()
    }

    private static func write(
        id: String, consumer: String, _ outcome: Host.PutBackOutcome, to line: inout JSONWriter
    ) {
        line.beginObject()
        line.field("id", id)
        line.field("consumer", consumer)
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
    }

    /// The last line that `list` prints: the number of letters.
    public static func count(_ letters: Int) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("letters", letters)
        line.endObject()
        return line.finishText()
    }

    /// The line of one letter that `list` or `show` prints.
    ///
    /// - Parameter isWhole: adds the record's headers, key and value.
    public static func letter(
        _ letter: DeadLettered, putBackAt: Timestamp?, isWhole: Bool
    ) -> String {
        var line = JSONWriter()
        write(letter, putBackAt: putBackAt, to: &line) { line in
            if isWhole { record(of: letter, mostBytes: .max, &line) }
        }
        return line.finishText()
    }

    /// All letters of one record with the record itself, as HTTP answers them.
    ///
    /// - Parameter mostBytes: the most bytes of a key, a value or a header that are shown.
    public static func answer(
        _ letters: [(letter: DeadLettered, site: SiteID?, putBackAt: Timestamp?)], mostBytes: Int
    ) -> [UInt8] {
        var answer = JSONWriter()
        answer.beginObject()
        answer.name("letters")
        answer.beginArray()
        for one in letters {
            write(one.letter, putBackAt: one.putBackAt, to: &answer) { answer in
                answer.field("site", one.site?.text)
                record(of: one.letter, mostBytes: mostBytes, &answer)
            }
        }
        answer.endArray()
        answer.endObject()
        return answer.finish()
    }

    private static func write(
        _ letter: DeadLettered, putBackAt: Timestamp?, to line: inout JSONWriter,
        rest: (inout JSONWriter) -> Void
    ) {
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
        rest(&line)
        line.endObject()
    }

    /// Headers that hold a secret, or a proof that is good for an hour.
    private static let unshown: Set = ["authorization", "put-back-proof"]

    private static func record(
        of letter: DeadLettered, mostBytes: Int, _ line: inout JSONWriter
    ) {
        line.field("appendedAt", microseconds: letter.appendedAt?.microseconds)
        if let headers = letter.headers.flatMap({ LogHeaders(encoded: $0) }) {
            line.name("headers")
            line.beginObject()
            var known: Set<String> = []
            headers.forEach({ name, bytes in
                let name = String(decoding: name, as: UTF8.self)
                // If two headers have one name, readers use the first; so does this line.
                guard known.insert(name).inserted else { return }
                if unshown.contains(name) {
                    // Older producers sent their tokens in a header: never print one.
                    line.name(name)
                    line.string("not shown")
                } else {
                    member(name, Array(bytes.prefix(mostBytes)), &line)
                }
            })
            line.endObject()
        }
        line.field("key", String(decoding: (letter.key ?? []).prefix(mostBytes), as: UTF8.self))
        guard let value = letter.value else { return }
        guard value.count > mostBytes else { return member("value", value, &line) }
        line.field("isShortened", true)
        // Text is cut between its characters.
        var end = mostBytes
        while end > 0, value[end] & 0xC0 == 0x80 { end -= 1 }
        member("value", Array(value.prefix(end)), &line)
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
