public import Events
public import JSON

extension DeadLettered: WireEvent {
    public static var eventType: EventType { .deadLettered }
    public static var eventTopic: Topic { .deadLetters }

    public var recordKey: [UInt8] { Array(id.utf8) }
    public var eventID: String { id }
    public var eventTime: Timestamp? { at }
    /// Nil: the site of an unreadable record is unknown.
    public var eventSite: SiteID? { nil }

    /// Writes key and value in base64, since they may be any bytes.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("topic", topic)
        writer.field("partition", partition)
        writer.field("offset", offset)
        writer.field("code", code)
        writer.field("detail", detail)
        if let key {
            writer.name("key")
            writer.base64(key)
        }
        if let value {
            writer.name("value")
            writer.base64(value)
        }
        writer.field("at", at)
        if let headers {
            writer.name("headers")
            writer.base64(headers)
        }
        writer.field("consumer", consumer)
        writer.field("appendedAt", appendedAt)
        if isCut { writer.field("isCut", true) }
        if isScreened { writer.field("isScreened", true) }
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            topic: try fields.required("topic").text(),
            partition: try fields.required("partition").integer(in: 0...Int.max),
            offset: Int64(try fields.required("offset").integer(in: 0...Int.max)),
            code: try fields.required("code").text(),
            detail: try fields.required("detail").text(),
            key: try fields.optional("key")?.base64(),
            value: try fields.optional("value")?.base64(), at: try fields.required("at").time(),
            headers: try fields.optional("headers")?.base64(),
            consumer: try fields.optional("consumer")?.text(),
            appendedAt: try fields.optional("appendedAt")?.time(),
            isCut: try fields.optional("isCut")?.bool() ?? false,
            isScreened: try fields.optional("isScreened")?.bool() ?? false)
    }
}

extension DeadLetterPutBack: WireEvent {
    public static var eventType: EventType { .deadLetterPutBack }
    public static var eventTopic: Topic { .deadLetters }

    public var recordKey: [UInt8] { Array(id.utf8) }
    public var eventID: String { "\(id)/\(consumer)" }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { nil }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("topic", topic)
        writer.field("partition", partition)
        writer.field("offset", offset)
        writer.field("consumer", consumer)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            topic: try fields.required("topic").text(),
            partition: try fields.required("partition").integer(in: 0...Int.max),
            offset: Int64(try fields.required("offset").integer(in: 0...Int.max)),
            consumer: try fields.required("consumer").text(),
            at: try fields.required("at").time())
    }
}
