import Foundation
import TestSupport
import Testing

@Suite("Search over HTTP") struct SearchEndTests {
    private static func search(_ query: String) async throws -> (status: Int, [String: Any]) {
        let small = try await SmallSite.shared.value
        let answer = try await small.campus.send(
            "GET", "/v1/sites/\(SmallSite.name)/search?\(query)", token: small.visitor)
        return (answer.status, answer.json)
    }

    @Test("A visitor finds what has a name, page by page")
    func finds() async throws {
        let (status, answer) = try await Self.search("q=huose&language=cy&limit=5")
        #expect(status == 200)
        #expect(answer["version"] as? Int == 1)
        let results = try #require(answer["results"] as? [[String: Any]])
        #expect(results.first?["kind"] as? String == "building")
        #expect(results.first?["id"] as? String == "house")
        #expect(results.first?["match"] as? String == "typo")
        let (_, first) = try await Self.search("q=lab&kind=room&limit=1&floor=ground")
        #expect((first["results"] as? [[String: Any]])?.map { $0["id"] as? String } == ["a"])
        let next = try #require(first["next"] as? String)
        let (_, second) = try await Self.search("q=lab&kind=room&limit=1&after=\(next)")
        #expect((second["results"] as? [[String: Any]])?.map { $0["id"] as? String } == ["b"])
        #expect(second["next"] is NSNull)
    }

    @Test(
        "A question that can't be answered is refused by name",
        arguments: [
            ("", "query-missing"), ("q=\(String(repeating: "a", count: 201))", "query-too-long"),
            ("q=a&limit=0", "limit-out-of-range"), ("q=a&limit=x", "limit-out-of-range"),
            ("q=a&language=c%20y", "language-malformed"), ("q=a&after=!", "cursor-malformed"),
        ])
    func refuses(query: String, code: String) async throws {
        let (status, answer) = try await Self.search(query)
        #expect(status == 400)
        #expect(answer["code"] as? String == code)
    }
}
