import Foundation
import TestSupport
import Testing

@Suite("Maps over HTTP") struct MapEndTests {
    private static func map(
        _ path: String, accept: String? = nil, known: String? = nil
    ) async throws -> Answer {
        let small = try await SmallSite.shared.value
        let headers = [("accept", accept), ("if-none-match", known)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
        return try await small.campus.send(
            "GET", "/v1/sites/\(SmallSite.name)/\(path)", token: small.visitor, headers: headers)
    }

    @Test("A floor's map comes as data, as a drawing and as a picture")
    func types() async throws {
        let data = try await Self.map("floors/ground/map")
        #expect(data.status == 200)
        #expect(data.json["type"] as? String == "FeatureCollection")
        #expect((data.json["features"] as? [Any])?.count == 3)
        let drawing = try await Self.map("floors/ground/map?language=cy", accept: "image/svg+xml")
        #expect(String(decoding: drawing.body, as: UTF8.self).contains(">Llawr G<"))
        let picture = try await Self.map("floors/ground/map?width=300", accept: "image/png")
        #expect(Array(picture.body[1..<4]) == Array("PNG".utf8))
        #expect(Array(picture.body[16..<20]) == [0, 0, 1, 44])
        #expect(try await Self.map("map").status == 200)
    }

    @Test("A map that the client has is not sent again")
    func etag() async throws {
        let first = try await Self.map("floors/ground/map", accept: "image/svg+xml")
        let tag = try #require(first.headers["etag"])
        let path = "floors/ground/map"
        #expect(try await Self.map(path, accept: "image/svg+xml", known: tag).status == 304)
        #expect(try await Self.map(path, known: tag).status == 200)
    }

    @Test("What can't be drawn is refused by name")
    func refuses() async throws {
        let refusals = [
            try await Self.map("floors/attic/map"),
            try await Self.map("map", accept: "text/html"),
            try await Self.map("map?width=5000"), try await Self.map("map?language=c%20y"),
        ]
        #expect(refusals.map(\.status) == [404, 406, 400, 400])
        #expect(
            refusals.map { $0.code ?? "" } == [
                "floor-unknown", "not-acceptable", "number-out-of-range", "language-malformed",
            ])
    }
}
