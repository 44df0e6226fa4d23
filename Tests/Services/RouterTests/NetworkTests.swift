import Events
import Foundation
import HTTP
import ServiceBench
import Site
import Testing

@testable import Router

@Suite("GET /v1/sites/{site}/network") struct NetworkTests {
    private func network(
        _ router: RouterBench, _ query: String = "", headers: [String: String] = [:]
    ) async throws -> Answer {
        try await router.app.send(
            "GET", "/v1/sites/house/network\(query)", token: router.visitor(), headers: headers)
    }

    @Test("has rooms, costs and places, for the site and for a building")
    func whole() async throws {
        let router = try await RouterBench()
        for query in ["", "?building=h"] {
            let answer = try await network(router, query)
            #expect(answer.status == 200)
            #expect(answer["site"] == "house" && answer["siteVersion"] == "1")
            #expect(answer["timeZone"] == "Europe/London")
            #expect(answer["rooms.0.id"] == "A" && answer["rooms.1.id"] == "B")
            #expect(answer["profiles.wheelchair.limits.slopeLimit"] == "0.083")
            #expect(answer["profiles.walking.costs.0"] != nil)
            #expect(answer["places.building:h.nodes.0"] != nil)
            #expect(answer["places.kind:office.rooms.1"] == "1")
            #expect(answer.headers["cache-control"] == "private, no-cache")
        }
    }

    @Test("is answered with 304 while the client's copy is fresh")
    func tagged() async throws {
        let router = try await RouterBench()
        let first = try await network(router)
        let tag = try #require(first.headers["etag"])
        let again = try await network(router, headers: ["if-none-match": tag])
        #expect(again.status == 304)
        let other = try await network(router, headers: ["if-none-match": "\"0-network-1\""])
        #expect(other.status == 200)
    }

    @Test("A stranger's has no room, door or place that is for others")
    func seen() async throws {
        let router = try await RouterBench()
        var document = RouterBench.house
        document.rooms[1].visibility = .hidden
        router.bench.publish(try SiteIndex(document), as: RouterBench.site, version: 2)
        await router.networks.update()
        let answer = try await network(router)
        #expect(answer.status == 200)
        #expect(answer["rooms.0.id"] == "A" && answer["rooms.1.id"] == nil)
        #expect(answer["rooms.0.unseenOpenings"] == "true")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains("between") && !text.contains(#""B""#) && text.contains("front"))
        let tag = try #require(answer.headers["etag"])
        let editor = try await router.app.send(
            "GET", "/v1/sites/house/network",
            token: router.bench.issue(.administratorOfSite, site: RouterBench.site),
            headers: ["if-none-match": tag])
        #expect(editor.status == 200 && editor["rooms.1.id"] == "B")
        #expect(editor["rooms.0.unseenOpenings"] == nil)
    }

    @Test("has the facts for hand and foot, with the nodes that a side counts from")
    func touch() async throws {
        let router = try await RouterBench()
        var document = RouterBench.house
        let door = try #require(document.connections.firstIndex { $0.kind == .door })
        document.connections[door].isGlass = true
        document.connections[door].opens = .first
        document.rooms[0].surface = "parquet"
        router.bench.publish(try SiteIndex(document), as: RouterBench.site, version: 2)
        await router.networks.update()
        let answer = try await network(router)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains(#""opens":"first","glass":true"#), "\(text)")
        #expect(text.contains(#""stops":["#))
        #expect(answer["rooms.0.ground"] == "wood")
    }

    @Test("names what is wrong")
    func wrong() async throws {
        let router = try await RouterBench()
        let unknown = try await network(router, "?building=x")
        #expect(unknown.status == 404 && unknown.code == "building-unknown")
        let odd = try await network(router, "?floor=g")
        #expect(odd.status == 400)
        let stranger = try await router.app.send("GET", "/v1/sites/house/network")
        #expect(stranger.status == 401)
    }
}
