import Events
public import JSON
public import Site

extension FloorRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("building", building)
        writer.field("ordinal", ordinal)
        writer.field("level", level)
        writer.translations(names)
        if let heightMetres { writer.field("heightMetres", heightMetres) }
        if !outline.isEmpty { writer.corners("outline", outline) }
        writer.endObject()
    }
}

extension FloorRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(),
            building: try fields.required("building").identifier(),
            ordinal: try fields.required("ordinal").integer(in: -1_000...1_000),
            level: try fields.required("level").text(maximumBytes: 256),
            names: try fields.translations(),
            heightMetres: try fields.optional("heightMetres")?.number(in: -1_000...1_000),
            outline: try fields.elements("outline", corner))
    }
}
