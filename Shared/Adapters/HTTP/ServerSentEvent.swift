/// One event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The id that the client sends back as Last-Event-ID. It must not contain line breaks or NUL.
    public var id: String?
    /// The event's type. Nil means `message`.
    public var event: String?
    /// UTF-8 text. Its line breaks are kept.
    public var data: [UInt8]

    public init(id: String? = nil, event: String? = nil, data: [UInt8]) {
        self.id = id
        self.event = event
        self.data = data
    }

    /// The event's bytes for the stream, with the empty line at the end. Line breaks in `id` and
    /// `event` could forge other fields, so they are removed.
    public func encoded() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(data.count + (id?.utf8.count ?? 0) + (event?.utf8.count ?? 0) + 64)
        if let id { Self.append("id: ", id.utf8.filter(Self.isInline), to: &text) }
        if let event { Self.append("event: ", event.utf8.filter(Self.isInline), to: &text) }
        var lineStart = 0
        var index = 0
        while index < data.count {
            let byte = data[index]
            if byte == 0x0A || byte == 0x0D {
                Self.append("data: ", data[lineStart..<index], to: &text)
                let isPair = byte == 0x0D && index + 1 < data.count && data[index + 1] == 0x0A
                if isPair { index += 1 }
                lineStart = index + 1
            }
            index += 1
        }
        Self.append("data: ", data[lineStart...], to: &text)
        text.append(0x0A)
        return text
    }

    private static func isInline(_ byte: UInt8) -> Bool {
        byte != 0x0A && byte != 0x0D && byte != 0
    }

    private static func append(
        _ name: String, _ value: some Collection<UInt8>, to text: inout [UInt8]
    ) {
        text += name.utf8
        text += value
        text.append(0x0A)
    }
}
