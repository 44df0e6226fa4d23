import Site

/// The role of a room for somebody who walks, found from the words of its kind.
enum RoomRole: Hashable, Sendable {
    /// A room to stay in. It is entered from a passage, if it borders on one.
    case room
    /// A corridor or another way to somewhere.
    case passage
    /// Stairs and ramps: people change floors here on foot.
    case stairs
    /// Lifts and escalators: people change floors here while standing still.
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
