import Events
import Geometry
import Site

extension MapWriting {
    /// Adds doors and lifts whose stops are all at one point, each as a node.
    mutating func addDoors() {
        for way in site.connections where isNode(way) {
            guard var tags = tags(of: way), let first = way.stops.first else { continue }
            if way.kind == .door {
                tags["door"] = way.doorKind?.rawValue ?? "yes"
                if way.stops.contains(where: { $0.floor == nil }) { tags["entrance"] = "yes" }
            } else {
                tags["highway"] = "elevator"
                if way.kind == .platformLift { tags[OwnTags.kind] = way.kind.rawValue }
            }
            let shared = way.kind == .door ? way.stops.map(\.floor) : []
            let node = node(first.point, tags, sharedOn: shared)
            guard way.kind == .door else { continue }
            for stop in way.stops {
                guard let room = stop.room else { continue }
                doors[room, default: []].append((first.point, node))
            }
        }
    }

    /// Adds all others, each as a line between its two stops.
    mutating func addWays() {
        for way in site.connections where !isNode(way) && way.stops.count == 2 {
            guard var tags = tags(of: way), let first = way.stops.first, let last = way.stops.last
            else { continue }
            for (key, value) in self.tags(ofKind: way) { tags[key] = value }
            let ends = [first, last].map { node($0.point, on: $0.floor) }
            // A bend that shared its node would be a crossing.
            let bends = way.line.map { addNode($0, [:]) }
            addWay([ends[0]] + bends + [ends[1]], tags)
        }
    }

    private func isNode(_ way: ConnectionRecord) -> Bool {
        switch way.kind {
        case .door: return way.line.isEmpty && way.stops.allSatisfy { isSame($0, way.stops[0]) }
        case .lift, .platformLift:
            return way.line.isEmpty
                && (way.stops.count > 2 || way.stops.allSatisfy { isSame($0, way.stops[0]) })
        case .walk, .stairs, .ramp, .escalator: return false
        }
    }

    private func isSame(_ one: ConnectionStop, _ other: ConnectionStop) -> Bool {
        one.point.distance(to: other.point) < 0.01
    }

    private func tags(ofKind way: ConnectionRecord) -> Tags {
        let isIndoors = way.stops.contains { $0.floor != nil }
        switch way.kind {
        case .walk:
            return isIndoors
                ? ["highway": "corridor", "indoor": "yes"] : ["highway": "footway"]
        case .ramp: return ["highway": "footway", "ramp": "yes"]
        case .stairs: return ["highway": "steps"]
        case .escalator:
            return ["highway": "steps", "conveying": way.isOneWay ? "forward" : "reversible"]
        case .door: return ["indoor": "door", "door": way.doorKind?.rawValue ?? "yes"]
        case .lift: return ["highway": "elevator"]
        case .platformLift: return ["highway": "elevator", OwnTags.kind: way.kind.rawValue]
        }
    }

    /// The facts; nil for a way whose stops are too many for a tag.
    private func tags(of way: ConnectionRecord) -> Tags? {
        let stops = OwnTags.text(way.stops)
        guard stops.utf8.count <= OwnTags.longestBytes else { return nil }
        var tags = named(way.name, way.names)
        tags[OwnTags.id] = way.id.text
        tags[OwnTags.stops] = stops
        tags["level"] = levels(way.stops.map(\.floor))
        if way.isOneWay, way.kind != .escalator { tags["oneway"] = "yes" }
        tags["wheelchair"] = way.accessible == .unknown ? nil : way.accessible.rawValue
        tags["width"] = way.widthMetres.map(WellKnownText.number)
        tags["kerb:height"] = way.kerbMetres.map(WellKnownText.number)
        tags["incline"] = way.slope.map(Self.percent) ?? way.leads?.rawValue
        tags["step_count"] = way.steps.map(String.init)
        tags["surface"] = way.surface
        tags["automatic_door"] = way.isAutomatic.map { $0 ? "yes" : "no" }
        tags["tactile_paving"] = way.hasTactilePaving.map { $0 ? "yes" : "no" }
        if way.isGlass == true { tags["material"] = "glass" }
        if way.isOffGround { tags["covered"] = "yes" }
        if way.openingHours == "off" {
            tags["access"] = "no"
        } else {
            tags["opening_hours"] = way.openingHours
        }
        for (key, value) in Self.tags(of: way.handrail) { tags[key] = value }
        return tags
    }

    private static func tags(of handrail: Handrail?) -> Tags {
        switch handrail {
        case nil: [:]
        case .left: ["handrail:left": "yes", "handrail:right": "no"]
        case .right: ["handrail:left": "no", "handrail:right": "yes"]
        case .both: ["handrail:left": "yes", "handrail:right": "yes"]
        case .unstated: ["handrail": "yes"]
        case .missing: ["handrail": "no"]
        }
    }

    /// The number of percent that reads back as this slope.
    private static func percent(_ slope: Double) -> String {
        let plain = slope * 100
        let close = [plain, plain.nextUp, plain.nextDown].first { $0 / 100 == slope } ?? plain
        return WellKnownText.number(close) + "%"
    }
}
