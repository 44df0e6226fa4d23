import Events
public import JSON
public import Site

extension LocationRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        if let name { writer.field("name", name) }
        writer.translations(names)
        writer.field("floor", floor)
        writer.field("room", room)
        writer.field("x", x)
        writer.field("y", y)
        writer.endObject()
    }
}

extension LocationRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(), name: try fields.optional("name")?.text(),
            names: try fields.translations(), floor: try fields.required("floor").identifier(),
            room: try fields.optional("room")?.identifier(),
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
    }
}
