import Events
public import JSON
public import Site

extension RoomRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("floor", floor)
        writer.field("name", name)
        writer.translations(names)
        writer.field("kind", kind)
        writer.corners("outline", outline)
        if !holes.isEmpty { writer.rings("holes", holes) }
        if accessible != .unknown { writer.field("accessible", accessible.rawValue) }
        if isRestricted { writer.field("restricted", true) }
        if let openingHours { writer.field("openingHours", openingHours) }
        writer.endObject()
    }
}

extension RoomRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(),
            floor: try fields.required("floor").identifier(),
            name: try fields.required("name").text(), names: try fields.translations(),
            kind: try fields.required("kind").text(maximumBytes: 256),
            outline: try fields.elements("outline", corner),
            holes: try fields.elements("holes", ring),
            accessible: try fields.optional("accessible")?.choice() ?? .unknown,
            isRestricted: try fields.optional("restricted")?.bool() ?? false,
            openingHours: try fields.optional("openingHours")?.text())
    }
}
