import Events
public import JSON
public import Site

/// A site as a document: the body of an import, and the main part of `SitePublished`.
///
/// Only the shape is checked here; the domain checks the references.
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
        var fields = FieldReader(object)
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
            name: try fields.required("name").text(), originLatitude: latitude,
            originLongitude: longitude,
            bearingDegrees: try fields.required("bearingDegrees").number(in: -360...360))
        try fields.optional("names", &names)
        try fields.optional("attribution", &attribution)
        try fields.optional("outline", &outline)
        for type in RecordKind.objects { try read(type, fields) }
        try fields.optional("surveyDiscards", &surveyDiscards)
        if let rules = fields.optional("accessPoints") {
            accessPoints = try AccessPointRules(reading: rules)
        }
        try fields.optional("audience", &audience)
        try fields.optional("linkSecret", &linkSecret, .bytes(256))
        if fields.optional("borrows") != nil {
            borrows = try fields.required("borrows") { (value) throws(WireFault) in
                try Borrowing(reading: value)
            }
        }
    }

    private mutating func read<Record: SiteRecordObject>(
        _: Record.Type, _ fields: FieldReader
    ) throws(WireFault) {
        var (fields, list) = (fields, Record.kind.list)
        if let nested = Record.kind.nested {
            guard let outer = fields.optional(nested.member) else { return }
            (fields, list) = (try FieldReader(outer), nested.list)
        }
        try fields.optional(list, &self[keyPath: Record.records])
    }

    public func write(to writer: inout JSONWriter) {
        var copy = self
        writer.beginObject()
        writer.field("name", name)
        writer.optional("names", &copy.names)
        writer.optional("attribution", &copy.attribution)
        writer.name("origin")
        writer.beginObject()
        writer.field("latitude", originLatitude)
        writer.field("longitude", originLongitude)
        writer.endObject()
        writer.field("bearingDegrees", bearingDegrees)
        writer.optional("outline", &copy.outline)
        for type in RecordKind.objects where type.kind.nested == nil {
            copy.writeList(type, type.kind.list, to: &writer)
        }
        writer.optional("surveyDiscards", &copy.surveyDiscards)
        if !accessPoints.isEmpty || !accessPointPlaces.isEmpty {
            writer.name("accessPoints")
            writer.beginObject()
            accessPoints.writeMembers(to: &writer)
            writer.optional("places", &copy.accessPointPlaces)
            writer.endObject()
        }
        borrows?.write(to: &writer)
        writer.optional("audience", &copy.audience)
        writer.optional("linkSecret", &copy.linkSecret)
        writer.endObject()
    }

    private mutating func writeList<Record: SiteRecordObject>(
        _: Record.Type, _ name: StaticString, to writer: inout JSONWriter
    ) {
        if Record.isListedWhenEmpty {
            writer.always(name, &self[keyPath: Record.records])
        } else {
            writer.optional(name, &self[keyPath: Record.records])
        }
    }
}

extension Borrowing {
    fileprivate init(reading value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            from: try fields.required("site").identifier(.siteMalformed),
            since: try fields.required("since").time())
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.name("borrows")
        writer.beginObject()
        writer.field("site", site)
        writer.field("since", since)
        writer.endObject()
    }
}
