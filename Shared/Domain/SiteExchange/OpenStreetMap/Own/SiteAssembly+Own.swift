import Events
import Geometry
import Site

/// A connection of a file of ours: its stops are stated, not found by what is around them.
struct OwnConnection {
    let id: ConnectionID
    /// The thing in the file, such as `w-12`.
    let source: String
    let facts: TagFacts
    let places: [OwnTags.Place]
    /// One node, or a line of nodes between two stops.
    let nodes: [Int64]
}

extension SiteAssembly {
    /// Adds the connections that state where they lead. One that names a room or a floor which the
    /// file does not have is left out.
    mutating func addOwnConnections() {
        var floorsOfRooms: [RoomID: FloorID] = [:]
        for room in roomRecords { floorsOfRooms[room.id] = room.floor }
        for own in contents.ownConnections {
            guard let kind = kind(of: own), let ends = points(of: own) else {
                report.note(own.source, .danglingReference, "the file lacks some of its nodes")
                continue
            }
            var stops: [ConnectionStop] = []
            for (place, point) in zip(own.places, ends) {
                switch place {
                case .outdoors: stops.append(ConnectionStop(floor: nil, point: point))
                case .floor(let id) where contents.own.floors[id] != nil:
                    stops.append(ConnectionStop(floor: id, point: point))
                case .room(let id):
                    guard let floor = floorsOfRooms[id] else { break }
                    stops.append(ConnectionStop(floor: floor, room: id, point: point))
                case .floor: break
                }
            }
            guard stops.count == own.places.count else {
                report.note(
                    own.source, .danglingReference, "the file lacks a room or floor of its stops")
                continue
            }
            add(connection(own, kind, stops))
        }
    }

    /// The points of the stops: one node stands for all, a line has two ends.
    private func points(of own: OwnConnection) -> [Point]? {
        let points = nodes.points(own.nodes)
        guard points.count == own.nodes.count, let first = points.first, let last = points.last
        else { return nil }
        if points.count == 1 { return own.places.map { _ in first } }
        return own.places.count == 2 ? [first, last] : nil
    }

    private func kind(of own: OwnConnection) -> ConnectionRecord.Kind? {
        let tags = own.facts.tags
        if let kind = tags[OwnTags.kind].flatMap(ConnectionRecord.Kind.init) { return kind }
        if MapWords.isLift(tags) { return .lift }
        if own.nodes.count == 1 || tags["indoor"] == "door" { return .door }
        switch MapWords.path(tags) {
        case .steps: return .stairs
        case .escalator: return .escalator
        case .lift: return .lift
        case .walk, .corridor, .platform: return own.facts.has("ramp", "yes") ? .ramp : .walk
        case nil: return nil
        }
    }

    private func connection(
        _ own: OwnConnection, _ kind: ConnectionRecord.Kind, _ stops: [ConnectionStop]
    ) -> ConnectionRecord {
        let facts = own.facts
        let isOneWay =
            facts.has("oneway", "yes") || kind == .escalator && facts.has("conveying", "forward")
        return ConnectionRecord(
            id: own.id, kind: kind, name: facts.text("name"), names: facts.names, stops: stops,
            line: nodes.points(own.nodes.dropFirst().dropLast()), isOneWay: isOneWay,
            accessible: facts.accessible, widthMetres: facts.widthMetres, slope: facts.slope,
            isOffGround: facts.has("covered", "yes"), surface: facts.text("surface"),
            kerbMetres: facts.kerbMetres, isAutomatic: facts.isAutomatic, steps: facts.stepCount,
            leads: facts.leads, handrail: facts.handrail, doorKind: facts.doorKind,
            isGlass: facts.isGlass, hasTactilePaving: facts.hasTactilePaving,
            openingHours: facts.openingHours)
    }
}
