import Events
public import JSON
public import Site

extension MediaReference: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("hash", hash)
        writer.field("type", type)
        writer.field("bytes", bytes)
        writer.endObject()
    }
}

extension MediaReference {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            hash: try fields.required("hash").text(maximumBytes: 64),
            type: try fields.required("type").text(maximumBytes: 128),
            bytes: try fields.required("bytes").integer(in: 0...Int.max))
    }
}
