public import Events
import Geometry
import JSON
public import Wayfinding

/// A place as a route request names it.
public enum PlaceSubmission: Hashable, Sendable {
    case place(RoutePlace)
    /// The point of an earlier position.
    case position(EventID)
    /// The device's last point, if it is at most this many seconds old.
    case device(DeviceID, maximumAgeSeconds: Double?)
}

/// A route request: the body of `POST /v1/routes`, and a part of that of `POST /v1/guidance`.
public struct RouteSubmission: Hashable, Sendable {
    /// Nil stands for the token's site.
    public var site: SiteID?
    /// Nil only for guidance, which then starts at the position.
    public var from: PlaceSubmission?
    /// Empty only for guidance, which then has the rooms around alone.
    public var to: [PlaceSubmission]
    /// Nil for walking.
    public var profile: String?
    public var avoid: [String]
    /// Nil for now.
    public var departAt: Timestamp?
    /// A BCP 47 language tag.
    public var language: String?
    public var alternatives: Int
    /// In metres per second.
    public var walkingSpeed: Double?
    /// Rise over run.
    public var slopeLimit: Double?
    public var neededWidthMetres: Double?
    public var kerbLimitMetres: Double?
    public var liftWaitSeconds: Double?
    /// Whether to use loose ground, which some profiles leave out.
    public var usesSoftSurfaces: Bool?
    /// Whether the answer has the steps for those who can't see as well.
    public var isSpoken = false

    /// The most destinations that a request may name; each may stand for many rooms.
    static let mostNamedDestinations = 32

    private static let destinations = WireFault(
        .fieldOutOfRange, path: "to", "1 to \(mostNamedDestinations) places are expected")

    /// Reads the body of `POST /v1/routes`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try routeObject(root)
            let submission = try RouteSubmission(fields)
            guard submission.from != nil else {
                throw WireFault(.fieldMissing, path: "from", "this field is needed")
            }
            guard !submission.to.isEmpty else { throw Self.destinations }
            return submission
        }
    }

    init(_ fields: FieldReader) throws(WireFault) {
        try self.init(wishes: fields)
        to = try fields.elements("to", place)
        if let value = fields.optional("wording") {
            let wording = try value.text(maximumBytes: 64)
            guard ["written", "spoken"].contains(wording) else {
                throw value.fault(.fieldOutOfRange, "written or spoken is expected")
            }
            isSpoken = wording == "spoken"
        }
        guard to.count <= Self.mostNamedDestinations else { throw Self.destinations }
    }

    /// Reads all members but the destinations.
    init(wishes fields: FieldReader) throws(WireFault) {
        site = try fields.optional("site")?.identifier(.siteMalformed)
        from = try fields.optional("from") == nil ? nil : fields.required("from", place)
        to = []
        profile = try fields.optional("profile")?.text(maximumBytes: 64)
        avoid = try fields.elements("avoid") { (value) throws(WireFault) in
            try value.text(maximumBytes: 64)
        }
        departAt = try fields.optional("departAt")?.time()
        if let value = fields.optional("language") { language = try Self.language(value) }
        alternatives =
            try fields.optional("alternatives")?.integer(in: 0...RouteQuery.mostAlternatives) ?? 0
        walkingSpeed = try fields.optional("walkingSpeed")?.number(in: 0.1...5)
        slopeLimit = try fields.optional("slopeLimit")?.number(in: 0...1)
        neededWidthMetres = try fields.optional("neededWidthMetres")?.number(in: 0...10)
        kerbLimitMetres = try fields.optional("kerbLimitMetres")?.number(in: 0...1)
        liftWaitSeconds = try fields.optional("liftWaitSeconds")?.number(in: 0...3_600)
        usesSoftSurfaces = try fields.optional("softSurfaces")?.bool()
    }

    private static func language(_ value: WireValue) throws(WireFault) -> String {
        let text = try value.text(maximumBytes: 64)
        guard LanguageTag.isOne(text) else {
            throw value.fault(.languageMalformed, "a BCP 47 tag such as cy or de-CH is expected")
        }
        return text
    }
}

/// The traveller's position, and perhaps a destination: the body of `POST /v1/guidance`.
public struct GuidanceSubmission: Hashable, Sendable {
    /// Without `from` the route begins at the position.
    public var route: RouteSubmission
    public var position: PlaceSubmission
    /// In degrees clockwise from true north.
    public var headingDegrees: Double?
    public var headingErrorDegrees: Double?
    public var cardsWithinMetres: Double
    public var mostCards: Int

    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try routeObject(root)
            return try GuidanceSubmission(fields)
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        route = try RouteSubmission(fields)
        position = try fields.required("position", place)
        switch position {
        case .position, .device, .place(.point), .place(.geographic): break
        case .place:
            throw WireFault(
                .placeMalformed, path: "position", "a position, a device or a point is expected")
        }
        headingDegrees = try fields.optional("headingDegrees")?.number(in: -360...360)
        headingErrorDegrees = try fields.optional("headingErrorDegrees")?.number(in: 0...180)
        cardsWithinMetres = try fields.optional("cardsWithinMetres")?.number(in: 0...200) ?? 15
        mostCards = try fields.optional("mostCards")?.integer(in: 0...100) ?? 12
    }
}

func routeObject(_ root: JSONValue) throws(WireFault) -> FieldReader {
    guard let object = root.object else {
        throw WireFault(.notAnObject, "send a route request as an object")
    }
    return FieldReader(object)
}

/// The radius of a point's uncertainty, in metres.
private let radiusRange = 0.0...1_000
/// The age of a device's position that a route may start from, in seconds.
private let ageRange = 0.0...604_800

private func place(_ value: WireValue) throws(WireFault) -> PlaceSubmission {
    let fields = try FieldReader(value)
    if let room = fields.optional("room") { return .place(.room(try room.identifier())) }
    if let location = fields.optional("location") {
        return .place(.location(try location.identifier()))
    }
    if let position = fields.optional("position") { return .position(try position.eventID()) }
    if let device = fields.optional("device") {
        return .device(
            try device.identifier(.deviceMalformed),
            maximumAgeSeconds: try fields.optional("maximumAgeSeconds")?.number(in: ageRange))
    }
    return .place(try routePlace(fields))
}

private func routePlace(_ fields: FieldReader) throws(WireFault) -> RoutePlace {
    if let zone = fields.optional("zone") { return .zone(try zone.identifier()) }
    if let entry = fields.optional("directory") { return .entry(try entry.identifier()) }
    if let kind = fields.optional("kind") {
        return .kind(
            try kind.text(maximumBytes: 64),
            accessible: try fields.optional("accessible")?.bool() ?? false)
    }
    if let entrance = fields.optional("entrance") {
        guard try entrance.bool() else {
            throw entrance.fault(.placeMalformed, "true is expected, or another kind of place")
        }
        return .entrance(try fields.optional("building")?.identifier())
    }
    if let building = fields.optional("building") {
        return .building(try building.identifier())
    }
    return try point(fields)
}

private func point(_ fields: FieldReader) throws(WireFault) -> RoutePlace {
    let radius = try fields.optional("radiusMetres")?.number(in: radiusRange) ?? 0
    if fields.optional("latitude") != nil {
        return .geographic(
            GeographicPoint(
                latitude: try fields.required("latitude").latitude(),
                longitude: try fields.required("longitude").longitude()),
            level: try fields.optional("level")?.text(maximumBytes: 64), radiusMetres: radius)
    }
    guard fields.optional("x") != nil else {
        if let floor = fields.optional("floor") { return .floor(try floor.identifier()) }
        throw WireFault(
            .placeMissing,
            "give a place by room, location, position, device, kind, entrance, building, floor, "
                + "directory, zone, latitude or x")
    }
    return .point(
        floor: try fields.optional("floor")?.identifier(),
        Point(
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate()),
        radiusMetres: radius)
}
