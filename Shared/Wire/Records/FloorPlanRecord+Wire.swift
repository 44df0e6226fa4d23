import Events
public import JSON
public import Site

extension FloorPlanRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("floor", floor)
        writer.name("image")
        image.write(to: &writer)
        writer.field("widthPixels", widthPixels)
        writer.field("heightPixels", heightPixels)
        writer.name("alignment")
        alignment.write(to: &writer)
    }
}

extension FloorPlanRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(),
            floor: try fields.required("floor").identifier(),
            image: try fields.required("image", MediaReference.init),
            widthPixels: try fields.required("widthPixels").integer(in: 1...1_000_000),
            heightPixels: try fields.required("heightPixels").integer(in: 1...1_000_000),
            alignment: try fields.required("alignment", PlanAlignment.init))
    }
}

extension PlanAlignment: DocumentRecord {
    /// `{"pairs": …}`, `{"corners": …}`, or `{"x", "y", "metresPerPixel", "bearingDegrees"}`.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .pairs(let pairs): writer.list("pairs", pairs)
        case .corners(let corners): writer.corners("corners", corners)
        case .placed(let x, let y, let metresPerPixel, let bearingDegrees):
            writer.field("x", x)
            writer.field("y", y)
            writer.field("metresPerPixel", metresPerPixel)
            writer.field("bearingDegrees", bearingDegrees)
        }
        writer.endObject()
    }
}

extension PlanAlignment {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        if fields.optional("pairs") != nil {
            self = .pairs(try fields.elements("pairs", PixelPair.init))
        } else if fields.optional("corners") != nil {
            self = .corners(try fields.elements("corners", corner))
        } else {
            self = .placed(
                x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate(),
                metresPerPixel: try fields.required("metresPerPixel").number(in: 1e-6...1e6),
                bearingDegrees: try fields.required("bearingDegrees").number(in: -360...360))
        }
    }
}

extension PixelPair: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("column", column)
        writer.field("row", row)
        writer.field("x", x)
        writer.field("y", y)
        writer.endObject()
    }
}

extension PixelPair {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            column: try fields.required("column").coordinate(),
            row: try fields.required("row").coordinate(),
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
    }
}
