public import Events
public import Site
public import Wayfinding

/// One step of directions, in words.
public struct Instruction: Hashable, Sendable {
    public var text: String
    public var manoeuvre: Manoeuvre
}

/// Describes routes through one published site; made once for each version of it.
public struct RouteGuide: Sendable {
    public let site: SiteIndex
    private let connectionByID: [ConnectionID: Int]

    public init(_ site: SiteIndex) {
        self.site = site
        connectionByID = Dictionary(
            site.document.connections.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    public func connection(_ id: ConnectionID) -> ConnectionRecord? {
        connectionByID[id].map { site.document.connections[$0] }
    }

    /// Whether people have a name for the room, in any language.
    func isNamed(_ id: RoomID) -> Bool {
        guard let room = site.room(id) else { return false }
        return isSpoken(room.name, id: id.text)
            || room.names.byLanguage.values.contains { isSpoken($0, id: id.text) }
    }

    /// What somebody who follows the route has to do, in order; the last thing is to arrive.
    public func manoeuvres(of route: IndoorRoute) -> [Manoeuvre] {
        var maker = ManoeuvreMaker(guide: self)
        let pieces = route.pieces
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .walk(let stretch):
                let neighbours = [index - 1, index + 1].filter(pieces.indices.contains)
                maker.walk(stretch, isBesideClimb: neighbours.contains { pieces[$0].isClimb })
            case .passage(let passage): maker.pass(passage)
            }
        }
        maker.arrive(route)
        return maker.made
    }

    /// The same in words.
    public func instructions(
        for route: IndoorRoute, in language: any DirectionLanguage
    ) -> [Instruction] {
        var instructions = manoeuvres(of: route).map { manoeuvre in
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

    /// Why a connection can't be used, and what would open it.
    ///
    /// - Parameter clock: writes the moments of outages as the reader's clocks show them.
    public func explanation(
        of barrier: Barrier, in language: any DirectionLanguage, clock: LocalClock
    ) -> String {
        let names = names(in: language)
        return barrier.rules.map { rule in
            language.sentence(rule, at: barrier, names, clock)
        }.joined(separator: " ")
    }
}
