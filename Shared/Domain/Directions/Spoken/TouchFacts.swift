import Events
import Geometry
import Site

/// The facts that confirm a step to hand and foot, as far as the site states them.
struct TouchFacts: Hashable, Sendable {
    /// Sides are those of the traveller.
    var handrail: Handrail?
    /// The number of steps, where the instruction itself does not give it.
    var steps: Int?
    /// The floor covering that begins at the step's end.
    var surface: SpokenSurface?
    /// Whether ribs or knobs begin there.
    var isTactile = false

    /// The ground as a list; nil if nothing new begins.
    func ground(named word: (SpokenSurface) -> String, tactile: String) -> String? {
        let parts = [surface.map(word), isTactile ? tactile : nil].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// The ground under a traveller's feet.
struct Underfoot: Hashable, Sendable {
    var surface: SpokenSurface?
    var isTactile = false

    init() {}

    init(_ room: RoomRecord?) {
        surface = room?.surface.flatMap { SpokenSurface($0) }
        isTactile = room?.hasTactilePaving == true
    }

    init(_ connection: ConnectionRecord) {
        surface = connection.surface.flatMap { SpokenSurface($0) }
        isTactile = connection.hasTactilePaving == true
    }

    /// The part that differs from the ground before.
    func facts(after before: Underfoot) -> TouchFacts {
        TouchFacts(
            surface: surface == before.surface ? nil : surface,
            isTactile: isTactile && !before.isTactile)
    }
}

/// A door's leaf.
struct DoorLeaf: Hashable, Sendable {
    var kind: DoorKind?
    var isGlass = false
    /// The side to which it opens: `first` is towards the traveller. Nil if nobody stated it, and
    /// for doors without hinges.
    var opens: DoorSwing?

    init() {}

    init(_ record: ConnectionRecord?, isForward: Bool) {
        kind = record?.doorKind
        isGlass = record?.isGlass == true
        guard kind == nil || kind == .hinged else { return }
        opens = isForward ? record?.opens : record?.opens?.reversed
    }

    /// Whether people walk or fall against it.
    var isDangerous: Bool { isGlass || kind == .revolving }
}

/// A thing of which the words warn.
enum Danger: Hashable, Sendable {
    /// Stairs or an escalator down, or perhaps down.
    case climb(Climb)
    case door(DoorLeaf)
}

/// The grounds that each language has a word for.
public enum SpokenSurface: String, Hashable, Sendable, CaseIterable {
    case carpet, tiles, wood, stone, concrete, asphalt, paving, cobbles, gravel, grass, metal,
        rubber, linoleum

    /// - Parameter surface: a value of OpenStreetMap's key `surface`; nil for one without a word.
    public init?(_ surface: String) {
        switch surface {
        case "carpet": self = .carpet
        case "tiles", "tile", "ceramic_tiles": self = .tiles
        case "wood", "parquet", "laminate": self = .wood
        case "stone", "marble", "granite", "terrazzo": self = .stone
        case "concrete", "concrete:plates", "concrete:lanes": self = .concrete
        case "asphalt": self = .asphalt
        case "paving_stones", "paving_stones:lanes", "bricks": self = .paving
        case "sett", "cobblestone", "unhewn_cobblestone": self = .cobbles
        case "gravel", "fine_gravel", "pebblestone": self = .gravel
        case "grass": self = .grass
        case "metal", "metal_grid": self = .metal
        case "rubber": self = .rubber
        case "linoleum", "vinyl": self = .linoleum
        default: return nil
        }
    }
}

extension ConnectionRecord {
    /// The sides of the handrail for a traveller.
    func handrail(isForward: Bool) -> Handrail? { isForward ? handrail : handrail?.reversed }

    /// Whether a traveller who comes from a place goes from the first stop to the last.
    ///
    /// - Parameters:
    ///   - before: the room that he leaves, if it is known.
    ///   - after: the room that he enters, if it is known.
    func isForward(
        from point: Point, on floor: FloorID?, leaving before: RoomID?, entering after: RoomID?
    ) -> Bool {
        guard let first = stops.first, let last = stops.last, stops.count > 1 else { return true }
        if let before, first.room != last.room {
            if first.room == before { return true }
            if last.room == before { return false }
        }
        if let after, first.room != last.room {
            if last.room == after { return true }
            if first.room == after { return false }
        }
        if first.floor != last.floor {
            if first.floor == floor { return true }
            if last.floor == floor { return false }
        }
        return first.point.distance(to: point) <= last.point.distance(to: point)
    }
}
