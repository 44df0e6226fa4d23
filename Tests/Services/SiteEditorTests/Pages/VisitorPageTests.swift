import Events
import Foundation
import HTTP
import SampleSites
import ServiceBench
import Site
import Testing

@testable import SiteEditor

@Suite("Pages of visitors without JavaScript") struct VisitorPageTests {
    private static let route = """
        {"found": true, "routes": [{"distanceMetres": 21.6, "seconds": 130,
          "arriveAt": "2026-11-22T00:02:10.000Z",
          "instructions": [{"text": "Turn left & walk 12 metres.", "distanceMetres": 12.4},
                           {"text": "You have arrived: <b>Room B</b>.", "distanceMetres": 0}],
          "legs": [{"paths": [{"floor": "ground", "metres": [[1, 1], [2, 2]]}]},
                   {"paths": [{"floor": "ground", "metres": [[2, 2], [3, 2]]},
                              {"floor": "first", "metres": [[3, 2], [4, 2]]}]}]}]}
        """

    @Test("The page has the head that the app needs, in the reader's language")
    func head() async throws {
        let pages = try await PageBench()
        let answer = try await pages.get("/s/sample", ["accept-language": "fr, cy;q=0.8, en;q=0.9"])
        #expect(answer.status == 200)
        for part in [
            "<html lang=\"en\">",
            "<body data-site=\"sample\" data-following=\"later\" data-kinds=\"\">",
            "<main id=\"page\">",
            "<link rel=\"stylesheet\" href=\"/app/app.css\">",
            "<link rel=\"modulepreload\" href=\"/app/main.js\">",
            "<script data-main=\"/app/main.js\">",
            "hreflang=\"de\" href=\"/s/sample?lang=de\"", "/s/sample/map?floor=ground",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        #expect(answer.headers["content-security-policy"] == "x")
        #expect(!answer.text.contains("style="))
        let welsh = try await pages.get("/s/sample?lang=cy-GB", ["accept-language": "de"])
        #expect(welsh.text.contains("<html lang=\"cy\">") && welsh.text.contains("Dangos"))
    }

    @Test(
        "A way is numbered steps with distances and the time of arrival, and a map for each floor")
    func way() async throws {
        let pages = try await PageBench(route: (200, Self.route))
        let answer = try await pages.get(
            "/s/sample?from=A&to=B&profile=wheelchair&lang=cy", [:])
        #expect(answer.text.contains("20 m, 2 mun. Byddwch yn cyrraedd am 00:02."))
        #expect(answer.text.contains("<li>Turn left &amp; walk 12 metres.</li>"))
        #expect(answer.text.contains("<li>You have arrived: &lt;b&gt;Room B&lt;/b&gt;.</li>"))
        let question = try #require(pages.questions.bodies.first)
        for part in [
            #""from":{"room":"A"}"#, #""to":[{"room":"B"}]"#, #""profile":"wheelchair""#,
            #""language":"cy""#,
        ] {
            #expect(question.contains(part), "\(question)")
        }
        let maps = answer.text.matches(of: /<img src="([^"]+)"/).map {
            String($0.1).replacingOccurrences(of: "&amp;", with: "&")
        }
        #expect(maps.count == 2)
        #expect(maps[0].contains("floor=ground") && maps[1].contains("floor=first"))
        let map = try await pages.get(
            try #require(maps[0].removingPercentEncoding).replacingOccurrences(of: " ", with: ""))
        #expect(map.status == 200 && map.headers["content-type"] == "image/svg+xml")
        #expect(map.text.contains("<polyline"))
    }

    @Test("A name is found by search; one of several is chosen by a link")
    func names() async throws {
        let pages = try await PageBench(route: (200, Self.route))
        let one = try await pages.get(
            "/s/sample?from=Room%20A&to=Room%20B".removingPercentEncoding!)
        #expect(one.text.contains("From Room A to Room B"))
        let several = try await pages.get("/s/sample?from=A&to=room")
        #expect(several.text.contains("Which “room” do you want to go to?"))
        #expect(several.text.contains("Room B</a> · Level G"))
        #expect(several.text.contains("href=\"/s/sample?from=A&amp;to=B"))
        let unknown = try await pages.get("/s/sample?to=aquarium")
        #expect(unknown.text.contains("Nothing here is called “aquarium”."))
        // The form sends the name that it showed, and the id behind it.
        let again = try await pages.get("/s/sample?from=Room A&fromId=A&to=Room D&toId=D")
        #expect(again.text.contains("value=\"Room D\"") && again.text.contains("value=\"D\""))
    }

    @Test("Without a way the page says why; without the router it says so")
    func noWay() async throws {
        let reason = """
            {"found": false, "routes": [], "reason": {"code": "x", "text": "Steps are in the way.",
              "barriers": [{"text": "The <stairs> have steps."}]}}
            """
        let none = try await PageBench(route: (200, reason)).get("/s/sample?from=A&to=B")
        #expect(none.text.contains("<li>Steps are in the way.</li>"))
        #expect(none.text.contains("<li>The &lt;stairs&gt; have steps.</li>"))
        let refused = try await PageBench(
            route: (422, #"{"code": "route-malformed", "detail": "Name another start."}"#)
        ).get("/s/sample?from=A&to=B")
        #expect(refused.text.contains("<li>Name another start.</li>"))
        for route in [nil, (503, "{}"), (200, "no JSON")] as [(Int, String)?] {
            let away = try await PageBench(route: route.map { ($0.0, $0.1) })
                .get("/s/sample?from=A&to=B")
            #expect(away.status == 200 && away.text.contains("can’t be found just now"))
        }
    }

    @Test("A place alone has a card and its map")
    func card() async throws {
        let pages = try await PageBench(
            times: ["/rooms/A/availability": #"{"state": "free", "text": "3 of 8 are free."}"#]
        ) { document in
            document.rooms[0].openingHours = "Mo-Fr 08:00-18:00"
        }
        let answer = try await pages.get("/s/sample?to=A")
        for part in [
            "Level G", "Monday to Friday", "3 of 8 are free.", "/s/sample/map?floor=ground",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        let here = try await pages.get("/s/sample?at=desk")
        #expect(here.text.contains("You are here: Room A"))
        #expect(here.text.contains("name=\"at\" value=\"desk\""))
    }

    @Test("Script in names, languages and ids is text")
    func injection() async throws {
        let attack = "<script>alert(1)</script>\"onload=\"x"
        let pages = try await PageBench(
            route: (200, Self.route.replacingOccurrences(of: "Room B", with: "<script>b"))
        ) { document in
            document.name = attack
            document.rooms[0].name = attack
            document.directory = [
                DirectoryEntry(
                    id: DirectoryID("shop"), kind: "attack", name: attack,
                    telephone: attack)
            ]
        }
        for target in [
            "/s/sample?to=A", "/s/sample?to=shop", "/s/sample?from=A&to=B", "/s/sample?to=script",
            "/s/sample?lang=\(attack)", "/s/sample?at=\(attack)", "/s/sample?profile=\(attack)",
            "/s/sample?from=\(attack)&fromId=\(attack)", "/s/\(attack)", "/s/sample?to=\(attack)",
        ] {
            let answer = try await pages.get(
                target.replacingOccurrences(of: "/script", with: "script"))
            let scripts = answer.text.matches(of: /<script/).count
            #expect(scripts == 1, "\(target)")
            #expect(!answer.text.contains("onload=\"x"), "\(target)")
            #expect(!answer.text.contains("href=\"javascript"), "\(target)")
        }
    }

    @Test("`/` lists the sites, and goes to the only one; an unknown site is 404")
    func sites() async throws {
        let one = try await PageBench().get("/?lang=de")
        #expect(one.status == 302 && one.headers["location"] == "/s/sample?lang=de")
        let two = try await PageBench(sites: [SampleSite.id, SiteID("other")]).get("/")
        #expect(two.status == 200 && two.text.contains("<a href=\"/s/other\">Sample</a>"))
        #expect(two.text.contains("<body>"))
        let none = try await PageBench(sites: []).get("/")
        #expect(none.status == 200 && none.text.contains("/sign-in?return=%2F"))
        let unknown = try await PageBench().get("/s/other")
        #expect(unknown.status == 404 && unknown.text.contains("no site “other”"))
    }

    @Test("A way on a map has limits")
    func limits() async throws {
        let pages = try await PageBench()
        let long = (0...400).map { "\($0),1" }.joined(separator: ";")
        for route in [long, "1", "1,2,3", "1,x", "1,1e9", "nan,1", ";"] {
            let answer = try await pages.get("/s/sample/map?floor=ground&route=\(route)")
            #expect(answer.code == "coordinates-out-of-range", "\(route.prefix(20))")
        }
        let marked = try await pages.get("/s/sample/map?floor=ground&route=5,4")
        #expect(marked.status == 200 && marked.text.contains("<circle"))
        #expect(try await pages.get("/s/sample/map?floor=roof").code == "floor-unknown")
    }
}
