/// The words on a map that are not names.
struct MapTexts: Sendable {
    let accessibleEntrance: String
    let entrance: String
    let automaticDoor: String
    let lift: String
    let platformLift: String
    let stairs: String
    let escalator: String
    let ramp: String
    let toilet: String
    let food: String
    let information: String
    let closed: String
    let route: String
    let outdoors: String
    let level: String
    let north: String

    /// The words in the language, or else in English.
    static func words(in language: String?) -> MapTexts {
        switch language?.prefix(2).lowercased() {
        case "cy": welsh
        case "de": german
        default: english
        }
    }

    private static let english = MapTexts(
        accessibleEntrance: "Step-free entrance", entrance: "Entrance",
        automaticDoor: "Automatic door", lift: "Lift", platformLift: "Platform lift",
        stairs: "Stairs", escalator: "Escalator", ramp: "Ramp", toilet: "Toilets",
        food: "Food and drink", information: "Information", closed: "No public access",
        route: "Your way", outdoors: "Outdoors", level: "Level", north: "N")

    private static let welsh = MapTexts(
        accessibleEntrance: "Mynedfa heb risiau", entrance: "Mynedfa",
        automaticDoor: "Drws awtomatig", lift: "Lifft", platformLift: "Lifft platfform",
        stairs: "Grisiau", escalator: "Grisiau symudol", ramp: "Ramp", toilet: "Toiledau",
        food: "Bwyd a diod", information: "Gwybodaeth", closed: "Dim mynediad i'r cyhoedd",
        route: "Eich ffordd", outdoors: "Y tu allan", level: "Llawr", north: "G")

    private static let german = MapTexts(
        accessibleEntrance: "Stufenloser Eingang", entrance: "Eingang",
        automaticDoor: "Automatische Tür", lift: "Aufzug", platformLift: "Plattformlift",
        stairs: "Treppe", escalator: "Rolltreppe", ramp: "Rampe", toilet: "Toiletten",
        food: "Essen und Trinken", information: "Auskunft", closed: "Kein Zutritt",
        route: "Ihr Weg", outdoors: "Im Freien", level: "Ebene", north: "N")
}
