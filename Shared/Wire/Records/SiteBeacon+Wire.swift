import Events
public import JSON
public import Site

extension SiteBeacon: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        if let name { writer.field("name", name) }
        writer.field("floor", floor)
        writer.field("x", x)
        writer.field("y", y)
        if let uuid { writer.field("uuid", uuid.description) }
        if let major { writer.field("major", major) }
        if let minor { writer.field("minor", minor) }
        if let address { writer.field("address", address) }
        if let txPower { writer.field("txPower", txPower) }
        writer.endObject()
    }
}

extension SiteBeacon {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(), name: try fields.optional("name")?.text(),
            floor: try fields.required("floor").identifier(),
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate(),
            uuid: try fields.optional("uuid")?.eventID(.uuidMalformed),
            major: try fields.optional("major")?.integer(in: 0...65_535),
            minor: try fields.optional("minor")?.integer(in: 0...65_535),
            address: try fields.optional("address")?.address(.addressMalformed),
            txPower: try fields.optional("txPower")?.integer(in: -128...127))
    }
}
