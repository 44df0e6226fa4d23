import Foundation
import TestSupport
import Testing

/// A browser, as far as these tests need one: it keeps a cookie and the change token.
private final class Browser {
    let campus: Campus
    var cookie: String?
    var changeToken: String?

    init(_ campus: Campus) { self.campus = campus }

    func send(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, changeToken: String? = nil
    ) async throws -> Answer {
        var headers: [(name: String, value: String)] = []
        if let cookie { headers.append(("cookie", "other=1; whereabouts-session=\(cookie)")) }
        if let token = changeToken ?? self.changeToken { headers.append(("x-change-token", token)) }
        let answer = try await campus.send(
            method, path, body: body.map(jsonText) ?? [], headers: headers)
        if let set = answer.headers["set-cookie"], set.hasPrefix("whereabouts-session=") {
            cookie = String(set.dropFirst(20).prefix { $0 != ";" })
            self.changeToken = answer.json["changeToken"] as? String
        }
        return answer
    }
}

@Suite("People", .serialized, .timeLimit(.minutes(5))) struct PeopleEndTests {
    private static let password = "a long enough password"

    /// A campus of its own: the first administrator comes once.
    private static let campus = Task { try await Campus(.postgres, .together) }

    /// The secret of a link that the log tells.
    private static func firstSecret(_ campus: Campus) async throws -> String {
        var secret: String?
        try await eventually("the first link is told: \(campus.messages)") {
            secret = campus.messages.split(separator: "/join#").last.map { rest in
                String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            }
            return campus.messages.contains("/join#")
        }
        return try #require(secret)
    }

    /// The first administrator, who is made by whichever test comes first.
    private static let administrator = Task { () -> (signIn: String, id: String) in
        let campus = try await PeopleEndTests.campus.value
        let browser = Browser(campus)
        let joined = try await browser.send(
            "POST", "/v1/accounts",
            [
                "secret": try await firstSecret(campus), "signIn": "Root@Museum.example",
                "name": "Ruth Root", "password": password,
            ])
        guard joined.status == 201, let id = joined.json["account"] as? String else {
            throw TestServerError("the first administrator can't join: \(joined.text)")
        }
        return ("root@museum.example", id)
    }

    private func signedIn(
        _ signIn: String? = nil, password: String = password
    ) async throws -> Browser {
        let browser = Browser(try await Self.campus.value)
        let first = try await Self.administrator.value.signIn
        let answer = try await browser.send(
            "POST", "/v1/session", ["signIn": signIn ?? first, "password": password])
        try #require(answer.status == 201, "\(answer.text)")
        return browser
    }

    /// Invites somebody and joins as that person.
    private func joined(
        _ signIn: String, _ grants: [[String: Any]], by inviter: Browser
    ) async throws -> (browser: Browser, id: String) {
        let invitation = try await inviter.send("POST", "/v1/invitations", ["grants": grants])
        try #require(invitation.status == 201, "\(invitation.text)")
        let link = try #require(invitation.json["link"] as? String)
        let browser = Browser(inviter.campus)
        let answer = try await browser.send(
            "POST", "/v1/accounts",
            [
                "secret": link.split(separator: "#").last.map(String.init) ?? "",
                "signIn": signIn, "name": "Somebody", "password": Self.password,
            ])
        try #require(answer.status == 201, "\(answer.text)")
        return (browser, try #require(answer.json["account"] as? String))
    }

    @Test("The link of the first start makes one administrator, and is good once")
    func first() async throws {
        let campus = try await Self.campus.value
        let secret = try await Self.firstSecret(campus)
        _ = try await Self.administrator.value
        let again = try await Browser(campus).send(
            "POST", "/v1/accounts",
            ["secret": secret, "signIn": "evil", "name": "Evil", "password": Self.password])
        #expect(again.status == 404 && again.code == "invitation-unusable", "\(again.text)")
        let session = try await signedIn().send("GET", "/v1/session")
        #expect(session.json["name"] as? String == "Ruth Root", "\(session.text)")
        let grants = try #require(session.json["grants"] as? [[String: Any]])
        #expect(grants.map { $0["role"] as? String } == ["administrator"])
    }

    @Test(
        "A session may what its account may, if it shows its change token where it changes something"
    )
    func session() async throws {
        let browser = try await signedIn()
        #expect(try await browser.send("GET", "/v1/accounts").status == 200)
        let body: [String: Any] = ["grants": [["role": "visitor"]]]
        let without = try await browser.send("POST", "/v1/invitations", body, changeToken: "")
        #expect(without.status == 403 && without.code == "change-token-wrong", "\(without.text)")
        #expect(try await browser.send("POST", "/v1/invitations", body).status == 201)
        let cookie = try #require(browser.cookie)
        var changed = Array(cookie)
        // A bit of the signature that counts: those at its end may mean nothing.
        changed[changed.count - 20] = changed[changed.count - 20] == "A" ? "B" : "A"
        browser.cookie = String(changed)
        let forged = try await browser.send("GET", "/v1/accounts")
        #expect(forged.status == 401 && forged.code == "session-wrong", "\(forged.text)")
    }

    @Test("A route from where a device is asks the locator as whoever is signed in")
    func position() async throws {
        let browser = try await signedIn()
        let published = try await browser.send("PUT", "/v1/sites/walked", SmallSite.document)
        #expect(published.status == 201, "\(published.text)")
        let route: [String: Any] = [
            "site": "walked", "from": ["device": "pi-9"], "to": [["room": "b"]],
        ]
        var answer: Answer?
        try await eventually("the site can be walked through") {
            answer = try await browser.send("POST", "/v1/routes", route)
            return !["site-unknown", "starting"].contains(answer?.code)
        }
        #expect(answer?.code == "position-unknown", "\(answer?.text ?? "")")
    }

    @Test("The cookie can be neither read by a script nor sent by another site's form")
    func cookie() async throws {
        _ = try await Self.administrator.value
        let campus = try await Self.campus.value
        let answer = try await campus.send("POST", "/v1/session/anonymous")
        let set = try #require(answer.headers["set-cookie"])
        #expect(set.contains("; HttpOnly; SameSite=Lax; Max-Age=43200"), "\(set)")
        #expect(answer.headers["cache-control"] == "no-store")
    }

    @Test("A wrong password and an unknown sign-in get the same answer, and ever more slowly")
    func wrongPasswords() async throws {
        let administrator = try await signedIn()
        _ = try await joined("slow", [["role": "visitor"]], by: administrator)
        let browser = Browser(administrator.campus)
        var codes: [String?] = []
        for _ in 0..<8 {
            let answer = try await browser.send(
                "POST", "/v1/session", ["signIn": "slow", "password": "not the right one"])
            codes.append(answer.code)
        }
        #expect(codes.prefix(6).allSatisfy { $0 == "sign-in-wrong" }, "\(codes)")
        #expect(codes.last == "sign-in-slowed", "\(codes)")
        let unknown = try await browser.send(
            "POST", "/v1/session", ["signIn": "nobody", "password": "not the right one"])
        #expect(unknown.status == 401 && unknown.code == "sign-in-wrong")
    }

    @Test("A password that is too short, or one's own name, is not taken; nor is a sign-in twice")
    func unusable() async throws {
        let administrator = try await signedIn()
        let invitation = try await administrator.send(
            "POST", "/v1/invitations", ["grants": [["role": "visitor"]]])
        let link = try #require(invitation.json["link"] as? String)
        func join(_ signIn: String, _ password: String) async throws -> String? {
            try await Browser(administrator.campus).send(
                "POST", "/v1/accounts",
                [
                    "secret": link.split(separator: "#").last.map(String.init) ?? "",
                    "signIn": signIn, "name": "Some Body", "password": password,
                ]
            ).code
        }
        #expect(try await join("short", "too short") == "password-unusable")
        #expect(try await join("somebody@museum", "SOMEBODY@museum") == "password-unusable")
        #expect(try await join("a\u{1}b", Self.password) == "name-unusable")
        #expect(try await join("ROOT@museum.example", Self.password) == "sign-in-taken")
        // What was refused has not used the link up.
        #expect(try await join("good.enough", Self.password) == nil)
        #expect(try await join("once.more", Self.password) == "invitation-unusable")
    }

    @Test("An administrator of a site grants, sees and ends nothing beyond it")
    func siteAdministrator() async throws {
        let root = try await signedIn()
        let (keeper, _) = try await joined(
            "keeper", [["role": "administrator-of-site", "site": "museum"]], by: root)
        let (_, elsewhere) = try await joined(
            "elsewhere", [["role": "analyst", "site": "other"]], by: root)
        for grants in [
            [["role": "administrator"]], [["role": "analyst"]],
            [["role": "analyst", "site": "other"]],
            [["role": "visitor", "site": "museum"], ["role": "analyst", "site": "other"]],
        ] as [[[String: Any]]] {
            let answer = try await keeper.send("POST", "/v1/invitations", ["grants": grants])
            #expect(answer.code == "grant-beyond-own", "\(grants): \(answer.text)")
        }
        let listed = try await keeper.send("GET", "/v1/accounts")
        #expect(!listed.text.contains(elsewhere), "\(listed.text)")
        #expect(try await keeper.send("DELETE", "/v1/accounts/\(elsewhere)").status == 404)
        let change = try await keeper.send(
            "PATCH", "/v1/accounts/\(elsewhere)",
            ["grants": [["role": "visitor", "site": "museum"]]])
        #expect([403, 404].contains(change.status), "\(change.text)")
        #expect(
            try await keeper.send(
                "POST", "/v1/invitations",
                ["grants": [["role": "surveyor", "site": "museum", "buildings": ["main"]]]]
            ).status == 201)
    }

    @Test("What somebody made by a right ends with it: links, and tokens")
    func legacy() async throws {
        let root = try await signedIn()
        let nowhere = try await root.send(
            "POST", "/v1/invitations", ["grants": [["role": "administrator-of-site"]]])
        #expect(nowhere.status == 422 && nowhere.code == "site-missing", "\(nowhere.text)")
        // A misspelt member would give the role at all sites.
        for (path, body) in [
            ("/v1/invitations", ["grants": [["role": "surveyor", "siteId": "museum"]]]),
            ("/v1/tokens", ["role": "analyst", "sites": "museum"]),
        ] as [(String, [String: Any])] {
            let answer = try await root.send("POST", path, body)
            #expect(answer.status == 400 && answer.code == "field-unknown", "\(answer.text)")
        }
        for (name, isEnded) in [("heir1", true), ("heir2", false)] {
            let (maker, id) = try await joined(name, [["role": "administrator"]], by: root)
            let invitation = try await maker.send(
                "POST", "/v1/invitations", ["grants": [["role": "administrator"]]])
            let link = try #require(invitation.json["link"] as? String)
            let issued = try await maker.send("POST", "/v1/tokens", ["role": "administrator"])
            let token = try #require(issued.json["token"] as? String, "\(issued.text)")
            let end =
                isEnded
                ? try await root.send("DELETE", "/v1/accounts/\(id)")
                : try await root.send(
                    "PATCH", "/v1/accounts/\(id)", ["grants": [["role": "visitor"]]])
            #expect(end.status < 300, "\(end.text)")
            let late = try await Browser(root.campus).send(
                "POST", "/v1/accounts",
                [
                    "secret": link.split(separator: "#").last.map(String.init) ?? "",
                    "signIn": "late", "name": "Late", "password": Self.password,
                ])
            #expect(late.code == "invitation-unusable", "\(name): \(late.text)")
            try await eventually("the token is refused", seconds: 5) {
                try await root.campus.send("GET", "/v1/accounts", token: token).status == 401
            }
        }
    }

    @Test(
        "Who loses a role, whose sessions are ended, and whose account is ended is out within 5 s")
    func ending() async throws {
        let root = try await signedIn()
        let (browser, id) = try await joined("leaver", [["role": "administrator"]], by: root)
        func isRefused(_ code: String) async throws {
            let limit = Date(timeIntervalSinceNow: 5)
            var last: Answer
            repeat {
                last = try await browser.send("GET", "/v1/accounts")
                if last.code == code { return }
            } while Date() < limit
            Issue.record("after 5 s still \(last.status): \(last.text)")
        }
        let demoted = try await root.send(
            "PATCH", "/v1/accounts/\(id)", ["grants": [["role": "visitor"]]])
        #expect(demoted.status == 200, "\(demoted.text)")
        try await isRefused("role-not-allowed")
        #expect(try await root.send("DELETE", "/v1/accounts/\(id)/sessions").status == 204)
        try await isRefused("session-wrong")
        let anew = try await signedIn("leaver")
        #expect(try await root.send("DELETE", "/v1/accounts/\(id)").status == 204)
        browser.cookie = anew.cookie
        try await isRefused("session-wrong")
        let late = try await browser.send(
            "POST", "/v1/session", ["signIn": "leaver", "password": Self.password])
        #expect(late.code == "sign-in-wrong")
        // Who it was is forgotten.
        let campus = browser.campus
        #expect(
            try await campus.psql("SELECT 1 FROM site_editor.accounts WHERE sign_in = 'leaver'")
                .isEmpty)
    }

    @Test("A changed password ends all other sessions")
    func changingPassword() async throws {
        let root = try await signedIn()
        let (browser, _) = try await joined("changer", [["role": "visitor"]], by: root)
        let other = try await signedIn("changer")
        let wrong = try await browser.send(
            "POST", "/v1/session/password", ["old": "not the old one", "new": "another long one"])
        #expect(wrong.code == "sign-in-wrong", "\(wrong.text)")
        let changed = try await browser.send(
            "POST", "/v1/session/password", ["old": Self.password, "new": "another long one"])
        #expect(changed.status == 200, "\(changed.text)")
        try await eventually("the other session has ended") {
            try await other.send("GET", "/v1/session").json["account"] == nil
        }
        #expect(try await browser.send("GET", "/v1/session").status == 200)
        _ = try await signedIn("changer", password: "another long one")
    }

    @Test("The last administrator can neither be ended nor lose the role")
    func lastAdministrator() async throws {
        let root = try await signedIn()
        let id = try await Self.administrator.value.id
        let others = try await root.send("GET", "/v1/accounts")
        for account in others.json["accounts"] as? [[String: Any]] ?? [] {
            guard let other = account["id"] as? String, other != id else { continue }
            #expect(try await root.send("DELETE", "/v1/accounts/\(other)").status == 204)
        }
        #expect(try await root.send("DELETE", "/v1/accounts/\(id)").code == "last-administrator")
        let change = try await root.send(
            "PATCH", "/v1/accounts/\(id)", ["grants": [[String: Any]]()])
        #expect(change.code == "last-administrator", "\(change.text)")
    }

    @Test("Names, sign-ins and sessions of people are not on the log")
    func log() async throws {
        _ = try await signedIn()
        let campus = try await Self.campus.value
        let values = try await campus.values(of: "whereabouts.tokens").joined()
        #expect(values.contains("sessionsEnded") && values.contains("publicKey"))
        for word in ["Ruth", "root@museum", "argon2", "changeToken"] {
            #expect(!values.contains(word), "\(word) is on the log")
        }
    }

    @Test("The pages are there, and keep no secret in the address")
    func pages() async throws {
        let campus = try await Self.campus.value
        for path in ["/sign-in", "/join", "/account", "/people.js"] {
            let answer = try await campus.send("GET", path)
            #expect(answer.status == 200, "\(path)")
            #expect(
                answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        }
        let script = try await campus.send("GET", "/people.js")
        #expect(script.text.contains("history.replaceState"))
    }
}
