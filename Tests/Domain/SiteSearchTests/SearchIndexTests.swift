import Events
import SeededRandomness
import Site
import SiteSearch
import Testing

@Suite("SearchIndex") struct SearchIndexTests {
    static let campus = SearchIndex([
        room("601", "(S)6.01", floor: "s6", ["Bush House"]),
        room("602", "(S)6.02", floor: "s6", ["Bush House"]),
        room("1601", "(N)16.01", floor: "n16"),
        room("lab", "Informatics Lab", floor: "s6", ["laboratory"]),
        room("cafe", "Café", floor: "g", ["cy": "Caffi", "de": "Cafeteria", "fr": "Café"]),
        room(
            "library", "Library", floor: "g",
            ["cy": "Llyfrgell", "de": "Bibliothek", "el": "Βιβλιοθήκη"]),
        room("library-cafe", "Library Café", floor: "g", ["cy": "Caffi'r Llyfrgell"]),
        room("hall", "Große Halle", floor: "g", ["en": "Great Hall", "cy": "Neuadd Fawr"]),
        room("mueller", "Büro Müller", floor: "s6"),
        room("office", "Office", floor: "s6", ["de": "Hall"]),
        SearchEntry(
            kind: .connection, id: "lift-b", floors: ["g", "s6"].map(FloorID.init), name: "Lift B",
            names: Translations(["cy": "Lifft B", "de": "Aufzug B"]), extraTexts: ["lift"]),
        SearchEntry(
            kind: .directory, category: "department", id: "informatics",
            name: "Department of Informatics",
            names: Translations(["cy": "Adran Gwybodeg", "de": "Institut für Informatik"])),
    ])

    static func room(
        _ id: String, _ name: String, floor: String, _ names: [String: String] = [:],
        _ extra: [String] = []
    ) -> SearchEntry {
        SearchEntry(
            kind: .room, id: id, floors: [FloorID(floor)], name: name, names: Translations(names),
            extraTexts: extra)
    }

    static func room(
        _ id: String, _ name: String, floor: String, _ extra: [String]
    ) -> SearchEntry { room(id, name, floor: floor, [:], extra) }

    static func ids(_ text: String, in language: String? = nil) throws -> [String] {
        campus.find(try SearchQuery(text, language: language)).results.map(\.entry.id)
    }

    @Test(
        "The result that a person means comes first",
        arguments: [
            ("(S)6.01", "601"), ("S6.01", "601"), ("s 6.01", "601"), ("601", "601"),
            ("6.01", "601"), ("bush house 601", "601"), ("601 bush", "601"), ("16.01", "1601"),
            ("library", "library"), ("libary", "library"), ("lirbary", "library"),
            ("llyfrgel", "library"), ("Lyfrgell", "library"), ("biblio", "library"),
            ("Bibliotek", "library"), ("βιβλιοθηκη", "library"), ("cafe library", "library-cafe"),
            ("CAFÉ", "cafe"), ("caffi", "cafe"), ("caffi'r llyfrgell", "library-cafe"),
            ("grosse halle", "hall"), ("GROSSE", "hall"), ("große", "hall"), ("neuad", "hall"),
            ("mueller", "mueller"), ("muller", "mueller"), ("Müller", "mueller"),
            ("buero muler", "mueller"), ("laboratory", "lab"),
            ("informatics department", "informatics"),
            ("aufzug", "lift-b"), ("lift b", "lift-b"), ("nearest library please", "library"),
        ])
    func finds(text: String, id: String) throws {
        #expect(try Self.ids(text).first == id)
    }

    @Test("Another number is another room")
    func numbersAreExact() throws {
        #expect(try Self.ids("603").isEmpty)
        #expect(try Self.ids("601") == ["601"])
        #expect(try Self.ids("60") == ["601", "602"])
    }

    @Test("An exact match comes before the beginning of a word, and that before a typing error")
    func gradesInOrder() throws {
        let index = SearchIndex(
            ["hallway", "halt", "hall"].map { Self.room($0, $0, floor: "g") })
        let results = index.find(try SearchQuery("hall")).results
        #expect(results.map(\.entry.id) == ["hall", "hallway", "halt"])
        #expect(results.map(\.match) == [.exact, .prefix, .typo])
    }

    @Test("A name comes before an extra word, and the reader's language before others")
    func fieldsInOrder() throws {
        #expect(try Self.ids("informatics").first == "informatics")
        #expect(try Self.ids("lift").first == "lift-b")
        #expect(try Self.ids("hall", in: "en").prefix(2) == ["hall", "office"])
        #expect(try Self.ids("hall", in: "de").prefix(2) == ["office", "hall"])
        #expect(try Self.ids("hall", in: "de-CH").first == "office")
    }

    @Test("Kinds and floors are filters")
    func filters() throws {
        let lifts = try SearchQuery("lift", kinds: ["connection"], floor: FloorID("s6"))
        #expect(Self.campus.find(lifts).results.map(\.entry.id) == ["lift-b"])
        let nothing = try SearchQuery("lift", kinds: ["connection"], floor: FloorID("n16"))
        #expect(Self.campus.find(nothing).results.isEmpty)
        let rooms = try SearchQuery("informatics", kinds: ["room"])
        #expect(Self.campus.find(rooms).results.map(\.entry.id) == ["lab"])
        let departments = try SearchQuery("informatics", kinds: ["department", "shop"])
        #expect(Self.campus.find(departments).results.map(\.entry.id) == ["informatics"])
    }

    @Test("A name is given in the reader's language")
    func displayedNames() throws {
        let library = Self.campus.entries[5]
        #expect(library.name(in: "cy") == "Llyfrgell")
        #expect(library.name(in: "de-CH") == "Bibliothek")
        #expect(library.name(in: "ja") == "Library")
        #expect(library.name(in: nil) == "Library")
    }

    @Test("An empty query finds nothing; too long a query is refused")
    func limits() throws {
        #expect(try Self.ids("").isEmpty)
        #expect(try Self.ids("?! -").isEmpty)
        #expect(try Self.ids("xyzzy").isEmpty)
        #expect(throws: SearchFault.queryTooLong) {
            try SearchQuery(String(repeating: "a", count: 201))
        }
        #expect(throws: SearchFault.limitOutOfRange) { try SearchQuery("a", limit: 0) }
        #expect(throws: SearchFault.limitOutOfRange) { try SearchQuery("a", limit: 101) }
        #expect(SearchCursor("-1") == nil)
        #expect(SearchCursor("1 2") == nil)
        #expect(SearchIndex([]).find(try SearchQuery("a")).results.isEmpty)
    }

    @Test("The index agrees with a search through every entry, page by page", arguments: 0..<12)
    func agreesWithPlainSearch(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let entries = RandomEntries.make(40, using: &random)
        let index = SearchIndex(entries)
        let plain = PlainSearch(entries: entries)
        for _ in 0..<8 {
            let text = RandomEntries.question(about: entries, using: &random)
            let language = ["cy", "de", nil].randomElement(using: &random)!
            let floor = Int.random(in: 0..<4, using: &random) == 0 ? FloorID("f1") : nil
            let kinds: Set<String> =
                Int.random(in: 0..<4, using: &random) == 0 ? ["room", "shop"] : []
            var query = try SearchQuery(
                text, language: language, kinds: kinds, floor: floor, limit: 4)
            let expected = plain.find(query)
            var found: [String] = []
            repeat {
                let page = index.find(query)
                found += page.results.map { "\($0.entry.kind) \($0.entry.id)" }
                query.after = page.next.flatMap { SearchCursor($0.description) }
            } while query.after != nil
            #expect(found == expected, "\(text)")
        }
    }
}

/// Random entries that share a few words, and queries for them.
enum RandomEntries {
    static let words = [
        "library", "Llyfrgell", "Café", "Müller", "Straße", "hall", "hallway", "halt", "lab",
        "(S)6.01", "6.02", "16.01", "K4U", "King's", "coffee-shop", "Tŷ", "information",
    ]

    static func make(_ count: Int, using random: inout SeededRandom) -> [SearchEntry] {
        (0..<count).map { number in
            func text() -> String {
                (0..<Int.random(in: 1...3, using: &random))
                    .map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
            }
            var names: [String: String] = [:]
            for language in ["cy", "de"] where Bool.random(using: &random) {
                names[language] = text()
            }
            return SearchEntry(
                kind: [.room, .zone, .directory].randomElement(using: &random)!,
                category: ["shop", nil].randomElement(using: &random)!,
                id: "e\(number)",
                floors: [FloorID("f\(Int.random(in: 0..<3, using: &random))")], name: text(),
                names: Translations(names), extraTexts: Bool.random(using: &random) ? [text()] : [])
        }
    }

    /// Words of a name in another order: some with a typing error, some cut off, some of no entry.
    static func question(
        about entries: [SearchEntry], using random: inout SeededRandom
    ) -> String {
        let name = entries.randomElement(using: &random)!.name
        return name.split(separator: " ").shuffled(using: &random).map { word in
            var letters = Array(word)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: letters.remove(at: Int.random(in: 0..<letters.count, using: &random))
            case 1: letters.swapAt(0, letters.count - 1)
            case 2: letters.removeLast(letters.count / 2)
            case 3: letters.append("q")
            default: break
            }
            return String(letters)
        }.joined(separator: " ")
    }
}
