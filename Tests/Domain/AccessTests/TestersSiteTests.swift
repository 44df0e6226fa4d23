import Access
import Events
import Site
import Testing

@Suite("Access to a testers' site") struct TestersSiteTests {
    private static let museum = SiteID("museum")
    private static let shown = SiteID("museum.test")

    private func decision(
        _ method: String, _ pattern: String, _ grants: [Grant], at site: SiteID = shown
    ) throws -> AccessDecision {
        try #require(AccessTable.row(AccessOperation(method, pattern)))
            .mayCall(grants, site: site)
    }

    @Test(
        "Its id ends in .test, and names the site whose draft it shows",
        arguments: [
            ("museum.test", "museum"), ("a.b.test", "a.b"), ("museum", nil), (".test", nil),
            ("test", nil), ("museum.tests", nil), ("museumtest", nil), ("museum.Test", nil),
        ])
    func ids(id: String, tested: String?) {
        #expect(SiteID(id).tested?.text == tested)
        if let tested { #expect(SiteID(tested).ofTesters == SiteID(id)) }
    }

    @Test("A testers' site has no testers' site of its own, and its id is never too long")
    func limits() {
        #expect(Self.shown.ofTesters == nil)
        #expect(SiteID(String(repeating: "a", count: 59)).ofTesters != nil)
        #expect(SiteID(String(repeating: "a", count: 60)).ofTesters == nil)
    }

    @Test("Testers and editors of the site reach it; for all others it does not exist")
    func readers() throws {
        let path = "/v1/sites/{site}/rooms"
        for role in Role.allCases where role != .service {
            let grant = Grant(role, site: Self.museum)
            let reaches = [.tester, .administratorOfSite, .administrator].contains(role)
            #expect(grant.reaches(Self.shown) == reaches, "\(role)")
            if !reaches {
                #expect(try decision("GET", path, [grant]) == .hiddenSite, "\(role)")
            }
        }
        #expect(try decision("GET", path, [Grant(.tester, site: Self.museum)]) == .allowed)
        #expect(try decision("GET", path, [Grant(.administrator)]) == .allowed)
        #expect(try decision("GET", path, [Grant(.visitor)]) == .hiddenSite)
        #expect(try decision("GET", path, [Grant(.tester, site: SiteID("x"))]) == .hiddenSite)
        #expect(try decision("GET", path, []) == .nobody)
    }

    @Test("A token for it reaches nothing else, but an anonymous visitor's token reaches nothing")
    func tokens() throws {
        let device = Grant(.device, site: Self.shown)
        #expect(try decision("POST", "/v1/scans", [device]) == .allowed)
        #expect(!device.reaches(Self.museum))
        let open = Grant(.anonymous, site: Self.shown)
        #expect(try decision("GET", "/v1/sites/{site}/rooms", [open]) == .hiddenSite)
    }

    @Test("An editor of a site issues tokens for its testers, and for no other site's")
    func issuing() {
        let keeper = [Grant(.administratorOfSite, site: Self.museum)]
        func refusal(_ site: SiteID) -> Issuing.Refusal? {
            do throws(Issuing.Refusal) {
                try Issuing.check(
                    .device, site: site, buildings: [], device: DeviceID("d"), issuer: keeper)
                return nil
            } catch { return error }
        }
        #expect(refusal(Self.shown) == nil)
        #expect(refusal(SiteID("other.test")) == .beyondIssuer)
    }

    @Test("Clients read it, locate, find routes and end it; all else is done at its original")
    func operations() throws {
        let keeper = [Grant(.administrator)]
        for row in AccessTable.rows where row.scope != .none {
            guard row.roles.contains(.administrator) else { continue }
            let operation = row.operation
            let decision = row.mayCall(keeper, site: Self.shown)
            #expect(decision == .allowed || decision == .testersSite, "\(operation)")
            let isChange = ["PUT", "PATCH"].contains(operation.method)
            if isChange { #expect(decision == .testersSite, "\(operation)") }
        }
        let refused = [
            ("POST", "/v1/surveys"), ("POST", "/v1/sites/{site}/publish"),
            ("POST", "/v1/sites/{site}/imports"), ("POST", "/v1/magnetic-routes"),
            ("GET", "/v1/sites/{site}/radio-map"), ("POST", "/v1/sites/{site}/undo"),
        ]
        for (method, path) in refused {
            #expect(try decision(method, path, keeper) == .testersSite, "\(method) \(path)")
        }
        let allowed = [
            ("DELETE", "/v1/sites/{site}"), ("POST", "/v1/outages"), ("POST", "/v1/routes"),
            ("POST", "/v1/locate"), ("POST", "/v1/scans"), ("GET", "/v1/positions"),
            ("DELETE", "/v1/sites/{site}/devices/{id}"), ("GET", "/v1/sites/{site}/erasures/{id}"),
        ]
        for (method, path) in allowed {
            #expect(try decision(method, path, keeper) == .allowed, "\(method) \(path)")
        }
    }
}
