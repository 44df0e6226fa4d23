import Events
import Testing
import Timetables

@testable import TimetableFetcher

@Suite("The form of a feed's page") struct FormFetchTests {
    private static func address(_ form: String) throws(FeedFault) -> String {
        let feed = TimetableFeed(
            site: SiteID("house"), id: FeedID("f"), kind: .form,
            address: "https://rooms.example/a/view", name: "", keepsPeople: false)
        let page = "<form \(form)><input type=hidden name=state value=x></form>"
        let answer = FeedAnswer(
            status: 200, body: Array(page.utf8), contentType: "text/html; charset=utf-8")
        return try FormFetch.filled(answer, feed).address
    }

    @Test(
        "is posted to the feed's own server",
        arguments: [
            ("", "https://rooms.example/a/view"), ("b?c=1", "https://rooms.example/a/b?c=1"),
            ("/b", "https://rooms.example/b"),
            ("https://ROOMS.example:443/b", "https://rooms.example"),
        ])
    func own(action: String, address: String) throws {
        let found = try Self.address("method=post action='\(action)'")
        #expect(found.lowercased().hasPrefix(address))
    }

    @Test(
        "is not posted to another host, port or scheme",
        arguments: [
            "https://10.2.0.1/", "//other.example/", "https://rooms.example:8443/",
            "http://rooms.example/", "https://rooms.example@10.2.0.1/",
        ])
    func others(action: String) throws {
        #expect(throws: FeedFault.self) { try Self.address("method=POST action='\(action)'") }
        // A page that is only asked for may be elsewhere, as behind a redirect.
        let asked = try Self.address("action='\(action)'")
        #expect(asked.hasPrefix("http"))
    }
}
