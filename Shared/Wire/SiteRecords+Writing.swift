public import Events
public import JSON

/// A part of a site, or of a document of beacons, that is written as one JSON object.
protocol DocumentRecord {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    mutating func list(_ name: StaticString, _ records: [some DocumentRecord]) {
        self.name(name)
        beginArray()
        for record in records { record.write(to: &self) }
        endArray()
    }
}

extension JSONWriter {
    /// Points, [x, y] each.
    mutating func corners(_ name: StaticString, _ corners: [[Double]]) {
        self.name(name)
        beginArray()
        for corner in corners {
            beginArray()
            for coordinate in corner { number(coordinate) }
            endArray()
        }
        endArray()
    }
}

extension BuildingRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("name", name)
        writer.translations(names)
        writer.field("timeZone", timeZone)
        writer.endObject()
    }
}

extension FloorRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("building", building)
        writer.field("ordinal", ordinal)
        writer.field("level", level)
        writer.translations(names)
        if let heightMetres { writer.field("heightMetres", heightMetres) }
        writer.endObject()
    }
}

extension RoomRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("floor", floor)
        writer.field("name", name)
        writer.translations(names)
        writer.field("kind", kind)
        writer.corners("outline", outline)
        writer.endObject()
    }
}

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

extension LocationRecord: DocumentRecord {
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("floor", floor)
        writer.field("room", room)
        writer.field("x", x)
        writer.field("y", y)
        writer.endObject()
    }
}
