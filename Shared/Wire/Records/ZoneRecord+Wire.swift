import Events
public import JSON
public import Site

extension ZoneRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("name", name)
        writer.translations(names)
        writer.field("kind", kind)
        if let floor { writer.field("floor", floor) }
        if !outline.isEmpty { writer.corners("outline", outline) }
        if !rooms.isEmpty { writer.identifiers("rooms", rooms) }
        writer.endObject()
    }
}

extension ZoneRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(), name: try fields.required("name").text(),
            names: try fields.translations(),
            kind: try fields.required("kind").text(maximumBytes: 256),
            floor: try fields.optional("floor")?.identifier(),
            outline: try fields.elements("outline", corner),
            rooms: try fields.identifiers("rooms"))
    }
}
