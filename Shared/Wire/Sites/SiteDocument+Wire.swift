import Events
public import JSON
public import Site

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
            attribution: try fields.optional("attribution")?.text(), originLatitude: latitude,
            originLongitude: longitude,
            bearingDegrees: try fields.required("bearingDegrees").number(in: -360...360),
            outline: try fields.elements("outline", corner),
            buildings: try fields.elements("buildings", BuildingRecord.init),
            floors: try fields.elements("floors", FloorRecord.init),
            floorPlans: try fields.elements("floorPlans", FloorPlanRecord.init),
            rooms: try fields.elements("rooms", RoomRecord.init),
            locations: try fields.elements("locations", LocationRecord.init),
            connections: try fields.elements("connections", ConnectionRecord.init),
            zones: try fields.elements("zones", ZoneRecord.init),
            beacons: try fields.elements("beacons", SiteBeacon.init),
            contents: try fields.elements("contents", ContentRecord.init),
            directory: try fields.elements("directory", DirectoryEntry.init),
            surveyDiscards: try fields.elements("surveyDiscards", SurveyDiscard.init))
        if let rules = fields.optional("accessPoints") {
            accessPoints = try AccessPointRules(reading: rules)
            accessPointPlaces = try FieldReader(rules).elements(
                "places", AccessPointPlace.init)
        }
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("name", name)
        writer.translations(names)
        if let attribution { writer.field("attribution", attribution) }
        writer.name("origin")
        writer.beginObject()
        writer.field("latitude", originLatitude)
        writer.field("longitude", originLongitude)
        writer.endObject()
        writer.field("bearingDegrees", bearingDegrees)
        if !outline.isEmpty { writer.corners("outline", outline) }
        writer.list("buildings", buildings)
        writer.list("floors", floors)
        writer.listUnlessEmpty("floorPlans", floorPlans)
        writer.list("rooms", rooms)
        writer.list("locations", locations)
        writer.listUnlessEmpty("connections", connections)
        writer.listUnlessEmpty("zones", zones)
        writer.listUnlessEmpty("beacons", beacons)
        writer.listUnlessEmpty("contents", contents)
        writer.listUnlessEmpty("directory", directory)
        writer.listUnlessEmpty("surveyDiscards", surveyDiscards)
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
