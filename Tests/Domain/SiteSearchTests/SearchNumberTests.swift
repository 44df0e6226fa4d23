import Events
import Site
import SiteSearch
import Testing

@Suite("Searches for numbers and words that no entry has") struct SearchNumberTests {
    private static let station = SearchIndex([
        entry(.connection, "p5", "Gleis 5"),
        entry(.room, "r67", "Leipzig 6, 7", ["de": "Gleise 6 und 7"]),
        entry(.building, "lane", "Golden Lane"),
        SearchEntry(
            kind: .room, category: "lift", id: "lift", name: "Lift A", extraTexts: ["lift"]),
        SearchEntry(
            kind: .directory, category: "gift", id: "cards", name: "Cards Galore",
            extraTexts: ["gift"]),
        SearchEntry(
            kind: .directory, category: "restroom.female", id: "wc", name: "Ladies",
            extraTexts: ["restroom.female"]),
        SearchEntry(
            kind: .room, category: "lobby", id: "601", name: "Room 601",
            extraTexts: ["Bush House"]),
        SearchEntry(
            kind: .building, id: "bush", name: "Bush House", extraTexts: ["30 Aldwych"]),
    ])

    private static func entry(
        _ kind: SearchEntry.Kind, _ id: String, _ name: String, _ names: [String: String] = [:]
    ) -> SearchEntry {
        SearchEntry(kind: kind, id: id, name: name, names: Translations(names))
    }

    private static func found(_ text: String, kinds: Set<String> = []) throws -> [String] {
        station.find(try SearchQuery(text, kinds: kinds)).results.map {
            "\($0.entry.id) \($0.match.rawValue)"
        }
    }

    @Test("A platform is found by each of its numbers and by no other")
    func platforms() throws {
        #expect(try Self.found("gleis 99") == [])
        #expect(try Self.found("gleis 8") == [])
        #expect(try Self.found("gleis 5") == ["p5 exact"])
        #expect(try Self.found("gleis 7") == ["r67 prefix"])
    }

    @Test("The room with the wanted number comes before those whose number ends with it")
    func ends() throws {
        let campus = SearchIndex([
            Self.entry(.room, "b0.2.5", "Office 1.2.06"),
            Self.entry(.room, "b2.2.5", "Office 2.06"),
            Self.entry(.room, "b9.2.5", "Office 10.2.06"),
        ])
        for text in ["office 2.06", "2.06", "206"] {
            let found = campus.find(try SearchQuery(text)).results.map(\.entry.id)
            #expect(found == ["b2.2.5", "b0.2.5", "b9.2.5"])
        }
        let one = campus.find(try SearchQuery("office 10.2.06")).results.map(\.entry.id)
        #expect(one.first == "b9.2.5")
    }

    @Test("A result that lacks a word of the query is partial, never exact")
    func partial() throws {
        #expect(try Self.found("northern golden lane") == ["lane partial"])
        #expect(try Self.found("golden lane") == ["lane exact"])
        #expect(try Self.found("room 601 please") == ["601 partial"])
    }

    @Test("One of several numbers is enough: a query may have an address beside a room number")
    func address() throws {
        #expect(try Self.found("601 bush house 30").contains("601 partial"))
    }

    @Test("A short kind is not matched with typing errors: lift is not gift")
    func lift() throws {
        #expect(try Self.found("lift") == ["lift exact"])
    }

    @Test("A filter by kind accepts the words of every map")
    func kinds() throws {
        #expect(try Self.found("ladies", kinds: ["toilet"]) == ["wc exact"])
        #expect(try Self.found("ladies", kinds: ["restroom.male"]) == [])
    }
}
