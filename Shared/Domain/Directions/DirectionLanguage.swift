public import Wayfinding

/// A language that directions are given in. One file holds all that is said in it;
/// `DirectionLanguages` lists it.
public protocol DirectionLanguage: Sendable {
    /// A BCP 47 language tag, such as `cy`.
    var code: String { get }

    /// A BCP 47 language tag of the names that stand in the sentences.
    var codeOfNames: String { get }

    /// What to do, as one sentence or more.
    func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String

    /// Why nobody gets through, and what would change that.
    func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String

    func sentence(_ obstacle: Obstacle) -> String

    /// That a route begins near a place, since nobody has drawn how one gets out of it.
    func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String

    /// What a room without a name is called in a list.
    func title(_ kind: SpokenKind) -> String
}

/// Why there is no route, in short.
public enum Obstacle: String, Hashable, Sendable, CaseIterable {
    /// Nothing that one can walk on is near.
    case nothingNear = "nothing-near"
    /// Nobody has drawn a door to the outdoors.
    case noEntrance = "entrance-unknown"
    /// There are ways, and something stops one on each.
    case barriers
    /// No way leads out of the start.
    case noWayOut = "island-start"
    /// No way leads to the end.
    case noWayIn = "island-end"
    /// The ways of both ends do not meet.
    case apart = "island-between"

    /// Nil for a question that was none.
    public init?(_ reason: NoRoute) {
        switch reason {
        case .unknownPlace, .malformed: return nil
        case .nothingNear: self = .nothingNear
        case .noEntrance: self = .noEntrance
        case .barriers: self = .barriers
        case .island(.start): self = .noWayOut
        case .island(.end): self = .noWayIn
        case .island(.between): self = .apart
        }
    }
}

extension DirectionLanguage {
    public var codeOfNames: String { code }

    /// More rooms than these on one stretch are no help.
    static var mostLandmarks: Int { 2 }

    /// Letters of a name that is a mark, such as the B of a lift.
    static var shortName: Int { 4 }
}

/// The languages that there are. A further one is a file in `Languages` and an entry here.
public enum DirectionLanguages {
    public static let all: [any DirectionLanguage] = [English(), Welsh(), German(), Russian()]

    /// The one that is wanted most of those that there are; where none is, English with the names
    /// that the dearest language has for things: they are what stands on the doors.
    ///
    /// - Parameter tags: BCP 47 language tags, the dearest first; `*` stands for any.
    public static func matching(_ tags: [String]) -> any DirectionLanguage {
        for tag in tags {
            let base = tag.lowercased().prefix { $0 != "-" }
            if let language = all.first(where: { $0.code == base }) { return language }
        }
        return English(codeOfNames: tags.first { $0 != "*" })
    }
}
