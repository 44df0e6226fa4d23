public import Events
import Geometry
public import Site
public import Wayfinding

/// One instruction in words, and its manoeuvre.
public struct Instruction: Hashable, Sendable {
    public var text: String
    public var manoeuvre: Manoeuvre
}

/// Describes routes through one published site. Made once for each version of the site.
public struct RouteGuide: Sendable {
    public let site: SiteIndex
    private let connectionByID: [ConnectionID: Int]
    /// The number of ways that leave each stop.
    private let waysOfStop: [StopKey: Int]

    public init(_ site: SiteIndex) {
        self.site = site
        connectionByID = Dictionary(
            site.document.connections.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        waysOfStop = site.document.connections.reduce(into: [:]) { ways, connection in
            for (index, stop) in connection.stops.enumerated() {
                let isEnd = index == 0 || index == connection.stops.count - 1
                ways[StopKey(stop.floor, stop.point), default: 0] += isEnd ? 1 : 2
            }
        }
    }

    /// The number of ways that leave a stop; 0 where no connection stops.
    func ways(at point: Point, on floor: FloorID?) -> Int { waysOfStop[StopKey(floor, point)] ?? 0 }

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
    /// - Parameter destination: the place that the traveller asked for; nil leaves the end without
    ///   a name where no room has it.
    public func manoeuvres(of route: IndoorRoute, to destination: RoutePlace? = nil) -> [Manoeuvre]
    {
        var maker = ManoeuvreMaker(guide: self)
        let pieces = route.pieces { self.site.room($0).map { SpokenKind($0.kind) } == .stairs }
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .walk(let stretch):
                let neighbours = [index - 1, index + 1].filter(pieces.indices.contains)
                maker.walk(
                    stretch, isBesideClimb: neighbours.contains { pieces[$0].isClimb },
                    isLast: index == pieces.count - 1)
            case .passage(let passage): maker.pass(passage)
            }
        }
        maker.arrive(route, at: destination)
        maker.mergeLifts()
        return maker.made
    }

    /// The manoeuvres of the route as sentences.
    public func instructions(
        for route: IndoorRoute, to destination: RoutePlace? = nil,
        in language: any DirectionLanguage
    ) -> [Instruction] {
        var instructions = manoeuvres(of: route, to: destination).map { manoeuvre in
            Instruction(text: sentence(for: manoeuvre, in: language), manoeuvre: manoeuvre)
        }
        if let near = route.approximateStart, let first = instructions.first {
            let start = language.sentence(startingNear: near, names(in: language))
            instructions[0].text = "\(start) \(first.text)"
        }
        return instructions
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
