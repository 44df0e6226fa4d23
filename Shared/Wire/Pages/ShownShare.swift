public import Geometry
internal import JSON

/// The parts of a shared position that a page shows, of the answer of
/// `GET /v1/sites/{site}/shared-positions/{secret}`.
public struct ShownShare: Sendable {
    /// The whole seconds until the link is over.
    public let secondsLeft: Int
    /// The age of the position in whole seconds; nil before the first position.
    public let ageSeconds: Int?
    /// `located`, `uncertain` or `lost`; nil until a position has come.
    public let state: String?
    public let floor: String?
    public let room: String?
    public let place: GeographicPoint?
    public let radiusMetres: Double?
    /// Whether the place is left out because it is not for strangers.
    public let isInStaffArea: Bool

    /// Nil for an answer of another form.
    public init?(json body: [UInt8]) {
        let read = try? JSONParser.read(body) { root in root.object.flatMap(Self.init(object:)) }
        guard let read else { return nil }
        self = read
    }

    private init?(object: JSONObject) {
        guard let left = object["secondsLeft"]?.int else { return nil }
        secondsLeft = left
        ageSeconds = object["ageSeconds"]?.int
        state = object["state"]?.string
        floor = object["floor"]?.string
        room = object["room"]?.string
        let (latitude, longitude) = (object["latitude"]?.double, object["longitude"]?.double)
        place = latitude.flatMap { latitude in
            longitude.map { GeographicPoint(latitude: latitude, longitude: $0) }
        }
        radiusMetres = object["radiusMetres"]?.double
        isInStaffArea = object["area"]?.string != nil
    }
}
