public import Events
public import JSON

extension MagneticRouteRecorded: WireEvent {
    public static var eventType: EventType { .magneticRouteRecorded }
    public static var eventTopic: Topic { .magneticRoutes }

    public var recordKey: [UInt8] { RecordKey.bytes(site, route) }
    public var eventID: String { "\(site.text)/\(route.text)/\(version)" }
    public var eventTime: Timestamp? { recordedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("route", route)
        writer.field("version", version)
        writer.field("floor", floor)
        writer.field("polyline", polyline)
        writer.members(walk)
        writer.field("recordedAt", recordedAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            route: try fields.required("route").identifier(),
            version: try fields.required("version").integer(in: 1...Int.max),
            floor: try fields.required("floor").identifier(),
            polyline: try magneticPolyline(fields), walk: try MagneticWalk(fields),
            recordedAt: try fields.required("recordedAt").time())
    }
}

extension MagneticRouteValidated: WireEvent {
    public static var eventType: EventType { .magneticRouteValidated }
    public static var eventTopic: Topic { .magneticRoutes }

    public var recordKey: [UInt8] { RecordKey.bytes(site, route) }
    public var eventID: String { "\(site.text)/\(route.text)/\(version)" }
    public var eventTime: Timestamp? { validatedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("route", route)
        writer.field("version", version)
        writer.field("recording", recording)
        writer.members(walk)
        writeMeasures(to: &writer)
        if let recorded {
            writer.name("recorded")
            recorded.write(to: &writer)
        }
        writer.endObject()
    }

    /// Writes the results without the walk; the event and an answer share these members.
    func writeMeasures(to writer: inout JSONWriter) {
        writer.field("direction", direction.rawValue)
        writer.field("meanMetres", meanMetres, decimals: 3)
        writer.field("percentile95Metres", percentile95Metres, decimals: 3)
        writer.field("elsewhere", elsewhere, decimals: 6)
        writer.field("isReliable", isReliable)
        if let doubt { writer.field("doubt", doubt, decimals: 3) }
        writer.field("validatedAt", validatedAt)
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            route: try fields.required("route").identifier(),
            version: try fields.required("version").integer(in: 1...Int.max),
            recording: try fields.required("recording").integer(in: 1...Int.max),
            walk: try MagneticWalk(fields), direction: try fields.required("direction").choice(),
            meanMetres: try fields.required("meanMetres").number(),
            percentile95Metres: try fields.required("percentile95Metres").number(),
            elsewhere: try fields.required("elsewhere").number(),
            isReliable: try fields.required("isReliable").bool(),
            validatedAt: try fields.required("validatedAt").time(),
            recorded: try fields.optional("recorded").map { (value) throws(WireFault) in
                try MagneticRouteRecorded(reading: try FieldReader(value).object)
            },
            doubt: try fields.optional("doubt")?.number())
    }
}

extension MagneticRouteDeleted: WireEvent {
    public static var eventType: EventType { .magneticRouteDeleted }
    public static var eventTopic: Topic { .magneticRoutes }

    public var recordKey: [UInt8] { RecordKey.bytes(site, route) }
    public var eventID: String { "\(site.text)/\(route.text)/\(version)" }
    public var eventTime: Timestamp? { deletedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("route", route)
        writer.field("version", version)
        writer.field("deletedAt", deletedAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            route: try fields.required("route").identifier(),
            version: try fields.required("version").integer(in: 1...Int.max),
            deletedAt: try fields.required("deletedAt").time())
    }
}
