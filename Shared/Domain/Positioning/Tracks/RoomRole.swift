import Site

/// What a room is for somebody who walks, told by the words of its kind.
enum RoomRole: Hashable, Sendable {
    /// A place to be in; entered from a passage where it borders on one.
    case room
    /// A way to somewhere: corridors and the like.
    case passage
    /// Stairs, ramps: floors are changed here on foot.
    case stairs
    /// Lifts and escalators: floors are changed here, also by those who stand still.
    case lift

    private static let words: [(RoomRole, [String])] = [
        (.lift, ["lift", "elevator", "escalator"]),
        (.stairs, ["stair", "ramp"]),
        (
            .passage,
            ["corridor", "hall", "lobby", "foyer", "atrium", "concourse", "entrance", "passage"]
        ),
    ]

    /// - Parameter kind: free text for people, such as "Corridor" or "goods lift".
    init(kind: String) {
        let kind = kind.lowercased()
        let match = Self.words.first { _, words in words.contains { kind.contains($0) } }
        self = match?.0 ?? .room
    }

    var changesFloors: Bool { self == .stairs || self == .lift }
}
