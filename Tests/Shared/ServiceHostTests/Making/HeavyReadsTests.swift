import Access
import Events
import Foundation
import HTTP
import Repository
import Testing

@testable import ServiceHost

@Suite struct HeavyReadsTests {
    /// Operations with limits on the number of simultaneous requests.
    private static let costly = [
        "GET /v1/sites/{site}/export", "GET /v1/sites/{site}/review",
        "GET /v1/sites/{site}/versions/{version}/compare/{other}",
        "POST /v1/sites/{site}/imports", "GET /v1/sites/{site}/map",
        "GET /v1/sites/{site}/floors/{floor}/map", "GET /v1/sites/{site}/map/overview",
        "GET /v1/sites/{site}/map/parts/{zoom}/{x}/{y}",
        "GET /v1/sites/{site}/floors/{floor}/map/part", "POST /v1/media/{hash}/picture",
        "GET /v1/positions/{id}/explain", "POST /v1/routes", "POST /v1/guidance",
        "GET /v1/sites/{site}/replay", "GET /v1/sites/{site}/room-hours",
        "GET /v1/sites/{site}/visit-summary",
        "POST /v1/locate", "GET /v1/sites/{site}/rooms/free", "GET /v1/sites/{site}/network",
    ]
    /// More requests than one caller may have running and waiting together.
    private static let asked = 1_000

    @Test(
        "A few costly operations run at a time, and too many of one caller are refused",
        arguments: costly)
    func bounded(operation: String) async throws {
        let words = operation.split(separator: " ").map(String.init)
        let method = try #require(HTTPMethod(rawValue: words[0]))
        let (gate, begun) = (Gate(), Counter())
        let route = HeavyReads().bounding(
            Route(
                method, words[1],
                handler: .task { _ in
                    // Without a limit all requests begin, and the test must not wait for a refusal.
                    if begun.add() == Self.asked { gate.open() }
                    await gate.opened()
                    return HTTPResponse(status: 204)
                }))
        guard case .task(let handler) = route.handler else {
            Issue.record("no task")
            return
        }
        let request = HTTPRequest(
            method: method, path: words[1],
            principal: Caller(
                id: "one", grants: [Grant(.administratorOfSite, site: SiteID("museum"))]))
        var refused = 0
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.asked {
                group.addTask {
                    do {
                        return try await handler(request).status == 204
                    } catch {
                        return (error as? Problem)?.code != "too-many-at-once"
                    }
                }
            }
            for await isAnswered in group where !isAnswered {
                if refused == 0 { #expect(begun.now < 64, "they go at a time") }
                refused += 1
                gate.open()
            }
        }
        #expect(refused > 0)
        #expect(begun.now + refused == Self.asked)
    }

    @Test("Each limited operation is an operation of the API")
    func names() throws {
        let file = repository.appending(path: "docs/openapi.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let paths = try #require((json as? [String: Any])?["paths"] as? [String: [String: Any]])
        let described = Set(
            paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
        let bounded = HeavyReads.kinds.flatMap(\.operations)
        #expect(Set(bounded).subtracting(described).isEmpty)
        #expect(Set(bounded).count == bounded.count, "an operation is of one kind")
    }
}
