import Site

/// The kinds of room that each language has a word for. A room without a name is called by its
/// kind.
public enum SpokenKind: String, Hashable, Sendable, CaseIterable {
    case corridor, stairs, lift, escalator, ramp, toilet, lobby, platform, room

    /// - Parameter kind: a room's kind as the site's records or an imported map write it.
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
