public import Events
public import Geometry
import JSON

/// The parts of a position that a route needs. It is read from the locator's answer: one position,
/// or the first of a list.
public struct LocatedPosition: Sendable {
    public private(set) var site: String?
    public private(set) var floor: String?
    public private(set) var point: Point?
    public private(set) var radius95: Double?
    /// Whether the floor is left out because it is not for the reader.
    public private(set) var isOnHiddenFloor = false
    private var at: Timestamp?

    /// Seconds since the scan was made; nil where the answer has no time.
    public func age(at now: Timestamp) -> Double? {
        at.map { Double(now.milliseconds - $0.milliseconds) / 1_000 }
    }

    /// Nil where no device was located.
    public init?(json: [UInt8]) throws {
        let read = try JSONParser.read(json) { root -> LocatedPosition? in
            guard let object = root.object else { return nil }
            guard let list = object["positions"]?.array else { return LocatedPosition(object) }
            for element in list { if let one = element.object { return LocatedPosition(one) } }
            return nil
        }
        guard let read else { return nil }
        self = read
    }

    private init(_ object: JSONObject) {
        site = object["site"]?.string
        floor = object["floor"]?.string
        isOnHiddenFloor = floor == nil && object["area"]?.string != nil
        radius95 = object["radius95"]?.double
        at = object["at"]?.string.flatMap(Timestamp.init(text:))
        if let x = object["x"]?.double, let y = object["y"]?.double { point = Point(x: x, y: y) }
    }
}
