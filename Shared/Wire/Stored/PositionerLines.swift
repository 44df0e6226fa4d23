internal import Events
internal import Geometry
internal import JSON
public import Positioning

/// The lines between Whereabouts and a positioner in another process (docs/positioner-protocol.md).
public enum PositionerLines {
    /// The most bytes of a device's state. It is stored with every scan, so it has to be small.
    public static let maximumStateBytes = 16_384
    /// The most bytes of an answer. It holds an estimate and a state, in which every byte may be
    /// escaped.
    public static let maximumAnswerBytes = 131_072
    /// The most rooms in one estimate.
    static let maximumRooms = 1_000

    /// The program's answer to a query.
    public struct Answer: Hashable, Sendable {
        public var query: Int
        public var estimate: Estimate
        public var state: PositionerState
    }

    /// The line with the radio map, which comes first, with its newline.
    public static func radioMap(_ map: RadioMap) -> [UInt8] {
        let transmitters = map.transmitters.map(\.description)
        var writer = JSONWriter(capacity: 1 << 16)
        writer.beginObject()
        writer.field("protocol", 1)
        writer.name("fingerprints")
        writer.beginArray()
        for (index, fingerprint) in map.fingerprints.enumerated() {
            writer.beginObject()
            writer.field("floor", map.floors[Int(fingerprint.floor)])
            writer.field("x", fingerprint.point.x, decimals: 3)
            writer.field("y", fingerprint.point.y, decimals: 3)
            if fingerprint.room >= 0 { writer.field("room", map.rooms[Int(fingerprint.room)]) }
            writer.field("place", map.places[Int(fingerprint.place)].name)
            writer.field("walk", fingerprint.walk)
            writer.name("readings")
            writer.beginObject()
            for reading in map.readings(of: index) {
                writer.name(transmitters[Int(map.readingTransmitter[reading])])
                writer.integer(map.readingRSSI[reading])
            }
            writer.endObject()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.finish()
    }

    /// A query, with its newline.
    public static func query(
        _ number: Int, _ scan: RadioScan, state: PositionerState, seed: UInt64
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("query", number)
        writer.field("at", scan.at)
        writer.name("readings")
        writer.beginObject()
        for reading in scan.readings {
            writer.name(reading.transmitter.description)
            writer.integer(reading.rssi)
        }
        writer.endObject()
        writer.field("steps", scan.steps)
        writer.field("headingDegrees", scan.headingDegrees)
        writer.field("speedMetresPerSecond", scan.speedMetresPerSecond)
        writer.field("pressureHectopascals", scan.pressureHectopascals)
        if let fix = scan.gnss { writer.write(fix) }
        writer.name("state")
        if state == .empty {
            writer.null()
        } else {
            writer.string(String(decoding: state.bytes, as: UTF8.self))
        }
        // The seed is text, because not every language's JSON holds 64 bits.
        writer.field("seed", String(seed))
        writer.endObject()
        writer.endLine()
        return writer.finish()
    }

    /// Reads the line that confirms that the program has read the radio map.
    public static func readiness(_ line: [UInt8]) throws(WireFault) {
        try reading(line) { fields throws(WireFault) in
            guard try fields.required("ready").bool() else {
                throw WireFault(.fieldOutOfRange, path: "ready", "true is expected")
            }
        }
    }

    public static func answer(_ line: [UInt8]) throws(WireFault) -> Answer {
        try reading(line) { fields throws(WireFault) in
            let text = try fields.optional("state")?.text(maximumBytes: maximumStateBytes)
            return Answer(
                query: try fields.required("query").integer(in: 0...Int.max),
                estimate: try estimate(fields.optional("estimate")),
                state: text.map { PositionerState(bytes: Array($0.utf8)) } ?? .empty)
        }
    }

    private static func reading<Value>(
        _ line: [UInt8], _ read: (FieldReader) throws(WireFault) -> Value
    ) throws(WireFault) -> Value {
        try withJSON(line) { root throws(WireFault) in try read(try FieldReader(WireValue(root))) }
    }

    private static func estimate(_ value: WireValue?) throws(WireFault) -> Estimate {
        guard let value else { return .lost }
        let fields = try FieldReader(value)
        let radius68 = try fields.required("radius68").number(in: 1e-3...1e6)
        let radius95 = try fields.optional("radius95")?.number(in: radius68...1e6)
        let state: PositionEstimated.State =
            try fields.optional("uncertain")?.bool() == true ? .uncertain : .located
        return Estimate(
            state: state,
            place: Estimate.Place(
                floor: try fields.required("floor").identifier(),
                point: Point(
                    x: try fields.required("x").coordinate(),
                    y: try fields.required("y").coordinate()),
                room: try fields.optional("room")?.identifier(),
                covariance: try covariance(fields.optional("covariance"))
                    ?? .round(radius68: radius68),
                radius68: radius68, radius95: radius95 ?? radius68 * roundRatio),
            rooms: try rooms(fields))
    }

    private static func rooms(
        _ fields: FieldReader
    ) throws(WireFault) -> [PositionEstimated.RoomProbability] {
        let rooms = try fields.elements("rooms") { element throws(WireFault) in
            let room = try FieldReader(element)
            return PositionEstimated.RoomProbability(
                id: try room.required("id").identifier(),
                probability: try room.required("probability").number(in: 0...1))
        }
        guard rooms.count <= maximumRooms else {
            throw WireFault(.fieldOutOfRange, path: "rooms", "send at most \(maximumRooms) rooms")
        }
        return rooms.sorted { ($1.probability, $0.id) < ($0.probability, $1.id) }
    }

    private static func covariance(
        _ value: WireValue?
    ) throws(WireFault) -> Estimate.Covariance? {
        guard let value else { return nil }
        let entries = try value.elements { entry throws(WireFault) in
            try entry.number(in: -1e12...1e12)
        }
        guard entries.count == 3, entries[0] >= 0, entries[2] >= 0,
            entries[1] * entries[1] <= entries[0] * entries[2]
        else {
            throw WireFault(
                .fieldOutOfRange, path: "covariance", "xx, xy and yy of a covariance are expected")
        }
        return Estimate.Covariance(xx: entries[0], xy: entries[1], yy: entries[2])
    }

    /// The ratio of the 95 % radius to the 68 % radius, for normal errors that are equal in all
    /// directions. It is sqrt(ln 0.05 / ln 0.32), from the quantiles sqrt(-2 ln(1 - p)) of the
    /// Rayleigh distribution.
    private static let roundRatio = 1.6214
}
