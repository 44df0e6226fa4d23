import Site

/// Words that people say for kinds of place, beside the kind's own word. So `WC` finds toilets.
///
/// The languages are those of the directions: English, German, Welsh and Russian.
enum KindWords {
    /// The words of a kind; none for a kind that is not here.
    static func words(of kind: String) -> [String] { words[PlaceKind(kind).base] ?? [] }

    private static let words: [String: [String]] = [
        PlaceKind.toilet: [
            "toilet", "toilets", "WC", "restroom", "lavatory", "washroom", "loo", "Toilette", "Klo",
            "toiled", "tŷ bach", "туалет",
        ],
        PlaceKind.lift: ["lift", "elevator", "Aufzug", "Fahrstuhl", "lifft", "лифт"],
        PlaceKind.stairs: ["stairs", "staircase", "Treppe", "grisiau", "лестница"],
        PlaceKind.escalator: ["escalator", "Rolltreppe", "эскалатор"],
        PlaceKind.lobby: ["lobby", "foyer", "Eingangshalle", "cyntedd", "вестибюль"],
        "information": ["information", "helpdesk", "Auskunft", "gwybodaeth", "справочная"],
        "firstaid": ["first aid", "Erste Hilfe", "cymorth cyntaf"],
        "shower": ["shower", "Dusche", "cawod", "душ"],
        "babychanging": ["baby changing", "Wickelraum", "newid babi"],
        "luggagelocker": ["lockers", "Schließfächer", "loceri"],
        "drinkingwater": ["drinking water", "Trinkwasser", "dŵr yfed"],
        "cafe": ["cafe", "coffee", "Kaffee", "caffi", "кафе"],
        "foodservice": ["canteen", "Mensa", "Kantine", "ffreutur", "столовая"],
    ]
}
