public import Beacons
public import Events
public import Geometry
import JSON
public import Positioning
public import Site

/// A position with the reasons for it.
public struct ExplainedPosition {
    /// A difference between the inputs of the served position and those of the explanation.
    public enum Difference: String, Sendable {
        case positioner
        case radioMap = "radio-map"
        case site
        case choice
    }

    /// The inputs of the explanation: radio map, site and choice.
    public struct Making: Sendable {
        let positioner: String
        let radioMapVersion: Int?
        let siteVersion: Int
        let choiceVersion: Int?
        let differences: [Difference]

        public init(
            positioner: String, radioMapVersion: Int?, siteVersion: Int, choiceVersion: Int?,
            differences: [Difference]
        ) {
            self.positioner = positioner
            self.radioMapVersion = radioMapVersion
            self.siteVersion = siteVersion
            self.choiceVersion = choiceVersion
            self.differences = differences
        }
    }

    /// The scan, located again after the scans before it.
    public struct Again: Sendable {
        public var scansBefore: Int
        public var estimate: Estimate
        /// The positioner's memory of the device before and after the scan, as a share for each
        /// floor. It is empty for positioners that can't give it.
        public var floorsBefore: [(floor: FloorID, share: Double)] = []
        public var floorsAfter: [(floor: FloorID, share: Double)] = []
        /// The distance from the remembered point to the nearest place that leads to other floors.
        public var metresToOtherFloors: Double?
        public var metresFromPosition: Double?
        /// Nil for positioners that don't use beacons.
        public var beacons: BeaconHearing?
        /// Whether locating again gave exactly the served position.
        public var isSame: Bool

        public init(scansBefore: Int, estimate: Estimate, isSame: Bool) {
            self.scansBefore = scansBefore
            self.estimate = estimate
            self.isSame = isSame
        }
    }

    private let position: PositionEstimated
    private let before: PositionEstimated?
    private let making: Making
    private let explanation: Explanation
    private let again: Again

    /// - Parameter before: the device's previous position.
    public init(
        _ position: PositionEstimated, before: PositionEstimated?, making: Making,
        explanation: Explanation, again: Again
    ) {
        self.position = position
        self.before = before
        self.making = making
        self.explanation = explanation
        self.again = again
    }

    public var site: SiteID { position.site }

    /// - Parameters:
    ///   - sight: the places that may be named to the reader. Candidates on other floors are left
    ///     out, and so are beacons where not every place may be named.
    ///   - frame: gives places their degrees; nil leaves these out.
    public func json(for sight: PlaceSight, in frame: LocalFrame? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 8_192)
        writer.beginObject()
        writer.name("position")
        sight.position(position).write(to: &writer)
        writeMaking(to: &writer)
        Self.write(explanation, sight, frame, to: &writer)
        writeAgain(sight, frame, to: &writer)
        writeFloorChange(sight, to: &writer)
        if sight.isUnlimited, let beacons = again.beacons { Self.write(beacons, to: &writer) }
        writer.endObject()
        return writer.finish()
    }

    private func writeMaking(to writer: inout JSONWriter) {
        writer.name("explainedWith")
        writer.beginObject()
        writer.field("positioner", making.positioner)
        writer.field("radioMapVersion", making.radioMapVersion)
        writer.field("siteVersion", making.siteVersion)
        writer.field("choiceVersion", making.choiceVersion)
        writer.name("differs")
        writer.beginArray()
        for difference in making.differences { writer.string(difference.rawValue) }
        writer.endArray()
        writer.endObject()
    }

    private func writeAgain(
        _ sight: PlaceSight, _ frame: LocalFrame?, to writer: inout JSONWriter
    ) {
        writer.name("again")
        writer.beginObject()
        writer.field("scansBefore", again.scansBefore)
        Self.write(again.estimate, sight, frame, named: "estimate", to: &writer)
        writer.field("metresFromPosition", again.metresFromPosition, decimals: 3)
        writer.field("isSame", again.isSame)
        if !again.floorsBefore.isEmpty {
            Self.write(again.floorsBefore, sight, named: "floorsBefore", to: &writer)
        }
        if !again.floorsAfter.isEmpty {
            Self.write(again.floorsAfter, sight, named: "floorsAfter", to: &writer)
        }
        writer.endObject()
    }

    private func writeFloorChange(_ sight: PlaceSight, to writer: inout JSONWriter) {
        guard let before, let from = before.floor, let to = position.floor, from != to,
            sight.shows(from), sight.shows(to)
        else { return }
        func share(_ floor: FloorID, _ floors: [(floor: FloorID, share: Double)]) -> Double {
            floors.first { $0.floor == floor }?.share ?? 0
        }
        writer.name("floorChange")
        writer.beginObject()
        writer.field("previousPosition", before.id.description)
        writer.field("from", from.text)
        writer.field("to", to.text)
        writer.field("shareFrom", share(from, explanation.floors), decimals: 6)
        writer.field("shareTo", share(to, explanation.floors), decimals: 6)
        if !again.floorsBefore.isEmpty {
            writer.field("rememberedFrom", share(from, again.floorsBefore), decimals: 6)
            writer.field("rememberedTo", share(to, again.floorsBefore), decimals: 6)
            writer.field("afterFrom", share(from, again.floorsAfter), decimals: 6)
            writer.field("afterTo", share(to, again.floorsAfter), decimals: 6)
            writer.field("metresToOtherFloors", again.metresToOtherFloors, decimals: 1)
        }
        writer.endObject()
    }

    private static func write(
        _ explanation: Explanation, _ sight: PlaceSight, _ frame: LocalFrame?,
        to writer: inout JSONWriter
    ) {
        writer.name("readings")
        writer.beginArray()
        for reading in explanation.readings {
            writer.beginObject()
            if let transmitter = reading.transmitter {
                writer.field("transmitter", transmitter.description)
            }
            writer.field("rssi", reading.rssi)
            writer.field("use", reading.use.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.field("candidateCount", explanation.placeCount)
        writer.name("candidates")
        writer.beginArray()
        for place in explanation.places where sight.shows(place.floor) {
            writer.beginObject()
            writer.field("floor", place.floor.text)
            if let room = place.room, sight.shows(room) { writer.field("room", room.text) }
            writer.field("x", place.point.x, decimals: 3)
            writer.field("y", place.point.y, decimals: 3)
            write(place.point, frame, to: &writer)
            writer.field("weight", place.weight, decimals: 6)
            writer.endObject()
        }
        writer.endArray()
        write(explanation.floors, sight, named: "floors", to: &writer)
        write(explanation.estimate, sight, frame, named: "alone", to: &writer)
    }

    private static func write(
        _ estimate: Estimate, _ sight: PlaceSight, _ frame: LocalFrame?,
        named name: StaticString, to writer: inout JSONWriter
    ) {
        writer.name(name)
        writer.beginObject()
        writer.field("state", estimate.state.rawValue)
        if let place = estimate.place {
            if sight.shows(place.floor) {
                writer.field("floor", place.floor.text)
                if let room = place.room, sight.shows(room) { writer.field("room", room.text) }
            }
            writer.field("x", place.point.x, decimals: 3)
            writer.field("y", place.point.y, decimals: 3)
            write(place.point, frame, to: &writer)
            writer.field("radius68", place.radius68, decimals: 3)
            writer.field("radius95", place.radius95, decimals: 3)
        }
        writer.endObject()
    }

    private static func write(
        _ point: Point, _ frame: LocalFrame?, to writer: inout JSONWriter
    ) {
        guard let place = frame?.geographic(point) else { return }
        writer.field("latitude", place.latitude, decimals: 9)
        writer.field("longitude", place.longitude, decimals: 9)
    }

    private static func write(_ hearing: BeaconHearing, to writer: inout JSONWriter) {
        writer.name("beacons")
        writer.beginObject()
        writer.name("groups")
        writer.beginArray()
        for group in hearing.groups { writer.string(group.text) }
        writer.endArray()
        writer.name("changes")
        writer.beginArray()
        for change in hearing.changes {
            writer.beginObject()
            writer.field("group", change.group.text)
            writer.field("kind", change.kind.rawValue)
            writer.field("at", microseconds: change.at.microseconds)
            writer.endObject()
        }
        writer.endArray()
        writer.name("heard")
        writer.beginArray()
        for heard in hearing.heard {
            writer.beginObject()
            writer.field("group", heard.group.text)
            writer.field("major", heard.identity.major)
            writer.field("minor", heard.identity.minor)
            writer.field("name", heard.name)
            writer.field("proximity", heard.proximity.rawValue)
            writer.field("distanceMetres", heard.distanceMetres, decimals: 3)
            writer.field("batteryPercent", heard.batteryPercent)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private static func write(
        _ floors: [(floor: FloorID, share: Double)], _ sight: PlaceSight,
        named name: StaticString, to writer: inout JSONWriter
    ) {
        writer.name(name)
        writer.beginArray()
        for (floor, share) in floors where sight.shows(floor) {
            writer.beginObject()
            writer.field("floor", floor.text)
            writer.field("share", share, decimals: 6)
            writer.endObject()
        }
        writer.endArray()
    }
}
