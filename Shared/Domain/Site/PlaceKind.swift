/// The kind of a room or of a directory entry, in one vocabulary for the words of OpenStreetMap,
/// IMDF and people. So `toilets`, `toilet` and `restroom.female` are toilets, the last one for
/// women.
///
/// A word that is in no list here is a kind of its own, in small letters.
public struct PlaceKind: Hashable, Sendable {
    /// One word for all that mean the same, such as `toilet`.
    public let base: String
    /// Further words such as female or wheelchair, which IMDF writes after dots.
    public let qualifiers: Set<String>

    public init(_ word: String) {
        let parts = word.lowercased().split(separator: ".", omittingEmptySubsequences: true)
        let first = parts.first.map { $0.filter { !" _-".contains($0) } } ?? ""
        base = Self.baseOfWord[first] ?? first
        qualifiers = Set(parts.dropFirst().map(String.init))
    }

    /// Whether a place of this kind serves somebody who asks for `asked`.
    public func satisfies(_ asked: PlaceKind) -> Bool {
        base == asked.base && asked.qualifiers.isSubset(of: qualifiers)
    }

    public static let toilet = "toilet"
    public static let lift = "lift"
    public static let stairs = "stairs"
    public static let corridor = "corridor"
    public static let escalator = "escalator"
    public static let ramp = "ramp"
    public static let lobby = "lobby"
    public static let platform = "platform"

    /// In small letters, without spaces, hyphens and underscores.
    private static let words: [(base: String, words: [String])] = [
        (toilet, ["toilets", "restroom", "restrooms", "wc", "lavatory", "bathroom", "washroom"]),
        (lift, ["lifts", "elevator", "elevators"]),
        (stairs, ["stair", "steps", "staircase", "stairwell"]),
        (corridor, ["corridors", "walkway", "hallway", "passage"]),
        (escalator, ["escalators"]),
        (ramp, ["ramps"]),
        (lobby, ["foyer", "entrancehall"]),
        (platform, ["platforms"]),
        ("meetingroom", ["conferenceroom", "meetingrooms"]),
        ("information", ["informationdesk", "infodesk", "helpdesk"]),
        ("firstaid", ["firstaidroom"]),
        ("drinkingwater", ["drinkingfountain", "waterfountain"]),
        ("shower", ["showers"]),
        ("babychanging", ["mothersroom", "babycare", "changingtable"]),
        ("luggagelocker", ["lockers", "locker", "luggagestorage"]),
        ("waitingroom", ["waitingarea"]),
        ("foodservice", ["canteen", "foodcourt"]),
        ("cafe", ["coffee", "coffeeshop", "café"]),
    ]

    private static let baseOfWord: [String: String] = {
        var bases: [String: String] = [:]
        for (base, others) in words { for word in others { bases[word] = base } }
        return bases
    }()
}
