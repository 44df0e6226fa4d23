import Foundation
import HTTP
import Repository
import ServiceBench
import Testing

@testable import SiteEditor

@Suite("The page of the API") struct ReferencePageTests {
    @Test("It begins with its own module, and its policy lets in nothing of others")
    func page() async throws {
        let bench = try await ServiceBench()
        let app = try bench.serve(ReferenceRoutes(modules: ["words.js"]).all)
        let answer = try await app.send("GET", "/reference", headers: ["accept-language": "de"])
        #expect(answer.status == 200)
        for part in [
            "<html lang=\"de\">", "<script data-main=\"/app/staff/watch-reference.js\">",
            "<link rel=\"modulepreload\" href=\"/app/words.js\">",
            "href=\"/reference/openapi.json\"", "href=\"/app/staff/staff-watch.css\"",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        let policy = answer.headers["content-security-policy"] ?? ""
        #expect(policy.hasPrefix("default-src 'none'") && policy.contains("connect-src 'self'"))
        #expect(!policy.contains("unsafe") && !answer.text.contains("https://"))
    }

    @Test("It has the document of docs, and browsers ask for it once")
    func document() async throws {
        let bench = try await ServiceBench()
        let app = try bench.serve(ReferenceRoutes(modules: []).all)
        let answer = try await app.send("GET", "/reference/openapi.json")
        let file = try Data(contentsOf: repository.appending(path: "docs/openapi.json"))
        #expect(answer.body == [UInt8](file))
        #expect(answer.headers["content-type"] == "application/json")
        let again = try await app.send(
            "GET", "/reference/openapi.json",
            headers: ["if-none-match": answer.headers["etag"] ?? ""])
        #expect(again.status == 304)
    }
}
