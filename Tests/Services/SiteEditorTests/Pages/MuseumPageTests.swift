import Events
import Foundation
import Geometry
import HTTP
import SampleSites
import ServiceBench
import Site
import Testing

@testable import SiteEditor

/// The page of a museum with names in three languages.
@Suite("The museum's page") struct MuseumPageTests {
    private static func pages(outages: [String] = []) async throws -> PageBench {
        try await PageBench(outages: outages) { $0 = SampleMuseum.document }
    }

    @Test(
        "The site has its name in the reader's language",
        arguments: [
            ("en", "Museum of the Coast"), ("cy", "Amgueddfa'r Arfordir"), ("de", "Küstenmuseum"),
        ])
    func siteName(language: String, name: String) async throws {
        let answer = try await Self.pages().get("/s/sample?lang=\(language)")
        let name = name.replacing("'", with: "&#39;")
        #expect(answer.text.contains("/s/sample?lang=\(language)\">\(name)</a></h1>"))
        let title = try #require(answer.text.firstMatch(of: /<title>([^<]*)</)).1
        #expect(title.contains(name), "\(title)")
    }

    @Test("All kinds of its rooms and of its directory have words in each language")
    func kinds() {
        let document = SampleMuseum.document
        for kind in Set(document.rooms.map(\.kind) + document.directory.map(\.kind)) {
            for words in PageWords.all { #expect(words.text("kind.\(kind)") != nil, "\(kind)") }
        }
    }

    @Test("Who comes by a poster's code reads the rooms of the floor", arguments: ["at", "kiosk"])
    func poster(member: String) async throws {
        let answer = try await Self.pages().get("/s/sample?\(member)=foyer&lang=en")
        #expect(answer.text.contains(">Rooms · Ground floor</h2>"), "\(answer.text)")
        #expect(answer.text.contains(">Harbour Café</a>"))
    }

    @Test("The card of an entry has the hours of its only room, its floor and its map")
    func entry() async throws {
        let answer = try await Self.pages().get("/s/sample?entry=learning&lang=en")
        #expect(answer.text.contains("Thursday 18:00 to 20:00"), "\(answer.text)")
        #expect(answer.text.contains("<dd>First floor</dd>"))
        #expect(answer.text.contains("map?floor=museum.1"))
    }

    @Test("The card of a lift says that it is out of order, and no other card does")
    func outage() async throws {
        let pages = try await Self.pages(outages: ["lift"])
        for room in ["lift.0", "lift.1"] {
            let answer = try await pages.get("/s/sample?room=\(room)&lang=en")
            #expect(answer.text.contains("<dd>Out of order: broken</dd>"), "\(answer.text)")
        }
        for room in ["stairs.0", "gallery"] {
            let answer = try await pages.get("/s/sample?room=\(room)&lang=en")
            #expect(!answer.text.contains("Out of order"))
        }
    }

    @Test("Twins of the directory say what is near")
    func twins() async throws {
        let pages = try await PageBench { document in
            document = SampleMuseum.document
            for index in document.rooms.indices
            where ["egypt", "greece"].contains(document.rooms[index].id.text) {
                document.rooms[index].name = "Hall"
                document.rooms[index].names = Translations()
            }
        }
        let answer = try await pages.get("/s/sample?panel=directory&lang=en")
        let lines = answer.text.matches(of: />Hall<\/a>([^<]*)</).map { String($0.1) }
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(" near ") }, "\(lines)")
        #expect(Set(lines).count == 2)
    }
}
