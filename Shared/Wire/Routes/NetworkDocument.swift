import Directions
public import Events
public import Geometry
import JSON
import Site
public import Wayfinding

/// The answer to `GET /v1/sites/{site}/network`: the network of ways, for a program that searches
/// it without a connection.
///
/// Lists of numbers take the place of objects, since a site has ten thousands of arcs.
public struct NetworkDocument {
    /// The number of this form. It is a part of the ETag.
    public static let form = 4
    /// Degrees are written as whole numbers of this many in one; that is about a centimetre.
    private static let unitsOfDegree = 1e7

    private let site: SiteID
    private let version: Int
    private let building: BuildingID?
    private let timeZone: String
    private let network: HandedNetwork
    private let places: [(latitude: Int, longitude: Int)]
    private let frame: LocalFrame

    /// - Parameter timeZone: the IANA name of the zone of opening hours.
    public init(
        at site: SiteID, version: Int, building: BuildingID?, timeZone: String,
        frame: LocalFrame, network: HandedNetwork
    ) {
        self.site = site
        self.version = version
        self.building = building
        self.timeZone = timeZone
        self.network = network
        self.frame = frame
        places = network.nodes.map { Self.units($0.point, frame) }
    }

    private static func units(
        _ point: Point, _ frame: LocalFrame
    ) -> (latitude: Int, longitude: Int) {
        let place = frame.geographic(point)
        return (
            Int((place.latitude * unitsOfDegree).rounded()),
            Int((place.longitude * unitsOfDegree).rounded())
        )
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 512 + 64 * network.arcs.count)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("siteVersion", version)
        writer.field("building", building?.text)
        writer.field("timeZone", timeZone)
        writer.name("floors")
        writer.beginArray()
        for floor in network.floors { writer.string(floor.text) }
        writer.endArray()
        writeNodes(to: &writer)
        writePassages(to: &writer)
        writeArcs(to: &writer)
        writeProfiles(to: &writer)
        writeRooms(to: &writer)
        writer.name("places")
        writer.beginObject()
        for place in network.places {
            writer.name(place.name)
            writer.beginObject()
            if !place.rooms.isEmpty { writer.list("rooms", place.rooms) }
            if !place.nodes.isEmpty { writer.list("nodes", place.nodes) }
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    private func writeNodes(to writer: inout JSONWriter) {
        writer.name("nodes")
        writer.beginObject()
        writer.list("floors", network.nodes.map { $0.floor ?? -1 })
        writer.list("latitudes", differences(places.map(\.latitude)))
        writer.list("longitudes", differences(places.map(\.longitude)))
        writer.endObject()
    }

    private func writePassages(to writer: inout JSONWriter) {
        let rooms = Dictionary(
            network.rooms.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        writer.name("passages")
        writer.beginArray()
        for passage in network.passages {
            writer.beginObject()
            switch passage.part {
            case .approach: writer.field("kind", "approach")
            case .room(let id):
                writer.field("kind", "room")
                writer.field("id", id.text)
            case .connection(let id, let kind):
                writer.field("kind", kind.rawValue)
                writer.field("id", id.text)
            }
            if passage.isRestricted { writer.field("restricted", true) }
            if passage.isManual { writer.field("manual", true) }
            if let width = passage.widthMetres { writer.field("widthMetres", width) }
            if let slope = passage.slope { writer.field("slope", slope) }
            if let kerb = passage.kerbMetres { writer.field("kerbMetres", kerb) }
            if let hours = passage.hours { write(hours, to: &writer) }
            if let touch = passage.touch { write(touch, to: &writer) }
            if let room = passage.room.flatMap({ rooms[$0] }) { writer.field("room", room) }
            writer.endObject()
        }
        writer.endArray()
    }

    /// Writes the facts for hand and foot, with the ground as the words name it.
    private func write(_ touch: HandedNetwork.Touch, to writer: inout JSONWriter) {
        if !touch.nodes.isEmpty { writer.list("stops", touch.nodes) }
        if touch.isAutomatic { writer.field("automatic", true) }
        if let kind = touch.doorKind { writer.field("doorKind", kind.rawValue) }
        if let opens = touch.opens { writer.field("opens", opens.rawValue) }
        if touch.isGlass { writer.field("glass", true) }
        if let handrail = touch.handrail { writer.field("handrail", handrail.rawValue) }
        if let steps = touch.steps { writer.field("steps", steps) }
        if let leads = touch.leads { writer.field("leads", leads.rawValue) }
        writeGround(touch.surface, touch.hasTactilePaving, to: &writer)
    }

    private func writeGround(
        _ surface: String?, _ hasTactilePaving: Bool, to writer: inout JSONWriter
    ) {
        if let ground = surface.flatMap({ SpokenSurface($0) }) {
            writer.field("ground", ground.rawValue)
        }
        if hasTactilePaving { writer.field("tactilePaving", true) }
    }

    private func write(_ hours: OpeningHours, to writer: inout JSONWriter) {
        writer.name("hours")
        writer.beginArray()
        for rule in hours.rules {
            writer.beginObject()
            writer.list("weekdays", rule.weekdays.sorted())
            writer.list("dates", rule.dates.flatMap { [$0.lowerBound, $0.upperBound] })
            writer.list("minutes", rule.spans.flatMap { [$0.lowerBound, $0.upperBound] })
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeArcs(to writer: inout JSONWriter) {
        let arcs = network.arcs
        writer.name("arcs")
        writer.beginObject()
        writer.field("bothWays", arcs.prefix { $0.isBothWays }.count)
        writer.list("tails", differences(arcs.map(\.tail)))
        writer.list("heads", arcs.map { $0.head - $0.tail })
        writer.list("passages", runs(of: arcs))
        writer.list("centimetres", arcs.map { Int(($0.metres * 100).rounded()) })
        writer.name("bends")
        writer.beginArray()
        for (index, arc) in arcs.enumerated() where !arc.bends.isEmpty {
            writer.beginArray()
            writer.integer(index)
            var last = places[arc.tail]
            for bend in arc.bends {
                let next = Self.units(bend, frame)
                writer.integer(next.latitude - last.latitude)
                writer.integer(next.longitude - last.longitude)
                last = next
            }
            writer.endArray()
        }
        writer.endArray()
        writer.endObject()
    }

    /// Passage, whether closing it closes the arcs, and the number of arcs in a row.
    private func runs(of arcs: [HandedNetwork.Arc]) -> [Int] {
        var runs: [Int] = []
        for arc in arcs {
            let isEntrance = arc.isEntrance ? 1 : 0
            let end = runs.count
            if end > 0, runs[end - 3] == arc.passage, runs[end - 2] == isEntrance {
                runs[end - 1] += 1
            } else {
                runs += [arc.passage, isEntrance, 1]
            }
        }
        return runs
    }

    private func writeProfiles(to writer: inout JSONWriter) {
        writer.name("profiles")
        writer.beginObject()
        for (index, profile) in network.profiles.enumerated() {
            let figures = profile.profile
            writer.name(figures.name.rawValue)
            writer.beginObject()
            writer.field("walkingSpeed", figures.walkingSpeed)
            writer.name("limits")
            writer.beginObject()
            if let width = figures.neededWidthMetres { writer.field("neededWidthMetres", width) }
            if let slope = figures.slopeLimit { writer.field("slopeLimit", slope) }
            if let kerb = figures.kerbLimitMetres { writer.field("kerbLimitMetres", kerb) }
            writer.endObject()
            writeCosts(index, to: &writer)
            writer.list("prices", profile.prices.flatMap { [$0.arc, Int($0.cost.value)] })
            writer.endObject()
        }
        writer.endObject()
    }

    /// Writes all costs, or where they differ from those of a profile before.
    private func writeCosts(_ index: Int, to writer: inout JSONWriter) {
        let costs = network.profiles[index].costs
        func number(_ cost: Cost) -> Int { cost.isClosed ? -1 : Int(cost.value) }
        var best: (like: Int, differing: [Int])?
        for before in 0..<index {
            let others = network.profiles[before].costs
            let differing = costs.indices.filter { costs[$0] != others[$0] }
            if differing.count < best?.differing.count ?? (costs.count / 3) {
                best = (before, differing)
            }
        }
        guard let best else { return writer.list("costs", costs.map(number)) }
        writer.field("like", network.profiles[best.like].profile.name.rawValue)
        writer.list("costs", best.differing.flatMap { [$0, number(costs[$0])] })
    }

    private func writeRooms(to writer: inout JSONWriter) {
        writer.name("rooms")
        writer.beginArray()
        for room in network.rooms {
            writer.beginObject()
            writer.field("id", room.id.text)
            writer.field("floor", room.floor)
            writer.list("starts", room.starts)
            writer.list("ends", room.ends)
            if let passage = room.startPassage { writer.field("startPassage", passage) }
            if let passage = room.endPassage { writer.field("endPassage", passage) }
            if !room.startsNear.isEmpty { writer.list("startsNear", room.startsNear) }
            if !room.endsNear.isEmpty { writer.list("endsNear", room.endsNear) }
            if !room.stops.isEmpty { writer.list("stops", room.stops) }
            writeGround(room.surface, room.hasTactilePaving, to: &writer)
            if room.hasUnseenOpenings { writer.field("unseenOpenings", true) }
            writer.endObject()
        }
        writer.endArray()
    }
}

/// The first number, then what each is more than the one before.
private func differences(_ numbers: [Int]) -> [Int] {
    zip(numbers, [0] + numbers).map { $0 - $1 }
}

extension JSONWriter {
    fileprivate mutating func list(_ name: StaticString, _ numbers: [Int]) {
        self.name(name)
        beginArray()
        for number in numbers { integer(number) }
        endArray()
    }
}
