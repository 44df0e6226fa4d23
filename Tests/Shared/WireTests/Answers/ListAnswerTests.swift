import Events
import Testing
import Wire

@Suite struct ListAnswerTests {
    private static let moment = Timestamp(microseconds: 1_700_000_000_000_000)

    private func versions(_ numbers: [Int]) -> [ListedVersion] {
        numbers.map {
            ListedVersion(version: $0, publishedAt: Self.moment, publishedBy: nil)
        }
    }

    private func page(_ numbers: [Int], limit: Int) -> String {
        String(decoding: ListAnswer.page(versions(numbers), limit: limit), as: UTF8.self)
    }

    @Test("A full page names the next page's start, and a shorter one is the last")
    func pages() {
        let (three, two) = (
            #"{"version":3,"publishedAt":"2023-11-14T22:13:20.000Z"}"#,
            #"{"version":2,"publishedAt":"2023-11-14T22:13:20.000Z"}"#
        )
        #expect(page([3, 2], limit: 2) == #"{"versions":[\#(three),\#(two)],"next":"2"}"#)
        #expect(page([3, 2], limit: 3) == #"{"versions":[\#(three),\#(two)],"next":null}"#)
        #expect(page([], limit: 3) == #"{"versions":[],"next":null}"#)
    }

    @Test("No page follows version 1, even after a full page")
    func lastCursor() {
        #expect(page([1], limit: 1).hasSuffix(#""next":null}"#))
    }

    @Test("A list without pages has a `next` only where one is given")
    func whole() {
        let rows = versions([])
        #expect(ListAnswer.json(rows) == Array(#"{"versions":[]}"#.utf8))
        #expect(ListAnswer.json(rows, next: "a") == Array(#"{"versions":[],"next":"a"}"#.utf8))
    }

    @Test("Only the answer to its issuer contains the secret of a token")
    func secret() {
        let token = TokenIssued(
            hash: "the-hash", id: EventID(high: 1, low: 2), role: .analyst, site: SiteID("a"),
            device: nil, note: "", issuedAt: Self.moment, expiresAt: nil)
        let listed = ListedToken(token, blockedUntil: nil)
        let toIssuer = String(decoding: listed.json(secret: "the-secret"), as: UTF8.self)
        #expect(toIssuer.hasPrefix(#"{"token":"the-secret","id":""#))
        #expect(!toIssuer.contains("the-hash"))
        let inList = String(decoding: ListAnswer.page([listed], limit: 2), as: UTF8.self)
        #expect(!inList.contains("the-secret") && !inList.contains("the-hash"))
    }
}
