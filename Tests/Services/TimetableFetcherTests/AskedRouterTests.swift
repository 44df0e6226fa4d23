import HTTP
import HTTPClient
import Testing

@testable import TimetableFetcher

@Suite("The router's answer about free rooms") struct AskedRouterTests {
    @Test(
        "A refusal of the caller is said, and is no unknown place",
        arguments: [
            (403, "position-not-yours", "position-not-yours"),
            (401, "session-wrong", "session-wrong"), (403, "of-tomorrow", "role-not-allowed"),
            (404, "position-unknown", "place-unknown"), (409, "position-lost", "place-unknown"),
            (429, "too-many-requests", "router-unreachable"),
        ])
    func refusals(status: Int, code: String, expected: String) throws {
        let body = #"{"code": "\#(code)", "detail": "Because."}"#
        let answer = HTTPClientResponse(status: status, headers: [:], body: Array(body.utf8))
        let problem = #expect(throws: Problem.self) { try AskedRouter.ways(answer) }
        #expect(problem?.code == expected)
        if expected != "router-unreachable" {
            #expect(problem?.detail.contains("Because.") == true)
        }
    }
}
