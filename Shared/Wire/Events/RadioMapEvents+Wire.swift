public import Events
public import JSON

extension RadioMapAnnounced: WireEvent {
    public static var eventType: EventType { .radioMapAnnounced }
    public static var eventTopic: Topic { .radioMaps }

    public var recordKey: [UInt8] { RecordKey.bytes(site) }
    public var eventID: String { "\(site.text)/\(version)" }
    public var eventTime: Timestamp? { builtAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("version", version)
        writer.field("hash", hash)
        writer.field("byteCount", byteCount)
        writer.field("siteVersion", siteVersion)
        writer.name("surveyOffsets")
        writer.beginArray()
        for offset in surveyOffsets { writer.integer(offset) }
        writer.endArray()
        writer.field("builderVersion", builderVersion)
        writer.field("builtAt", builtAt)
        writer.field("fingerprints", fingerprints)
        writer.field("accessPoints", accessPoints)
        if !parts.isEmpty {
            writer.array("parts", parts) { part, writer in
                writer.beginObject()
                writer.field("building", part.building)
                writer.field("hash", part.hash)
                writer.field("byteCount", part.byteCount)
                writer.endObject()
            }
        }
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            version: try fields.required("version").integer(in: 1...Int.max),
            hash: try fields.required("hash").text(maximumBytes: 128),
            byteCount: try fields.required("byteCount").integer(in: 0...Int.max),
            siteVersion: try fields.required("siteVersion").integer(in: 0...Int.max),
            surveyOffsets: try fields.required("surveyOffsets").elements(offset),
            builderVersion: try fields.required("builderVersion").text(),
            builtAt: try fields.required("builtAt").time(),
            fingerprints: try fields.required("fingerprints").integer(in: 0...Int.max),
            accessPoints: try fields.required("accessPoints").integer(in: 0...Int.max),
            parts: try fields.elements("parts", part))
    }
}

private func part(_ value: WireValue) throws(WireFault) -> RadioMapAnnounced.Part {
    let fields = try FieldReader(value)
    return RadioMapAnnounced.Part(
        building: try fields.required("building").identifier(),
        hash: try fields.required("hash").text(maximumBytes: 128),
        byteCount: try fields.required("byteCount").integer(in: 0...Int.max))
}

private func offset(_ value: WireValue) throws(WireFault) -> Int64 {
    Int64(try value.integer(in: 0...Int.max))
}

extension PositionerChosen: WireEvent {
    public static var eventType: EventType { .positionerChosen }
    public static var eventTopic: Topic { .radioMaps }

    public var recordKey: [UInt8] { RecordKey.joined(site.text, "positioner") }
    public var eventID: String { "\(site.text)/positioner/\(radioMapVersion)" }
    public var eventTime: Timestamp? { chosenAt }
    public var eventSite: SiteID? { site }

    /// Writes metres with three decimals, shares with six.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("radioMapVersion", radioMapVersion)
        writer.field("hash", hash)
        writer.field("positioner", positioner)
        writer.field("meanErrorMetres", meanErrorMetres, decimals: 3)
        writer.field("floorHit", floorHit, decimals: 6)
        writer.field("chosenAt", chosenAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            radioMapVersion: try fields.required("radioMapVersion").integer(in: 1...Int.max),
            hash: try fields.required("hash").text(maximumBytes: 128),
            positioner: try fields.required("positioner").text(maximumBytes: 4_096),
            meanErrorMetres: try fields.optional("meanErrorMetres")?.number(),
            floorHit: try fields.optional("floorHit")?.number(),
            chosenAt: try fields.required("chosenAt").time())
    }
}

extension FingerprintBuilt: WireEvent {
    public static var eventType: EventType { .fingerprintBuilt }
    public static var eventTopic: Topic { .fingerprints }

    public var recordKey: [UInt8] { RecordKey.joined(site.text, "\(floor.text)/\(place)") }
    public var eventID: String { "\(site.text)/\(floor.text)/\(place)/\(radioMapVersion)" }
    public var eventTime: Timestamp? { nil }
    public var eventSite: SiteID? { site }

    /// Writes metres and dB with three decimals, shares with six.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("place", place)
        writer.field("floor", floor)
        writer.field("room", room)
        writer.field("x", x, decimals: 3)
        writer.field("y", y, decimals: 3)
        writer.field("surveys", surveys)
        writer.name("readings")
        writer.beginArray()
        for reading in readings {
            writer.beginObject()
            writer.field("accessPoint", reading.accessPoint)
            writer.field("mean", reading.mean, decimals: 3)
            writer.field("deviation", reading.deviation, decimals: 3)
            writer.field("detection", reading.detection, decimals: 6)
            writer.endObject()
        }
        writer.endArray()
        writer.field("radioMapVersion", radioMapVersion)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            place: try fields.required("place").text(),
            floor: try fields.required("floor").identifier(),
            room: try fields.optional("room")?.identifier(),
            x: try fields.required("x").number(), y: try fields.required("y").number(),
            surveys: try fields.required("surveys").integer(in: 0...Int.max),
            readings: try fields.required("readings").elements(statistic),
            radioMapVersion: try fields.required("radioMapVersion").integer(in: 1...Int.max))
    }
}

private func statistic(_ value: WireValue) throws(WireFault) -> FingerprintBuilt.Statistic {
    let fields = try FieldReader(value)
    return FingerprintBuilt.Statistic(
        accessPoint: try fields.required("accessPoint").text(),
        mean: try fields.required("mean").number(),
        deviation: try fields.required("deviation").number(),
        detection: try fields.required("detection").number())
}
