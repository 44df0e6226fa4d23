public import Events
import Geometry
public import JSON

/// A magnetic route in the state of its newest events.
public struct ListedMagneticRoute: Listed {
    public static var listName: StaticString { "magneticRoutes" }

    private let id: String
    private let version: Int
    private let state: String
    private let floor: String
    private let polyline: String
    private let samples: Int
    private let recordedAt: Timestamp
    private let validation: String?
    private let expiresAt: Timestamp?

    /// - Parameters:
    ///   - state: the stage, or `expired` for a valid route from `expiresAt` on.
    ///   - polyline: `MagneticRouteRecorded.polylineJSON`.
    ///   - validation: `MagneticRouteValidated.measuresJSON`; nil before the first validation.
    ///   - expiresAt: nil for a route that is not valid.
    public init(
        id: String, version: Int, state: String, floor: String, polyline: String, samples: Int,
        recordedAt: Timestamp, validation: String?, expiresAt: Timestamp?
    ) {
        self.id = id
        self.version = version
        self.state = state
        self.floor = floor
        self.polyline = polyline
        self.samples = samples
        self.recordedAt = recordedAt
        self.validation = validation
        self.expiresAt = expiresAt
    }

    public var cursor: String? { id }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("version", version)
        writer.field("state", state)
        writer.field("floor", floor)
        writer.name("polyline")
        writer.raw(json: polyline)
        writer.field("samples", samples)
        writer.field("recordedAt", microseconds: recordedAt.microseconds)
        writer.name("validation")
        if let validation { writer.raw(json: validation) } else { writer.null() }
        writer.field("expiresAt", expiresAt)
    }
}

extension MagneticRouteRecorded {
    /// `[[x, y], ...]` in metres, as the database stores it.
    public var polylineJSON: String {
        var writer = JSONWriter()
        writer.beginArray()
        for point in polyline { writer.pair(point.x, point.y, 3) }
        writer.endArray()
        return writer.finishText()
    }

    /// The points of `polylineJSON`. Throws for other texts.
    public static func polyline(storedJSON json: String) throws(WireFault) -> [MagneticRoutePoint] {
        try withJSON([UInt8](json.utf8)) { (root) throws(WireFault) in
            try magneticPolyline(WireValue(root))
        }
    }
}

extension MagneticRouteValidated {
    /// How well the walks agreed, as the database stores it.
    public var measuresJSON: String {
        var writer = JSONWriter()
        writer.beginObject()
        writeMeasures(to: &writer)
        writer.endObject()
        return writer.finishText()
    }
}
