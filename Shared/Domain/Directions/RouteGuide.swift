public import Events
import Geometry
import Glibc
public import Site
public import Wayfinding

/// One instruction in words, and its manoeuvre.
public struct Instruction: Hashable, Sendable {
    public var text: String
    public var manoeuvre: Manoeuvre
}

/// One step in words for a traveller who can't see.
public struct SpokenInstruction: Hashable, Sendable {
    /// Words for the last metres of a step.
    public struct Announcement: Hashable, Sendable {
        public var metresBefore: Int
        public var text: String
    }

    public var text: String
    /// The text for a traveller who hears the announcements: the warning that they have is left
    /// out. Nil if it is the same.
    public var announcedText: String?
    public var step: SpokenStep
    /// The farthest first.
    public var announcements: [Announcement]
}

/// Describes routes through one published site. Made once for each version of the site.
public struct RouteGuide: Sendable {
    public let site: SiteIndex
    private let connectionByID: [ConnectionID: Int]
    /// The stops of connections at each place, and in each room.
    private let stopsOfPlace: [StopKey: [StopIndex]]
    private let stopsOfRoom: [RoomID: [StopIndex]]

    public init(_ site: SiteIndex) {
        self.site = site
        connectionByID = Dictionary(
            site.document.connections.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        var places: [StopKey: [StopIndex]] = [:]
        var rooms: [RoomID: [StopIndex]] = [:]
        for (number, connection) in site.document.connections.enumerated() {
            for (index, stop) in connection.stops.enumerated() {
                let index = StopIndex(connection: number, stop: index)
                places[StopKey(stop.floor, stop.point), default: []].append(index)
                if let room = stop.room { rooms[room, default: []].append(index) }
            }
        }
        (stopsOfPlace, stopsOfRoom) = (places, rooms)
    }

    /// Whether a door is a wide gap in a wall: 2 m or more, and nobody stated how it opens.
    func isGap(_ record: ConnectionRecord) -> Bool {
        record.kind == .door && record.isAutomatic == nil && record.doorKind == nil
            && record.opens == nil && record.isGlass != true && record.widthMetres ?? 0 >= 2
    }

    func stops(of room: RoomID) -> [StopIndex] { stopsOfRoom[room] ?? [] }

    /// The number of walks at a stop that lead out of a room.
    func waysOut(at point: Point, on floor: FloorID?, of room: RoomID?) -> Int {
        (stopsOfPlace[StopKey(floor, point)] ?? []).count { index in
            let connection = site.document.connections[index.connection]
            return connection.kind == .walk
                && connection.stops.enumerated().contains {
                    $0.offset != index.stop && $0.element.room != room
                }
        }
    }

    /// The directions of all ways that leave a stop, in degrees from the frame's north. Doors and
    /// lifts have none.
    func ways(at point: Point, on floor: FloorID?) -> [Double] {
        (stopsOfPlace[StopKey(floor, point)] ?? []).flatMap { index in
            site.document.connections[index.connection].directions(at: index.stop)
        }
    }

    public func connection(_ id: ConnectionID) -> ConnectionRecord? {
        connectionByID[id].map { site.document.connections[$0] }
    }

    /// Whether the room has a name that people use, in any language.
    func isNamed(_ id: RoomID) -> Bool {
        guard let room = site.room(id) else { return false }
        return isSpoken(room.name, id: id.text)
            || room.names.byLanguage.values.contains { isSpoken($0, id: id.text) }
    }

    /// The manoeuvres that the traveller makes on this route, in order. The last is the arrival.
    ///
    /// - Parameters:
    ///   - destination: the place that the traveller asked for; nil leaves the end without a name
    ///     where no room has it.
    ///   - isByTouch: whether doors, handrails and the ground are described.
    public func manoeuvres(
        of route: IndoorRoute, to destination: RoutePlace? = nil, isByTouch: Bool = false
    ) -> [Manoeuvre] {
        var maker = ManoeuvreMaker(guide: self)
        maker.isByTouch = isByTouch
        let pieces = route.pieces { self.site.room($0).map { SpokenKind($0.kind) } == .stairs }
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .walk(let stretch):
                let neighbours = [index - 1, index + 1].filter(pieces.indices.contains)
                maker.walk(
                    stretch, isBesideClimb: neighbours.contains { pieces[$0].isClimb },
                    isLast: index == pieces.count - 1)
            case .passage(let passage): maker.pass(passage, of: route)
            }
        }
        maker.arrive(route, at: destination)
        maker.mergeLifts()
        return maker.made
    }

    /// The manoeuvres of the route as sentences; the parameters are those of `manoeuvres`.
    public func instructions(
        for route: IndoorRoute, to destination: RoutePlace? = nil, isByTouch: Bool = false,
        in language: any DirectionLanguage
    ) -> [Instruction] {
        var instructions = manoeuvres(of: route, to: destination, isByTouch: isByTouch).map {
            Instruction(text: sentence(for: $0, in: language), manoeuvre: $0)
        }
        if let near = route.approximateStart, let first = instructions.first {
            let start = language.sentence(startingNear: near, names(in: language))
            instructions[0].text = "\(start) \(first.text)"
        }
        return instructions
    }

    /// The steps of the route for a traveller who can't see. The last is the arrival.
    ///
    /// - Parameters:
    ///   - start: the place at which the traveller said they are.
    ///   - destination: the place that the traveller asked for, as in `manoeuvres`.
    public func spokenSteps(
        of route: IndoorRoute, from start: RoutePlace? = nil, to destination: RoutePlace? = nil
    ) -> [SpokenStep] {
        var maker = SpokenMaker(self, route)
        return maker.make(from: start, to: destination)
    }

    /// The steps of the route in words, with what to say before the end of each.
    public func spokenInstructions(
        for route: IndoorRoute, from start: RoutePlace? = nil, to destination: RoutePlace? = nil,
        in language: any DirectionLanguage
    ) -> [SpokenInstruction] {
        let steps = spokenSteps(of: route, from: start, to: destination)
        let names = names(in: language)
        var spoken = steps.enumerated().map { index, step in
            let next = steps.indices.contains(index + 1) ? steps[index + 1] : nil
            return SpokenInstruction(
                text: language.sentence(step, names),
                announcedText: step.announced.map { language.sentence($0, names) }, step: step,
                announcements: step.announcedMetres.map {
                    SpokenInstruction.Announcement(
                        metresBefore: $0,
                        text: language.announcement(of: step, before: next, metres: $0, names))
                })
        }
        if let near = route.approximateStart, !spoken.isEmpty {
            let start = language.sentence(startingNear: near, names)
            spoken[0].text = "\(start) \(spoken[0].text)"
            spoken[0].announcedText = spoken[0].announcedText.map { "\(start) \($0)" }
        }
        return spoken
    }

    public func sentence(
        for manoeuvre: Manoeuvre, in language: any DirectionLanguage
    ) -> String {
        language.sentence(manoeuvre, names(in: language))
    }

    public func names(in language: any DirectionLanguage) -> DirectionNames {
        DirectionNames(guide: self, language: language.codeOfNames)
    }

    /// The reason why a connection can't be used, and how to avoid it.
    ///
    /// - Parameter clock: writes the times of outages as the reader's clock shows them.
    public func explanation(
        of barrier: Barrier, in language: any DirectionLanguage, clock: LocalClock
    ) -> String {
        let names = names(in: language)
        return barrier.rules.map { rule in
            language.sentence(rule, at: barrier, names, clock)
        }.joined(separator: " ")
    }
}

/// A stop of a connection of the document.
struct StopIndex: Hashable, Sendable {
    var connection: Int
    var stop: Int
}

extension ConnectionRecord {
    /// The directions in which the connection leaves one of its stops, in degrees from the frame's
    /// north.
    func directions(at index: Int) -> [Double] {
        guard kind != .lift, kind != .platformLift, kind != .door else { return [] }
        let points =
            stops.count == 2 ? [stops[0].point] + line + [stops[1].point] : stops.map(\.point)
        let place = stops.count == 2 && index == 1 ? points.count - 1 : index
        let neighbours = [place - 1, place + 1].filter(points.indices.contains)
        return neighbours.compactMap { neighbour in
            let (start, end) = (points[place], points[neighbour])
            guard start.distance(to: end) > 0.01 else { return nil }
            return positiveDegrees(atan2(end.x - start.x, end.y - start.y) * 180 / .pi)
        }
    }
}

/// A stop to the centimetre.
private struct StopKey: Hashable, Sendable {
    var floor: FloorID?
    var x: Int
    var y: Int

    init(_ floor: FloorID?, _ point: Point) {
        self.floor = floor
        // Checked coordinates are far below this limit; it keeps `Int` from overflowing.
        (x, y) = (
            Int(max(-1e9, min(1e9, (point.x * 100).rounded()))),
            Int(max(-1e9, min(1e9, (point.y * 100).rounded())))
        )
    }
}
