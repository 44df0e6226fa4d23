import Events
import Site
public import Wayfinding

/// A language that directions are given in. One file in `Languages` has all its sentences;
/// `DirectionLanguages` lists the languages.
public protocol DirectionLanguage: Sendable {
    /// A BCP 47 language tag, such as `cy`.
    var code: String { get }

    /// A BCP 47 language tag: the language of the names within the sentences.
    var codeOfNames: String { get }

    /// One sentence or more that instruct the traveller to do the manoeuvre.
    func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String

    /// One sentence or more that lead a traveller who can't see through the step.
    func sentence(_ step: SpokenStep, _ names: DirectionNames) -> String

    /// The words some metres before a step's end: the thing there, its side, and what is dangerous.
    ///
    /// - Parameter next: the step that begins there.
    func announcement(
        of step: SpokenStep, before next: SpokenStep?, metres: Int, _ names: DirectionNames
    ) -> String

    /// The reason why the barrier stops the traveller, and how to avoid it.
    func sentence(
        _ rule: Barrier.Rule, at barrier: Barrier, _ names: DirectionNames, _ clock: LocalClock
    ) -> String

    func sentence(_ obstacle: Obstacle) -> String

    /// Explains that a route begins near its start only, since the map shows no way out of it.
    func sentence(startingNear near: ApproximateEnd, _ names: DirectionNames) -> String

    /// Says that the end of a route is closed on arrival by its opening hours, and when it opens.
    func sentence(_ end: ShutEnd, closedBy hours: String, _ names: DirectionNames) -> String

    /// The words for a room without its own name, as they stand in a list.
    func title(_ kind: SpokenKind) -> String
}

/// The reason why there is no route, in short.
public enum Obstacle: String, Hashable, Sendable, CaseIterable {
    /// No path is near the place.
    case nothingNear = "nothing-near"
    /// The map has no door to the outside.
    case noEntrance = "entrance-unknown"
    /// There are routes, but a barrier is on each of them.
    case barriers
    /// No way leads out of the start.
    case noWayOut = "island-start"
    /// No way leads to the destination.
    case noWayIn = "island-end"
    /// The ways from the start and those to the destination do not meet.
    case apart = "island-between"

    /// Nil for a query that was wrong in itself.
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

    /// The most rooms that one instruction names. More are no help to the traveller.
    static var mostLandmarks: Int { 2 }

    /// The last rooms that the walk passes, with neighbours on one side together.
    func passedSides(_ manoeuvre: Manoeuvre) -> [(rooms: [RoomID], isOnLeft: Bool)] {
        manoeuvre.landmarks.suffix(Self.mostLandmarks).reduce(into: []) { sides, passed in
            if sides.last?.isOnLeft == passed.isOnLeft {
                sides[sides.count - 1].rooms.append(passed.room)
            } else {
                sides.append(([passed.room], passed.isOnLeft))
            }
        }
    }

    /// The most letters of a name that is only a mark, such as the B of a lift.
    static var shortName: Int { 4 }
}

/// All languages of directions. To add one, add a file in `Languages` and an entry here.
public enum DirectionLanguages {
    public static let all: [any DirectionLanguage] = [English(), Welsh(), German(), Russian()]

    /// The first wanted language that has directions. If none has, the sentences are English, and
    /// names are in the most wanted language, since they stand so on the doors.
    ///
    /// - Parameter tags: BCP 47 language tags in order of preference; `*` stands for any.
    public static func matching(_ tags: [String]) -> any DirectionLanguage {
        for tag in tags {
            let base = tag.lowercased().prefix { $0 != "-" }
            if let language = all.first(where: { $0.code == base }) { return language }
        }
        return English(codeOfNames: tags.first { $0 != "*" })
    }
}

extension Barrier {
    /// Whether ways of its kind are so many that "the door" without a place means none of them.
    var isCommon: Bool { kind == .door || kind == .walk }
}

extension Barrier.Rule {
    /// The room behind the way that not everybody may enter.
    var closedRoom: RoomID? { if case .restricted(let room) = self { room } else { nil } }
}
