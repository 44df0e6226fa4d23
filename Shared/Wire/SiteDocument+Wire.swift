public import Events
public import JSON

/// A site as a document: the body of an import and the heart of `SitePublished`.
///
/// Only the shape is checked here: what refers to what is for the domain to judge.
extension SiteDocument {
    /// Reads a document from the body of a request. Faults name the field, such as
    /// `rooms[3].outline[2]`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a site is an object")
            }
            return try SiteDocument(reading: object)
        }
    }

    /// The document as one JSON object.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 65_536)
        write(to: &writer)
        return writer.finish()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        let origin = try FieldReader(try fields.required("origin"))
        let latitude: Double
        let longitude: Double
        do throws(WireFault) {
            latitude = try origin.required("latitude").latitude()
            longitude = try origin.required("longitude").longitude()
        } catch {
            throw error.inside("origin")
        }
        self.init(
            name: try fields.required("name").text(), names: try fields.translations(),
            originLatitude: latitude, originLongitude: longitude,
            bearingDegrees: try fields.required("bearingDegrees").number(in: -360...360),
            buildings: try fields.elements("buildings", building),
            floors: try fields.elements("floors", floor),
            rooms: try fields.elements("rooms", room),
            locations: try fields.elements("locations", location),
            connections: try fields.elements("connections", connection))
        if let rules = fields.optional("accessPoints") {
            accessPoints = try AccessPointRules(reading: rules)
            accessPointPlaces = try FieldReader(rules).elements("places", accessPointPlace)
        }
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.translations(names)
        writer.name("origin")
        writer.beginObject()
        writer.field("latitude", originLatitude)
        writer.field("longitude", originLongitude)
        writer.endObject()
        writer.field("bearingDegrees", bearingDegrees)
        writer.list("buildings", buildings)
        writer.list("floors", floors)
        writer.list("rooms", rooms)
        writer.list("locations", locations)
        if !connections.isEmpty { writer.list("connections", connections) }
        if !accessPoints.isEmpty || !accessPointPlaces.isEmpty {
            writer.name("accessPoints")
            writer.beginObject()
            accessPoints.writeMembers(to: &writer)
            if !accessPointPlaces.isEmpty { writer.list("places", accessPointPlaces) }
            writer.endObject()
        }
        writer.endObject()
    }
}

private func accessPointPlace(_ value: WireValue) throws(WireFault) -> AccessPointPlace {
    let fields = try FieldReader(value)
    return AccessPointPlace(
        address: try fields.required("address").address(.bssidMalformed),
        floor: try fields.required("floor").identifier(),
        x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
}

private func building(_ value: WireValue) throws(WireFault) -> BuildingRecord {
    let fields = try FieldReader(value)
    return BuildingRecord(
        id: try fields.required("id").identifier(), name: try fields.required("name").text(),
        names: try fields.translations(),
        timeZone: try fields.required("timeZone").text(maximumBytes: 64))
}

private func floor(_ value: WireValue) throws(WireFault) -> FloorRecord {
    let fields = try FieldReader(value)
    return FloorRecord(
        id: try fields.required("id").identifier(),
        building: try fields.required("building").identifier(),
        ordinal: try fields.required("ordinal").integer(in: -1_000...1_000),
        level: try fields.required("level").text(maximumBytes: 256),
        names: try fields.translations(),
        heightMetres: try fields.optional("heightMetres")?.number(in: -1_000...1_000))
}

private func room(_ value: WireValue) throws(WireFault) -> RoomRecord {
    let fields = try FieldReader(value)
    return RoomRecord(
        id: try fields.required("id").identifier(),
        floor: try fields.required("floor").identifier(),
        name: try fields.required("name").text(), names: try fields.translations(),
        kind: try fields.required("kind").text(maximumBytes: 256),
        outline: try fields.elements("outline", corner))
}

func corner(_ value: WireValue) throws(WireFault) -> [Double] {
    let corner = try value.elements(coordinate)
    guard corner.count == 2 else {
        throw value.fault(.fieldOutOfRange, "a corner is two numbers: x and y")
    }
    return corner
}

private func coordinate(_ value: WireValue) throws(WireFault) -> Double {
    try value.coordinate()
}

private func location(_ value: WireValue) throws(WireFault) -> LocationRecord {
    let fields = try FieldReader(value)
    return LocationRecord(
        id: try fields.required("id").identifier(),
        floor: try fields.required("floor").identifier(),
        room: try fields.optional("room")?.identifier(),
        x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
}
