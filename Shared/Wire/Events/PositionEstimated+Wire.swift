public import Events
public import JSON

extension PositionEstimated: WireEvent {
    public static var eventType: EventType { .positionEstimated }
    public static var eventTopic: Topic { .positions }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { id.description }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    /// Writes metres with three decimals, degrees with one, probabilities and covariances with six.
    /// Unknown values are left out.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("scanId", scan)
        writer.field("at", at)
        writer.field("locatedAt", locatedAt)
        writer.field("device", device)
        writer.field("site", site)
        writer.field("siteVersion", siteVersion)
        writer.field("building", building)
        writer.field("floor", floor)
        writer.field("room", room)
        writer.name("rooms")
        rooms.write(to: &writer)
        writer.field("x", x, decimals: 3)
        writer.field("y", y, decimals: 3)
        writer.field("latitude", latitude, decimals: 9)
        writer.field("longitude", longitude, decimals: 9)
        if let covariance {
            writer.name("covariance")
            writer.beginArray()
            for entry in covariance { writer.number(entry, decimals: 6) }
            writer.endArray()
        }
        writer.field("radius68", radius68, decimals: 3)
        writer.field("radius95", radius95, decimals: 3)
        if let motion { writer.field("motion", motion.rawValue) }
        writer.field("state", state.rawValue)
        writer.field("late", late)
        writer.field("positioner", positioner)
        writer.field("radioMapVersion", radioMapVersion)
        writer.field("choiceVersion", choiceVersion)
        if let lostBecause { writer.field("lostBecause", lostBecause.rawValue) }
        if let area { writer.field("area", area.rawValue) }
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            id: try fields.required("id").eventID(), scan: try fields.required("scanId").eventID(),
            at: try fields.required("at").time(),
            locatedAt: try fields.required("locatedAt").time(),
            device: try fields.required("device").identifier(.deviceMalformed),
            site: try fields.required("site").identifier(.siteMalformed),
            siteVersion: try fields.required("siteVersion").integer(in: 0...Int.max),
            state: try fields.required("state").choice(),
            late: try fields.required("late").bool(),
            positioner: try fields.required("positioner").text(),
            radioMapVersion: try fields.optional("radioMapVersion")?.integer(in: 0...Int.max))
        building = try fields.optional("building")?.identifier()
        floor = try fields.optional("floor")?.identifier()
        room = try fields.optional("room")?.identifier()
        rooms = try fields.elements("rooms", roomProbability)
        x = try fields.optional("x")?.number()
        y = try fields.optional("y")?.number()
        latitude = try fields.optional("latitude")?.number()
        longitude = try fields.optional("longitude")?.number()
        covariance = try fields.optional("covariance")?.elements(number)
        radius68 = try fields.optional("radius68")?.number()
        radius95 = try fields.optional("radius95")?.number()
        motion = try fields.optional("motion")?.choice()
        choiceVersion = try fields.optional("choiceVersion")?.integer(in: 1...Int.max)
        lostBecause = try fields.optional("lostBecause")?.choice()
        area = try fields.optional("area")?.choice()
    }
}

private func roomProbability(
    _ value: WireValue
) throws(WireFault) -> PositionEstimated.RoomProbability {
    let fields = try FieldReader(value)
    return PositionEstimated.RoomProbability(
        id: try fields.required("id").identifier(),
        probability: try fields.required("probability").number())
}

private func number(_ value: WireValue) throws(WireFault) -> Double { try value.number() }
