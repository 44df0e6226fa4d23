import HTTP
import Testing

@testable import SiteEditor

@Suite struct EntityTagTests {
    @Test("A tag reads as it was written", arguments: [EntityTag.version(7), .draft(0), .test(12)])
    func roundTrip(tag: EntityTag) {
        #expect(EntityTag(tag.text) == tag)
        #expect(EntityTag(tag.text(beside: 3)) == tag)
    }

    @Test("A draft's answer with another published version has another tag")
    func besideVersion() {
        #expect(EntityTag.draft(7).text(beside: 2) == "\"draft-7-2\"")
        #expect(EntityTag.draft(7).text(beside: 3) != EntityTag.draft(7).text(beside: 2))
        #expect(EntityTag.version(7).text(beside: 9) == EntityTag.version(7).text)
    }

    @Test(
        "Any other text is not a tag",
        arguments: [
            "", "7", "\"\"", "\"draft\"", "\"draft-\"", "\"draft-x\"", "\"-1\"", "W/\"7\"",
            "\"draft-7-\"", "\"draft-7-x\"", "\"draft-7-3-1\"", "\"7-3\"", "\"map-7\"",
        ])
    func malformed(text: String) { #expect(EntityTag(text) == nil) }

    @Test("A change without If-Match, or with another document's tag, is refused")
    func expectations() throws {
        func request(_ tag: String?) -> HTTPRequest {
            HTTPRequest(method: .put, path: "/", headers: tag.map { ["if-match": $0] } ?? [:])
        }
        #expect(throws: Problem.self) { try request(nil).expectedRevision() }
        #expect(throws: Problem.self) { try request("\"3\"").expectedRevision() }
        #expect(try request("*").expectedRevision() == nil)
        #expect(try request("\"draft-3\"").expectedRevision() == 3)
        #expect(try request("\"3\"").expectedVersion() == 3)
        #expect(throws: Problem.self) { try request("\"draft-3\"").expectedVersion() }
    }
}
