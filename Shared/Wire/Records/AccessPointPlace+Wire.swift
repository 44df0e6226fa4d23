import Events
public import JSON
public import Site

extension AccessPointPlace: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("address", address)
        writer.field("floor", floor)
        writer.field("x", x)
        writer.field("y", y)
        writer.endObject()
    }
}

extension AccessPointPlace {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            address: try fields.required("address").address(.bssidMalformed),
            floor: try fields.required("floor").identifier(),
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
    }
}
