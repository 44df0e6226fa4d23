/// One event of a `text/event-stream`, as it was received.
public struct ReceivedEvent: Hashable, Sendable {
    /// The last id received so far. Send it back as Last-Event-ID.
    public var id: String
    /// The event's name, `message` by default.
    public var event: String
    public var data: String

    public init(id: String, event: String, data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}

/// Parses a `text/event-stream` (WHATWG HTML, section 9.2.6) from bytes that may be cut anywhere.
public struct ServerSentEventParser: Sendable {
    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var id = ""
    private var event = ""
    private var data: [String] = []

    public init() {}

    /// Parses the next bytes and returns the events that they complete.
    public mutating func feed(_ bytes: [UInt8]) -> [ReceivedEvent] {
        var events: [ReceivedEvent] = []
        for byte in bytes {
            // CR LF is one line end, even when the LF comes in the next piece.
            let isSecondHalf = endedWithReturn && byte == 0x0A
            endedWithReturn = byte == 0x0D
            if isSecondHalf { continue }
            if byte == 0x0A || byte == 0x0D {
                if let event = endLine() { events.append(event) }
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> ReceivedEvent? {
        if line.isEmpty { return endEvent() }
        let end = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var value = line[min(end + 1, line.count)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<end], as: UTF8.self) {
        case "id": id = text
        case "event": event = text
        case "data": data.append(text)
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> ReceivedEvent? {
        defer {
            event = ""
            data = []
        }
        guard !data.isEmpty else { return nil }
        return ReceivedEvent(
            id: id, event: event.isEmpty ? "message" : event,
            data: data.joined(separator: "\n"))
    }
}
