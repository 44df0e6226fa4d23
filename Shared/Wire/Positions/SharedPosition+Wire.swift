public import Events
import Geometry
internal import JSON
public import Privacy
public import Site

/// The body of `PUT /v1/sites/{site}/shared-position`: where the person is now.
public struct SharedPositionSubmission: Sendable {
    /// The secret of the link, which the server does not have.
    public let secret: String
    public var floor: FloorID? { position.floor }
    private var position: SharedPosition
    private let ageSeconds: Double

    private static let known: Set = [
        "secret", "state", "floor", "latitude", "longitude", "radiusMetres", "ageSeconds", "area",
    ]
    /// A share lasts an hour, so nothing in it is older.
    private static let mostSeconds = 3_600.0

    /// Reads `{"secret", "state", "floor"?, "latitude"?, "longitude"?, "radiusMetres"?,
    /// "ageSeconds"?, "area"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a shared position is an object")
            }
            try object.checkMembers(Self.known)
            return try Self(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        secret = try fields.required("secret").text(maximumBytes: 64)
        ageSeconds = try fields.optional("ageSeconds")?.number(in: 0...Self.mostSeconds) ?? 0
        position = try SharedPosition(fields, at: Timestamp(microseconds: 0))
        let area: PositionEstimated.Area? = try fields.optional("area")?.choice()
        position.isInStaffArea = area != nil
    }

    /// The position, by the server's clock.
    public func position(at now: Timestamp, by sharer: Reader) -> SharedPosition {
        var position = position
        position.at = now.advanced(byMicroseconds: -Int64(ageSeconds * 1_000_000))
        position.sharer = sharer
        return position
    }
}

extension SharedPosition {
    fileprivate init(_ fields: FieldReader, at moment: Timestamp) throws(WireFault) {
        self.init(at: moment, state: try fields.required("state").choice())
        floor = try fields.optional("floor")?.identifier()
        let latitude = try fields.optional("latitude")?.latitude()
        let longitude = try fields.optional("longitude")?.longitude()
        if let latitude, let longitude {
            place = GeographicPoint(latitude: latitude, longitude: longitude)
        } else if state != .lost {
            throw WireFault(.fieldMissing, "send latitude and longitude, unless the state is lost")
        }
        radiusMetres = try fields.optional("radiusMetres")?.number(in: 0...100_000)
    }

    /// The form in which site-editor keeps it, sealed.
    public init(stored json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            var position = try Self(fields, at: try fields.required("at").time())
            position.isInStaffArea = try fields.required("staffArea").bool()
            position.sharer = try fields.required("sharer").choice()
            return position
        }
    }

    public var stored: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("at", at)
        writer.field("state", state.rawValue)
        writer.field("floor", floor)
        writer.field("latitude", place?.latitude)
        writer.field("longitude", place?.longitude)
        writer.field("radiusMetres", radiusMetres)
        writer.field("staffArea", isInStaffArea)
        writer.field("sharer", sharer.rawValue)
        writer.endObject()
        return writer.finish()
    }
}

/// Somebody's share of their own position, without the position.
public struct OwnShare: Sendable {
    private let from: Timestamp
    private let until: Timestamp
    private let sentAt: Timestamp?

    /// - Parameter sentAt: when the position was sent last; nil where none was.
    public init(from: Timestamp, until: Timestamp, sentAt: Timestamp?) {
        self.from = from
        self.until = until
        self.sentAt = sentAt
    }

    /// - Parameters:
    ///   - moment: the server's time.
    ///   - secret: the secret of the link, in the one answer that has it.
    public func json(at moment: Timestamp, secret: String? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("secret", secret)
        writer.field("from", from)
        writer.field("until", until)
        writer.field("sentAt", sentAt)
        writer.field("secondsLeft", max(0, (until - moment) / 1_000_000))
        writer.endObject()
        return writer.finish()
    }
}

/// The answer to who has the link.
public struct LookedAtShare: Sendable {
    private let until: Timestamp
    private let shown: ShownPosition?

    /// - Parameter shown: nil until the first position came.
    public init(until: Timestamp, shown: ShownPosition?) {
        self.until = until
        self.shown = shown
    }

    public func json(at moment: Timestamp) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("until", until)
        writer.field("secondsLeft", max(0, (until - moment) / 1_000_000))
        if let shown {
            writer.field("at", shown.at)
            writer.field("ageSeconds", max(0, (moment - shown.at) / 1_000_000))
            writer.field("state", shown.state.rawValue)
            writer.field("floor", shown.floor)
            writer.field("room", shown.room)
            writer.field("latitude", shown.place?.latitude)
            writer.field("longitude", shown.place?.longitude)
            writer.field("radiusMetres", shown.radiusMetres)
            if shown.isInStaffArea { writer.field("area", PositionEstimated.Area.staff.rawValue) }
        }
        writer.endObject()
        return writer.finish()
    }
}
