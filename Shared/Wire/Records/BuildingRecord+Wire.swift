import Events
public import JSON
public import Site

extension BuildingRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("name", name)
        writer.translations(names)
        writer.field("timeZone", timeZone)
        if !outline.isEmpty { writer.corners("outline", outline) }
        if let address { writer.field("address", address) }
        writer.endObject()
    }
}

extension BuildingRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(), name: try fields.required("name").text(),
            names: try fields.translations(),
            timeZone: try fields.required("timeZone").text(maximumBytes: 64),
            outline: try fields.elements("outline", corner),
            address: try fields.optional("address")?.text())
    }
}
