import Access
import Cryptography
import Events
import Foundation
import HTTP
import SampleSites
import Site
import Testing
import Wire

@testable import ServiceHost

@Suite("Audiences of sites") struct SiteAudienceTests {
    private static let secret = "a-secret-of-22-letters"
    private static let start = Timestamp(milliseconds: 1_795_248_000_000)

    private let pair = Ed25519.KeyPair()
    private let sites = SiteDirectory()
    private let tokens: TokenDirectory

    init() {
        tokens = TokenDirectory(
            serviceSecret: "secret", openSites: ["silent", "closed"].map { SiteID($0) },
            sites: sites, now: { Self.start })
        var table = TrustTable()
        table.sessionKeys["k"] = pair.publicKey
        tokens.replace(with: table)
    }

    private func site(
        _ audience: SiteAudience?, _ secret: String? = nil
    ) throws -> PublishedSite {
        var document = SampleSite.index.document
        (document.audience, document.linkSecret) = (audience, secret)
        return PublishedSite(version: 1, index: try SiteIndex(document))
    }

    private func publish(
        open: SiteAudience = .everybody, secret: String = SiteAudienceTests.secret
    ) throws {
        sites.replace(with: [
            SiteID("silent"): try site(nil), SiteID("closed"): try site(.nobody),
            SiteID("open"): try site(open), SiteID("linked"): try site(.link, secret),
            SiteID("open.test"): try site(.everybody),
        ])
    }

    private func session(_ link: SiteLink? = nil) -> String {
        SessionValue(
            id: EventID(high: 1, low: 2), account: nil, sessionsEnded: 0, beganAt: Self.start,
            endsAt: Self.start.advanced(byMicroseconds: 1_000_000), changeToken: "x", link: link
        ).text(key: "k") { pair.signature(of: $0) }
    }

    private func seen(_ session: String) throws -> Set<String> {
        let caller = try tokens.principal(
            forSession: session, changeToken: nil, isChange: false
        ).get()
        let grants = try #require(caller as? Caller).grants
        #expect(grants.allSatisfy { $0.role == .anonymous })
        return Set(grants.compactMap(\.site?.text))
    }

    @Test("A site overrules the settings; one that says nothing follows them")
    func audiences() throws {
        #expect(throws: Problem.self) { _ = try seen(self.session()) }
        try publish()
        let session = session()
        #expect(try seen(session) == ["silent", "open"])
        // A site that closes is closed for sessions that have begun, and opens again.
        try publish(open: .nobody)
        #expect(try seen(session) == ["silent"])
        try publish()
        #expect(try seen(session) == ["silent", "open"])
    }

    @Test("A link opens its site until its secret changes, and a wrong secret opens nothing")
    func links() throws {
        try publish()
        #expect(tokens.link(to: SiteID("linked"), secret: "another-secret-of-letters") == nil)
        #expect(tokens.link(to: SiteID("open"), secret: Self.secret) == nil)
        #expect(tokens.link(to: SiteID("none"), secret: Self.secret) == nil)
        let link = try #require(tokens.link(to: SiteID("linked"), secret: Self.secret))
        let linked = session(link)
        #expect(try seen(linked) == ["silent", "open", "linked"])
        #expect(try seen(session()) == ["silent", "open"])
        try publish(secret: "another-secret-of-letters")
        #expect(try seen(linked) == ["silent", "open"])
    }

    @Test("A person who signed in sees what is open to everybody, too, until it closes")
    func people() throws {
        let account = AccountID(EventID(high: 3, low: 4))
        var table = TrustTable()
        table.sessionKeys["k"] = pair.publicKey
        table.accounts[account] = AccountChanged(
            account: account, version: 1, grants: [RoleGrant(.analyst, site: SiteID("closed"))],
            sessionsEnded: 0, at: Self.start)
        tokens.replace(with: table)
        try publish()
        let text = SessionValue(
            id: EventID(high: 1, low: 2), account: account, sessionsEnded: 0, beganAt: Self.start,
            endsAt: Self.start.advanced(byMicroseconds: 1_000_000), changeToken: "x"
        ).text(key: "k") { pair.signature(of: $0) }
        let rule = try #require(TableAuthorizer().rule(for: .get, "/v1/sites/{site}/rooms"))
        func seen() throws -> [String] {
            let caller = try tokens.principal(
                forSession: text, changeToken: nil, isChange: false
            ).get()
            return ["closed", "linked", "open", "silent"].filter {
                rule.refusal(of: caller, parameters: ["site": $0]) == nil
            }
        }
        #expect(try seen() == ["closed", "open", "silent"])
        try publish(open: .nobody)
        #expect(try seen() == ["closed", "silent"])
        try publish()
        #expect(try seen() == ["closed", "open", "silent"])
    }

    @Test("A document needs a secret for a link, of enough plain letters")
    func secrets() throws {
        #expect(throws: SiteFaults.self) { _ = try site(.link) }
        for secret in ["short", String(repeating: "a", count: 129), "a secret with some spaces"] {
            #expect(throws: SiteFaults.self) { _ = try site(.link, secret) }
        }
    }
}
