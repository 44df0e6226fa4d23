import HTTP
import Testing

/// The answer to a client that states which forms it accepts and which version it has.
@Suite("HTTPRequest.accepted and HTTPResponse.revalidated") struct AcceptTests {
    private enum Form: String, CaseIterable {
        case geojson = "application/geo+json"
        case png = "image/png"
        case svg = "image/svg+xml"
    }

    private enum Plain: String, CaseIterable {
        case json = "application/json"
        case csv = "text/csv"
    }

    private func request(_ headers: [String: String]) -> HTTPRequest {
        HTTPRequest(method: .get, path: "/", headers: headers)
    }

    private func form(_ accept: String?) -> String {
        let request = request(accept.map { ["accept": $0] } ?? [:])
        do throws(Problem) {
            return "\(try request.accepted(Form.self, "Maps"))"
        } catch {
            return "\(error.status) \(error.detail)"
        }
    }

    @Test(
        "The client gets the available form that it prefers",
        arguments: [
            (nil, "geojson"), ("*/*", "geojson"), ("application/*", "geojson"),
            ("application/json", "geojson"), ("image/*", "png"), ("image/svg+xml", "svg"),
            ("IMAGE/PNG ; q=1", "png"), ("image/svg+xml, image/png", "svg"),
            ("image/svg+xml;q=0.5, image/png;q=0.9", "png"), ("*/*, image/png;q=0", "geojson"),
            ("text/html, image/avif, image/svg+xml, image/*, */*;q=0.8", "svg"),
            ("application/json, image/png;q=0.1", "geojson"),
            ("application/geo+json;q=0, application/json;q=0.3, image/*;q=0.2", "png"),
            ("text/html, */*;q=0.1", "geojson"), ("image/png;q=much", "png"),
        ])
    func chosen(accept: String?, form: String) { #expect(self.form(accept) == form) }

    @Test(
        "A form that is not available is refused, with a list of the available ones",
        arguments: ["text/html", "*/*;q=0"])
    func refused(accept: String) {
        #expect(
            form(accept) == "406 Maps come as application/geo+json, image/png, image/svg+xml.")
    }

    @Test("A client that asks for JSON gets it where it is available")
    func json() throws {
        let asked = request(["accept": "text/csv;q=0.5, application/json"])
        #expect(try asked.accepted(Plain.self, "Lists") == .json)
    }

    @Test("The answer 304 has no body, but tells how long the client's version stays valid")
    func revalidated() {
        let answer = HTTPResponse(
            headers: [
                ("etag", "\"7\""), ("vary", "accept"), ("cache-control", "no-cache"),
                ("content-type", "text/plain"),
            ], body: .bytes([1]))
        func status(_ known: String?) -> Int {
            answer.revalidated(for: request(known.map { ["if-none-match": $0] } ?? [:])).status
        }
        #expect(status(nil) == 200 && status("\"8\"") == 200 && status("7") == 200)
        #expect(status("\"7\"") == 304 && status("*") == 304)
        #expect(status("\"8\", W/\"7\"") == 304)
        let short = answer.revalidated(for: request(["if-none-match": "*"]))
        #expect(short.headers.map(\.name) == ["etag", "vary", "cache-control"])
        var put = request(["if-none-match": "*"])
        put.method = .put
        #expect(answer.revalidated(for: put).status == 200)
        #expect(
            HTTPResponse(status: 404).revalidated(for: request(["if-none-match": "*"])).status
                == 404)
    }
}
