import Events
public import JSON
public import Site

extension SurveyDiscard: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("floor", floor)
        if !outline.isEmpty { writer.corners("outline", outline) }
        if !holes.isEmpty { writer.rings("holes", holes) }
        if !locations.isEmpty { writer.identifiers("locations", locations) }
        writer.field("before", before)
        writer.endObject()
    }
}

extension SurveyDiscard {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            floor: try fields.required("floor").identifier(),
            outline: try fields.elements("outline", corner),
            holes: try fields.elements("holes", ring),
            locations: try fields.identifiers("locations"),
            before: try fields.required("before").time())
    }
}
