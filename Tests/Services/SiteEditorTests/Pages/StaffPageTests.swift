import HTTP
import ServiceBench
import Testing

@testable import SiteEditor

@Suite("The page of the staff's app") struct StaffPageTests {
    @Test("It begins the app with its style and modules, and nobody may show it in a frame")
    func page() async throws {
        let bench = try await ServiceBench()
        let app = try bench.serve(StaffRoutes(modules: ["staff/staff-main.js", "words.js"]).all)
        let answer = try await app.send(
            "GET", "/staff/museum", headers: ["accept-language": "cy"])
        #expect(answer.status == 200)
        for part in [
            "<html lang=\"cy\">", "<body data-site=\"museum\"",
            "<script data-main=\"/app/staff/staff-main.js\">",
            "href=\"/app/staff/staff.css\"", "href=\"/app/staff/staff-survey.css\"",
            "href=\"/app/app.css\"",
            "<link rel=\"modulepreload\" href=\"/app/words.js\">", "museum, i’r staff",
            "Mae angen JavaScript", "href=\"/s/museum\"",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        // Installed, it would open the visitors' page.
        #expect(!answer.text.contains("manifest"))
        let policy = answer.headers["content-security-policy"] ?? ""
        #expect(policy.hasSuffix("frame-ancestors 'none'"))
        #expect(policy.contains("script-src 'self' 'sha256-") && !policy.contains("unsafe"))
        #expect(answer.headers["cache-control"] == "private, no-cache")
    }

    @Test("Without a site it begins the list of sites, and names none")
    func sites() async throws {
        let bench = try await ServiceBench()
        let app = try bench.serve(StaffRoutes(modules: ["staff/staff-main.js"]).all)
        let answer = try await app.send("GET", "/staff", headers: ["accept-language": "de"])
        #expect(answer.status == 200)
        for part in [
            "<html lang=\"de\">", "Die Orte, für die Sie zuständig sind",
            "<script data-main=\"/app/staff/staff-main.js\">", "/app/staff/staff-admin.css",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        #expect(!answer.text.contains("data-site"))
        let policy = answer.headers["content-security-policy"] ?? ""
        #expect(policy.hasSuffix("frame-ancestors 'none'"))
    }

    @Test("A text that is no site's id is told so")
    func unknown() async throws {
        let bench = try await ServiceBench()
        let app = try bench.serve(StaffRoutes(modules: []).all)
        let answer = try await app.send("GET", "/staff/a,b")
        #expect(answer.status == 404)
        #expect(answer.text.contains("a,b"))
        #expect(!answer.text.contains("data-site"))
    }
}
