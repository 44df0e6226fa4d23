/// The sides of a way on which there is a handrail, seen from its first stop to its last.
///
/// The words are those of OpenStreetMap's key `handrail`.
public enum Handrail: String, Hashable, Sendable, CaseIterable {
    case left, right, both
    /// There is one, on a side that nobody stated.
    case unstated = "yes"
    /// There is none.
    case missing = "none"

    /// As seen by somebody who comes from the last stop.
    public var reversed: Self {
        switch self {
        case .left: .right
        case .right: .left
        case .both, .unstated, .missing: self
        }
    }
}

/// How a door opens.
public enum DoorKind: String, Hashable, Sendable, CaseIterable {
    case hinged, sliding, folding, revolving
}

/// The side to which a hinged door opens.
public enum DoorSwing: String, Hashable, Sendable, CaseIterable {
    /// Towards those who come from the first stop.
    case first
    /// Towards those who come from the last stop.
    case last
    case both

    /// As seen by somebody who comes from the last stop.
    public var reversed: Self {
        switch self {
        case .first: .last
        case .last: .first
        case .both: .both
        }
    }
}

/// Whether a way leads up or down, from its first stop to its last.
public enum Ascent: String, Hashable, Sendable, CaseIterable {
    case up, down

    public var reversed: Self { self == .up ? .down : .up }
}
