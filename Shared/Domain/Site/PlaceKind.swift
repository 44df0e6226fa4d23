/// The kind of a room or of a directory entry, in one vocabulary for the words of OpenStreetMap,
/// IMDF and people. So `toilets`, `Toilette` and `restroom.female` are toilets, the last one for
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
        let first = parts.first.map(Self.plain) ?? ""
        base = Self.baseOfWord[first] ?? first
        qualifiers = Set(parts.dropFirst().map(String.init))
    }

    /// The kind of a connection of which people look for the nearest one, such as a lift; nil for
    /// walks and doors.
    public init?(_ connection: ConnectionRecord.Kind) {
        switch connection {
        case .lift, .platformLift, .stairs, .escalator, .ramp: self.init(connection.rawValue)
        case .walk, .door: return nil
        }
    }

    /// Whether a place of this kind serves somebody who asks for `asked`. Platform lifts serve who
    /// asks for a lift, and lifts don't serve who asks for a platform lift.
    public func satisfies(_ asked: PlaceKind) -> Bool {
        asked.servingBases.contains(base) && asked.qualifiers.isSubset(of: qualifiers)
    }

    /// The bases of the kinds whose places serve somebody who asks for this kind, its own first.
    public var servingBases: [String] {
        base == Self.lift ? [base, Self.platformLift] : [base]
    }

    public static let toilet = "toilet"
    public static let lift = "lift"
    public static let platformLift = "platformlift"
    public static let stairs = "stairs"
    public static let corridor = "corridor"
    public static let escalator = "escalator"
    public static let ramp = "ramp"
    public static let lobby = "lobby"
    public static let platform = "platform"

    /// The words that people say for places of this kind. Their languages are those of the
    /// directions: English, German, Welsh and Russian. So a search for `WC` finds toilets. None for
    /// a kind of its own.
    public var saidWords: [String] { Self.saidOfBase[base] ?? [] }

    private struct Words {
        var base: String
        /// The words that people say, for searches. A kind may be one of these too.
        var said: [String] = []
        /// Further words of maps, which searches don't know.
        var written: [String] = []
    }

    /// Each word stands for one base.
    private static let words: [Words] = [
        Words(
            base: toilet,
            said: [
                "toilet", "toilets", "WC", "restroom", "lavatory", "washroom", "loo", "Toilette",
                "Klo", "toiled", "tŷ bach", "туалет",
            ], written: ["restrooms", "bathroom"]),
        Words(
            base: lift, said: ["lift", "elevator", "Aufzug", "Fahrstuhl", "lifft", "лифт"],
            written: ["lifts", "elevators"]),
        Words(
            base: stairs, said: ["stairs", "staircase", "Treppe", "grisiau", "лестница"],
            written: ["stair", "steps", "stairwell"]),
        Words(base: corridor, written: ["corridors", "walkway", "hallway", "passage"]),
        Words(
            base: escalator, said: ["escalator", "Rolltreppe", "эскалатор"],
            written: ["escalators"]),
        Words(base: ramp, written: ["ramps"]),
        Words(
            base: lobby, said: ["lobby", "foyer", "Eingangshalle", "cyntedd", "вестибюль"],
            written: ["entrance hall"]),
        Words(base: platform, written: ["platforms"]),
        Words(base: "meetingroom", written: ["conference room", "meeting rooms"]),
        Words(
            base: "information",
            said: ["information", "helpdesk", "Auskunft", "gwybodaeth", "справочная"],
            written: ["information desk", "info desk"]),
        Words(
            base: "firstaid", said: ["first aid", "Erste Hilfe", "cymorth cyntaf"],
            written: ["first aid room"]),
        Words(
            base: "drinkingwater", said: ["drinking water", "Trinkwasser", "dŵr yfed"],
            written: ["drinking fountain", "water fountain"]),
        Words(base: "shower", said: ["shower", "Dusche", "cawod", "душ"], written: ["showers"]),
        Words(
            base: "babychanging", said: ["baby changing", "Wickelraum", "newid babi"],
            written: ["mothers room", "baby care", "changing table"]),
        Words(
            base: "luggagelocker", said: ["lockers", "Schließfächer", "loceri"],
            written: ["locker", "luggage storage"]),
        Words(base: "waitingroom", written: ["waiting area"]),
        Words(
            base: "foodservice", said: ["canteen", "Mensa", "Kantine", "ffreutur", "столовая"],
            written: ["food court"]),
        Words(
            base: "cafe", said: ["cafe", "coffee", "Kaffee", "caffi", "кафе"],
            written: ["coffee shop", "café"]),
    ]

    /// In small letters, without spaces, hyphens and underscores.
    private static func plain(_ word: some StringProtocol) -> String {
        word.lowercased().filter { !" _-".contains($0) }
    }

    private static let baseOfWord: [String: String] = {
        var bases: [String: String] = [:]
        for entry in words {
            for word in entry.said + entry.written { bases[plain(word)] = entry.base }
        }
        return bases
    }()

    private static let saidOfBase = Dictionary(
        uniqueKeysWithValues: words.map { ($0.base, $0.said) })
}
