import Site

/// What a room without a name is called: each language has a word for each.
public enum SpokenKind: String, Hashable, Sendable, CaseIterable {
    case corridor, stairs, lift, escalator, ramp, toilet, lobby, platform, room

    /// - Parameter kind: a room's, in the words of any map.
    public init(_ kind: String) {
        self =
            switch PlaceKind(kind).base {
            case PlaceKind.corridor: .corridor
            case PlaceKind.stairs: .stairs
            case PlaceKind.lift: .lift
            case PlaceKind.escalator: .escalator
            case PlaceKind.ramp: .ramp
            case PlaceKind.toilet: .toilet
            case PlaceKind.lobby: .lobby
            case PlaceKind.platform: .platform
            default: .room
            }
    }
}
