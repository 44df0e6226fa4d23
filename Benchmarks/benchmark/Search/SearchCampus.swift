import Events
import SeededRandomness
import Site
import SiteSearch

/// A generated campus of entries with names in English, Welsh and German, and the texts that people
/// type to find them.
struct SearchCampus {
    private static let rooms = 3_500
    private static let offices = 3_000
    static let entryCount = 10_000

    let entries: [SearchEntry]

    init(seed: Int) {
        var random = SeededRandom(seed: seed)
        var entries = Self.numberedRooms + Self.offices(using: &random)
        let more = Self.departments.shuffled(using: &random)
        entries += more.prefix(Self.entryCount - entries.count)
        self.entries = entries
    }

    /// Search texts, each with the id of the entry that it means.
    func questions(_ count: Int, seed: Int) -> [(text: String, id: String)] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let entry = entries.randomElement(using: &random)!
            let names =
                [entry.name] + entry.names.byLanguage.sorted { $0.key < $1.key }.map(\.value)
            return (typed(names.randomElement(using: &random)!, using: &random), entry.id)
        }
    }

    /// The name as somebody in a hurry types it. Most longer words have a typing error; one text in
    /// five has its words in another order; one in four ends early.
    private func typed(_ name: String, using random: inout SeededRandom) -> String {
        var words = name.split(separator: " ").map(String.init)
        for index in words.indices where !words[index].contains(where: \.isNumber) {
            let isMistyped = Int.random(in: 0..<5, using: &random) < 3
            if isMistyped, words[index].count >= 4 {
                words[index] = slip(in: words[index], using: &random)
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0, let last = words.last, last.count >= 8 {
            words[words.count - 1] = String(last.prefix(last.count * 2 / 3))
        }
        if Int.random(in: 0..<5, using: &random) == 0 { words.shuffle(using: &random) }
        return words.joined(separator: " ").lowercased()
    }

    private func slip(in word: String, using random: inout SeededRandom) -> String {
        var letters = Array(word)
        let place = Int.random(in: 0..<letters.count - 1, using: &random)
        let letter = "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: letters.remove(at: place)
        case 1: letters.insert(letter, at: place)
        case 2: letters[place] = letter
        default: letters.swapAt(place, place + 1)
        }
        return String(letters)
    }

    private static func entry(
        _ kind: SearchEntry.Kind, _ id: String, _ english: String, _ welsh: String, _ german: String
    ) -> SearchEntry {
        SearchEntry(
            kind: kind, id: id, floors: [FloorID("f1")], name: english,
            names: Translations(["en": english, "cy": welsh, "de": german]))
    }

    private static var numberedRooms: [SearchEntry] {
        (0..<rooms).map { number in
            let wing = ["N", "S", "E", "W", "SE"][number % 5]
            let room = String(number / 5 % 70 + 1)
            let label = "(\(wing))\(number / 350).\(room.count == 1 ? "0" : "")\(room)"
            return entry(
                .room, "room-\(number)", "Seminar Room \(label)", "Ystafell Seminar \(label)",
                "Seminarraum \(label)")
        }
    }

    private static func offices(using random: inout SeededRandom) -> [SearchEntry] {
        let people = firstNames.flatMap { first in lastNames.map { "\(first) \($0)" } }
        return people.shuffled(using: &random).prefix(offices).map { person in
            entry(
                .directory, "office of \(person)", "Office of \(person)", "Swyddfa \(person)",
                "Büro \(person)")
        }
    }

    private static var departments: [SearchEntry] {
        kinds.flatMap { kind in
            subjects.flatMap { subject in
                places.map { place in
                    entry(
                        .directory, "\(kind[0]) \(subject[0]) \(place[0])",
                        "\(place[0]) \(subject[0]) \(kind[0])",
                        "\(kind[1]) \(subject[1]) \(place[1])",
                        "\(kind[2]) \(subject[2]) \(place[2])")
                }
            }
        }
    }

    private static let firstNames = [
        "Seren", "Rhys", "Angharad", "Gwilym", "Oliver", "Amelia", "Günther", "Jürgen", "Matthias",
        "Katharina", "Siân", "Dafydd", "Eleri", "Harriet", "Benjamin", "Charlotte", "Friedrich",
        "Brigitte", "Sebastian", "Myfanwy", "Priya", "Mohammed", "Chidinma", "Søren", "Zoë",
        "Nicholas", "Victoria", "Llewelyn", "Branwen", "Theodore", "Margaret", "Ulrike", "Heinrich",
        "Annegret", "Alexander", "Francesca", "Gwenllian", "Iorwerth", "Penelope", "Dominic",
        "Wolfgang", "Elisabeth", "Tomos", "Catrin", "Jonathan", "Stephanie", "Aoife", "Niamh",
        "Cornelius", "Rosalind",
    ]
    private static let lastNames = [
        "Hughes", "Llewellyn", "Pritchard", "Gruffydd", "Müller", "Schröder", "Weiß", "Großmann",
        "Köhler", "Atkinson", "Blackwood", "Carmichael", "Davenport", "Ellsworth", "Fitzgerald",
        "Okonkwo", "Ramanathan", "Henderson", "Jørgensen", "Kowalczyk", "Lindqvist", "MacDonald",
        "Nightingale", "Oppenheimer", "Pemberton", "Quigley", "Rutherford", "Schönberg",
        "Thistlethwaite", "Underwood", "Vaughan", "Wetherby", "Yilmaz", "Zimmermann", "Bevan",
        "Cadwaladr", "Eynon", "Ffoulkes", "Goronwy", "Howells", "Jenkins", "Kendrick", "Meredith",
        "Nicholls", "Owens", "Parry", "Rosser", "Tudor", "Watkins", "Bäcker", "Fröhlich", "Jäger",
        "König", "Löwe", "Nußbaum", "Pfänder", "Röttger", "Süßmilch", "Trautwein", "Vögele",
    ]
    private static let kinds = [
        ["Department", "Adran", "Institut"], ["Laboratory", "Labordy", "Labor"],
        ["Library", "Llyfrgell", "Bibliothek"], ["Workshop", "Gweithdy", "Werkstatt"],
        ["Lecture Theatre", "Darlithfa", "Hörsaal"], ["Reception", "Derbynfa", "Empfang"],
        ["Archive", "Archif", "Archiv"], ["Collection", "Casgliad", "Sammlung"],
        ["Studio", "Stiwdio", "Atelier"], ["Common Room", "Ystafell Gyffredin", "Aufenthaltsraum"],
        ["Helpdesk", "Desg Gymorth", "Auskunft"], ["Store", "Storfa", "Lager"],
        ["Exhibition", "Arddangosfa", "Ausstellung"], ["Society", "Cymdeithas", "Gesellschaft"],
    ]
    private static let subjects = [
        ["Physics", "Ffiseg", "Physik"], ["Chemistry", "Cemeg", "Chemie"],
        ["Biology", "Bioleg", "Biologie"], ["Mathematics", "Mathemateg", "Mathematik"],
        ["Informatics", "Gwybodeg", "Informatik"], ["History", "Hanes", "Geschichte"],
        ["Philosophy", "Athroniaeth", "Philosophie"], ["Geography", "Daearyddiaeth", "Geographie"],
        ["Law", "Y Gyfraith", "Recht"], ["Medicine", "Meddygaeth", "Medizin"],
        ["Nursing", "Nyrsio", "Pflege"], ["Music", "Cerddoriaeth", "Musik"],
        ["Theatre", "Theatr", "Theater"], ["Astronomy", "Seryddiaeth", "Astronomie"],
        ["Psychology", "Seicoleg", "Psychologie"], ["Economics", "Economeg", "Wirtschaft"],
        ["Languages", "Ieithoedd", "Sprachen"], ["Archaeology", "Archaeoleg", "Archäologie"],
        ["Engineering", "Peirianneg", "Ingenieurwesen"],
        ["Agriculture", "Amaethyddiaeth", "Landbau"],
        ["Education", "Addysg", "Pädagogik"], ["Sociology", "Cymdeithaseg", "Soziologie"],
        ["Theology", "Diwinyddiaeth", "Theologie"], ["Politics", "Gwleidyddiaeth", "Politik"],
        ["Statistics", "Ystadegau", "Statistik"], ["Dentistry", "Deintyddiaeth", "Zahnmedizin"],
        ["Pharmacy", "Fferylliaeth", "Pharmazie"], ["Oceanography", "Eigioneg", "Meereskunde"],
        ["Geology", "Daeareg", "Geologie"], ["Robotics", "Roboteg", "Robotik"],
        ["Linguistics", "Ieithyddiaeth", "Sprachwissenschaft"], ["Sport", "Chwaraeon", "Sport"],
        ["Film", "Ffilm", "Film"], ["Celtic Studies", "Astudiaethau Celtaidd", "Keltologie"],
        ["Accessibility", "Hygyrchedd", "Barrierefreiheit"],
    ]
    private static let places = [
        ["Old", "Hen", "Alt"], ["New", "Newydd", "Neu"], ["North", "Gogledd", "Nord"],
        ["South", "De", "Süd"], ["Upper", "Uchaf", "Oben"], ["Central", "Canolog", "Mitte"],
        ["Riverside", "Glan yr Afon", "Am Fluß"], ["Castle", "Castell", "Schloß"],
    ]
}
