import Site

/// The barriers that anybody may report, from a short list. There is no text by people: so nothing
/// that a stranger writes is shown to others.
public enum BarrierKind: String, Hashable, Sendable, CaseIterable {
    case lift = "lift-out-of-order"
    case door = "door-locked"
    case way = "way-blocked"
    case steps = "steps-unusable"
    case other = "other-barrier"

    /// Whether such a barrier can be on a connection of this kind.
    func suits(_ connection: ConnectionRecord.Kind) -> Bool {
        switch self {
        case .lift: connection == .lift || connection == .platformLift
        case .door: connection == .door
        case .steps: connection == .stairs || connection == .escalator || connection == .ramp
        case .way, .other: true
        }
    }

    /// The reason of the outage, in words for people: those of the kind. So the visitor's app knows
    /// the kind, and has it in its languages.
    public var reason: String {
        switch self {
        case .lift: "Lift out of order"
        case .door: "Door locked"
        case .way: "Way blocked"
        case .steps: "Steps unusable"
        case .other: "Other barrier"
        }
    }

    /// The connections that it can be on, in words.
    public var connections: String {
        switch self {
        case .lift: "lift"
        case .door: "door"
        case .steps: "stairs, escalator or ramp"
        case .way, .other: "door, lift, stairs or way"
        }
    }
}
