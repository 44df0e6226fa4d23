import Events
public import JSON
public import Site

extension ConnectionRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("kind", kind.rawValue)
        if let name { writer.field("name", name) }
        writer.translations(names)
        writer.list("stops", stops)
        if !line.isEmpty { writer.corners("line", line) }
        if isOneWay { writer.field("oneWay", true) }
        writer.field("accessible", accessible.rawValue)
        if let widthMetres { writer.field("widthMetres", widthMetres) }
        if let slope { writer.field("slope", slope) }
        if let surface { writer.field("surface", surface) }
        if let kerbMetres { writer.field("kerbMetres", kerbMetres) }
        if let isAutomatic { writer.field("automatic", isAutomatic) }
        if let steps { writer.field("steps", steps) }
        if let openingHours { writer.field("openingHours", openingHours) }
        writer.endObject()
    }
}

extension ConnectionStop: DocumentRecord {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let floor { writer.field("floor", floor) }
        if let room { writer.field("room", room) }
        writer.field("x", x)
        writer.field("y", y)
        writer.endObject()
    }
}

extension ConnectionRecord {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            id: try fields.required("id").identifier(), kind: try fields.required("kind").choice(),
            name: try fields.optional("name")?.text(), names: try fields.translations(),
            stops: try fields.elements("stops", ConnectionStop.init),
            line: try fields.elements("line", corner),
            isOneWay: try fields.optional("oneWay")?.bool() ?? false,
            accessible: try fields.optional("accessible")?.choice() ?? .unknown,
            widthMetres: try fields.optional("widthMetres")?.number(),
            slope: try fields.optional("slope")?.number(),
            surface: try fields.optional("surface")?.text(maximumBytes: 256),
            kerbMetres: try fields.optional("kerbMetres")?.number(),
            isAutomatic: try fields.optional("automatic")?.bool(),
            steps: try fields.optional("steps")?.integer(in: 0...100_000),
            openingHours: try fields.optional("openingHours")?.text())
    }
}

extension ConnectionStop {
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            floor: try fields.optional("floor")?.identifier(),
            room: try fields.optional("room")?.identifier(),
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
    }
}
