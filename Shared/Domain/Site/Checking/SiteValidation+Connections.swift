import Events

extension SiteValidation {
    mutating func checkConnections(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        let floorOfRoom = Dictionary(
            document.rooms.map { ($0.id, $0.floor) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<ConnectionID> = []
        for connection in document.connections {
            let subject = "connection \(shown(connection.id.text))"
            checkIdentifier(connection.id, isNew: seen.insert(connection.id).inserted, subject)
            if let name = connection.name { checkText(name, "name", subject) }
            checkNames(connection.names, subject)
            if let surface = connection.surface { checkText(surface, "surface", subject) }
            if let hours = connection.openingHours { checkText(hours, "openingHours", subject) }
            checkFacts(connection, subject)
            checkShape(connection, subject)
            for stop in connection.stops { checkStop(stop, floors, floorOfRoom, subject) }
        }
    }

    private mutating func checkFacts(_ connection: ConnectionRecord, _ subject: String) {
        let facts = [
            ("widthMetres", connection.widthMetres, SiteLimits.widthMetres),
            ("slope", connection.slope, SiteLimits.slope),
            ("kerbMetres", connection.kerbMetres, SiteLimits.kerbMetres),
            ("steps", connection.steps.map(Double.init), SiteLimits.steps),
        ]
        for (name, value, range) in facts {
            guard let value, !range.contains(value) else { continue }
            let detail = "\(name) \(value), within \(range.lowerBound) to \(range.upperBound)"
            add(.factOutOfRange, subject, detail)
        }
    }

    private mutating func checkShape(_ connection: ConnectionRecord, _ subject: String) {
        let count = connection.stops.count
        if !(2...SiteLimits.stopsPerConnection).contains(count) {
            let detail = "\(count) stops, 2 to \(SiteLimits.stopsPerConnection)"
            add(.stopCountOutOfRange, subject, detail)
        }
        if !connection.line.isEmpty, count != 2 {
            add(.stopCountOutOfRange, subject, "a line is between two stops, not \(count)")
        }
        switch connection.kind {
        case .lift, .platformLift:
            if Set(connection.stops.map(\.floor)).count < 2 {
                add(.sameFloor, subject, "all stops are on one floor")
            }
        case .walk, .door, .stairs, .ramp, .escalator: break
        }
        guard connection.line.count <= SiteLimits.cornersPerRoom else {
            let detail = "\(connection.line.count) bends, at most \(SiteLimits.cornersPerRoom)"
            add(.tooManyCorners, subject, detail)
            return
        }
        guard connection.line.allSatisfy({ $0.count == 2 }) else {
            add(.malformedCorner, subject, "a bend is [x, y]")
            return
        }
        if let bend = connection.line.first(where: { !(isInRange($0[0]) && isInRange($0[1])) }) {
            add(.coordinateOutOfRange, subject, "bend \(bend)")
        }
    }

    private mutating func checkStop(
        _ stop: ConnectionStop, _ floors: Set<FloorID>, _ floorOfRoom: [RoomID: FloorID],
        _ subject: String
    ) {
        if let floor = stop.floor, !floors.contains(floor) {
            add(.unknownFloor, subject, "no floor \(shown(floor.text))")
        }
        if !(isInRange(stop.x) && isInRange(stop.y)) {
            add(.coordinateOutOfRange, subject, "x \(stop.x), y \(stop.y)")
        }
        guard let room = stop.room else { return }
        guard let floor = floorOfRoom[room] else {
            add(.unknownRoom, subject, "no room \(shown(room.text))")
            return
        }
        if floor != stop.floor {
            let detail = "room \(shown(room.text)) is on \(shown(floor.text))"
            add(.roomOnOtherFloor, subject, detail)
        }
    }
}
