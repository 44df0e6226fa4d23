import Events
import Foundation
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Pairings",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PairingRoutesTests {
    private func list(_ editor: EditorBench, _ token: String) async throws -> Answer {
        try await editor.send("GET", EditorBench.pairings, as: token)
    }

    @Test("A visitor asks only the scanner that he is paired with, and stores nothing")
    func paired() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        _ = try await editor.scanner("pi-2")
        let code = try await editor.shownCode("pi-1", token)
        #expect(code.count == 6 && code.allSatisfy(\.isNumber))
        let made = try await editor.pair(code, as: editor.visitor)
        #expect(made.status == 201 && made["scanner"] == "pi-1", "\(made.text)")
        #expect(made["active"] == "true")
        let seen = try await editor.send("GET", "/v1/scanners/pi-1/pairing", as: token)
        #expect(seen["pairings.0.id"] == made["id"])
        let other = editor.bench.issue(.visitor, site: EditorBench.site)
        for (body, visitor, code) in [
            (#"{"scanner": "pi-1"}"#, editor.visitor, nil),
            (#"{"scanner": "pi-2"}"#, editor.visitor, "scanner-not-reached"),
            (#"{"scanners": ["pi-1", "pi-2"]}"#, editor.visitor, "scanner-not-reached"),
            (#"{"scanner": "pi-1", "store": true}"#, editor.visitor, "may-not-store"),
            (#"{"scanner": "pi-1"}"#, other, "scanner-not-reached"),
        ] as [(String, String, String?)] {
            let answer = try await editor.ask(body, as: visitor)
            #expect(answer.code == code, "\(body): \(answer.text)")
        }
        #expect(try await list(editor, other)["pairings.0"] == nil)
        #expect(try await list(editor, editor.administrator)["pairings.0.id"] == made["id"])
        // An administrator who ends all of their own must not end a visitor's.
        let mine = EditorBench.pairings + "?mine=true"
        for (asker, id) in [(editor.administrator, nil), (editor.visitor, made["id"])] {
            let own = try await editor.send("GET", mine, as: asker)
            #expect(own.status == 200 && own["pairings.0.id"] == id, "\(own.text)")
        }
        let malformed = try await editor.send("GET", mine + "ly", as: editor.visitor)
        #expect(malformed.code == "flag-malformed", "\(malformed.text)")
    }

    @Test("A new pairing ends the former one, whose owner is told")
    func another() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let other = editor.bench.issue(.visitor, site: EditorBench.site)
        let first = try await editor.shownCode("pi-1", token)
        #expect(try await editor.pair(first, as: editor.visitor).status == 201)
        #expect(
            try await editor.pair(first, as: other).code == "pairing-code-unknown", "it was used")
        let second = try await editor.shownCode("pi-1", token)
        #expect(try await editor.pair(second, as: other).status == 201)
        let told = try await list(editor, editor.visitor)
        #expect(told["pairings.0.endedBy"] == "another-pairing", "\(told.text)")
        #expect(told["pairings.0.active"] == "false")
        #expect(
            try await editor.ask(#"{"scanner": "pi-1"}"#, as: editor.visitor).code
                == "scanner-not-reached")
        #expect(try await editor.ask(#"{"scanner": "pi-1"}"#, as: other).status == 202)
    }

    @Test("Either side and an administrator end a pairing, and nobody else")
    func ends() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let other = editor.bench.issue(.visitor, site: EditorBench.site)
        let strange = editor.bench.issue(.administratorOfSite, site: SiteID("other"))
        func pair() async throws -> String {
            let code = try await editor.shownCode("pi-1", token)
            let made = try await editor.pair(code, as: editor.visitor)
            return "\(EditorBench.pairings)/\(try #require(made["id"], "\(made.text)"))"
        }
        let first = try await pair()
        #expect(try await editor.send("DELETE", first, as: other).code == "pairing-unknown")
        #expect(try await editor.send("DELETE", first, as: strange).code == "site-not-yours")
        #expect(try await editor.send("DELETE", first, as: editor.visitor).status == 204)
        #expect(
            try await editor.send("DELETE", first, as: editor.visitor).code == "pairing-unknown")
        let second = try await pair()
        #expect(try await editor.send("DELETE", second, as: editor.administrator).status == 204)
        _ = try await pair()
        let own = "/v1/scanners/pi-1/pairing"
        #expect(try await editor.send("DELETE", own, as: token).status == 204)
        #expect(try await editor.send("GET", own, as: token)["pairings.0"] == nil)
        let told = try await list(editor, editor.visitor)
        let enders = (0..<3).map { told["pairings.\($0).endedBy"] }
        #expect(enders == ["scanner", "administrator", "visitor"])
    }

    @Test("A pairing ends after eight hours, and the digits after ten minutes")
    func expiry() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let late = try await editor.shownCode("pi-1", token)
        editor.bench.pass(seconds: 600)
        #expect(
            try await editor.pair(late, as: editor.visitor).code == "pairing-code-unknown")
        let code = try await editor.shownCode("pi-1", token)
        editor.bench.pass(seconds: 599)
        #expect(try await editor.pair(code, as: editor.visitor).status == 201)
        let ask = #"{"scanner": "pi-1"}"#
        editor.bench.pass(seconds: 8 * 3_600 - 1)
        #expect(try await editor.ask(ask, as: editor.visitor).status == 202)
        editor.bench.pass(seconds: 1)
        #expect(
            try await editor.ask(ask, as: editor.visitor).code == "scanner-not-reached")
        #expect(try await list(editor, editor.visitor)["pairings.0.active"] == "false")
        editor.bench.pass(seconds: 86_400)
        try await PairingStore(pool: editor.pool, requests: editor.requests).sweep(
            at: editor.bench.clock.now)
        #expect(try await list(editor, editor.visitor)["pairings.0"] == nil)
    }

    @Test("A printed code of 64 bits or more lasts until another is printed")
    func printed() async throws {
        let editor = try await EditorBench()
        _ = try await editor.scanner("pi-1")
        let path = "/v1/sites/\(EditorBench.site)/scanners/pi-1/printed-code"
        let first = try await editor.send("POST", path, as: editor.administrator)
        let code = try #require(first["code"], "\(first.text)")
        #expect(code.count { $0 != "-" } * 5 >= 64 && first["expiresAt"] == nil)
        let other = editor.bench.issue(.visitor, site: EditorBench.site)
        editor.bench.pass(seconds: 90 * 86_400)
        #expect(try await editor.pair(code, as: editor.visitor).status == 201)
        #expect(try await editor.pair(code.lowercased(), as: other).status == 201)
        let second = try await editor.send("POST", path, as: editor.administrator)
        #expect(try await editor.pair(code, as: other).code == "pairing-code-unknown")
        #expect(try await editor.pair(second["code"] ?? "", as: other).status == 201)
        for token in [editor.visitor, editor.surveyor] {
            #expect(try await editor.send("POST", path, as: token).status == 403)
        }
        let unknown = try await editor.send(
            "POST", "/v1/sites/\(EditorBench.site)/scanners/nope/printed-code",
            as: editor.administrator)
        #expect(unknown.code == "scanner-unknown")
    }

    @Test("After five wrong tries the caller waits for an hour, and others pair")
    func wrongTries() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let code = try await editor.shownCode("pi-1", token)
        for number in 1...5 {
            let answer = try await editor.pair(
                digits(number, beginningAs: code), as: editor.visitor)
            #expect(answer.code == "pairing-code-unknown", "\(number)")
        }
        let slowed = try await editor.pair(code, as: editor.visitor)
        #expect(slowed.status == 429 && slowed.code == "pairing-slowed", "\(slowed.text)")
        let seconds = slowed.headers["retry-after"].flatMap { Int($0) } ?? 0
        #expect((3_500...3_601).contains(seconds))
        #expect(try await editor.pair(code, as: editor.stranger()).status == 201)
        editor.bench.pass(seconds: 3_601)
        let fresh = try await editor.shownCode("pi-1", token)
        #expect(try await editor.pair(fresh, as: editor.visitor).status == 201)
    }

    @Test("Right codes and codes that can't be read use up no tries")
    func rightTries() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        for number in 0..<8 {
            let body = number % 2 == 0 ? "{}" : #"{"code": 5}"#
            let unread = try await editor.send(
                "POST", EditorBench.pairings, as: editor.visitor, body)
            #expect(unread.status == 400)
            let code = try await editor.shownCode("pi-1", token)
            #expect(try await editor.pair(code, as: editor.visitor).status == 201, "\(number)")
        }
    }

    @Test("Of many tries at once five are looked at")
    func atOnce() async throws {
        let editor = try await EditorBench()
        let code = try await editor.shownCode("pi-1", try await editor.scanner("pi-1"))
        let codes = try await codesAtOnce(20) { number in
            try await editor.pair(digits(number, beginningAs: code), as: editor.visitor)
        }
        #expect(codes.count { $0 == "pairing-code-unknown" } == 5)
        #expect(codes.count { $0 == "pairing-slowed" } == 15)
    }

    @Test("Strangers' tries at codes of nobody slow nobody else")
    func strangers() async throws {
        let editor = try await EditorBench()
        let code = try await editor.shownCode("pi-1", try await editor.scanner("pi-1"))
        for _ in 0..<12 {
            let stranger = editor.stranger()
            for number in 1...5 {
                let wrong = digits(number, beginningAs: code, alike: false)
                #expect(
                    try await editor.pair(wrong, as: stranger).code == "pairing-code-unknown")
            }
            #expect(try await editor.pair(code, as: stranger).code == "pairing-slowed")
        }
        #expect(try await editor.pair(code, as: editor.visitor).status == 201)
    }

    @Test("The fiftieth wrong try within an hour slows a scanner whose code begins so")
    func slowedScanner() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        func guess(_ count: Int, at code: String) async throws {
            var guesser = ""
            for number in 0..<count {
                if number % 4 == 0 { guesser = editor.stranger() }
                let answer = try await editor.pair(
                    digits(number + 1, beginningAs: code), as: guesser)
                #expect(answer.code == "pairing-code-unknown", "\(number)")
            }
        }
        let code = try await editor.shownCode("pi-1", token)
        try await guess(PairingStore.mostTries - 1, at: code)
        #expect(try await editor.pair(code, as: editor.visitor).status == 201)
        let next = try await editor.shownCode("pi-1", token)
        try await guess(1, at: next)
        let slowed = try await editor.pair(next, as: editor.stranger())
        #expect(slowed.code == "pairing-slowed", "\(slowed.text)")
        let seconds = slowed.headers["retry-after"].flatMap { Int($0) } ?? 0
        #expect((3_500...3_601).contains(seconds))
        #expect(
            try await editor.pair(next, as: editor.stranger()).code == "pairing-code-unknown",
            "the answer told that it was right")
        let third = try await editor.shownCode("pi-1", token)
        #expect(
            try await editor.pair(third, as: editor.stranger()).code == "pairing-slowed",
            "a new code does not help")
        editor.bench.pass(seconds: 3_601)
        let fresh = try await editor.shownCode("pi-1", token)
        #expect(try await editor.pair(fresh, as: editor.visitor).status == 201)
    }

    @Test("The end of a pairing cancels what its visitor has asked, and nothing else")
    func cancelled() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        func state(_ id: String?) async throws -> String? {
            let path = "\(EditorBench.requests)/\(id ?? "")"
            return try await editor.send("GET", path, as: editor.administrator)["state"]
        }
        func paired(_ visitor: String) async throws -> (pairing: String?, request: String?) {
            let code = try await editor.shownCode("pi-1", token)
            let pairing = try await editor.pair(code, as: visitor)["id"]
            return (pairing, try await editor.ask(#"{"scanner": "pi-1"}"#, as: visitor)["id"])
        }
        let byRight = try await editor.ask(#"{"scanner": "pi-1"}"#)["id"]
        let first = try await paired(editor.visitor)
        let second = try await paired(editor.stranger())
        #expect(try await state(first.request) == "cancelled", "another pairing came")
        #expect(try await state(second.request) == "open")
        let path = "\(EditorBench.pairings)/\(second.pairing ?? "")"
        #expect(try await editor.send("DELETE", path, as: editor.administrator).status == 204)
        #expect(try await state(second.request) == "cancelled")
        #expect(try await state(byRight) == "open")
        let events = try await editor.outbox(.scanRequests)
        #expect(events.count { $0.contains("cancelledAt") } == 2)
    }

    @Test("Pairings, codes and slowings of a clock that was ahead go, and printed codes stay")
    func ahead() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        let start = editor.bench.clock.now
        let path = "/v1/sites/\(EditorBench.site)/scanners/pi-1/printed-code"
        let printed = try await editor.send("POST", path, as: editor.administrator)
        editor.bench.pass(seconds: 7_200)
        let code = try await editor.shownCode("pi-1", token)
        #expect(try await editor.pair(code, as: editor.visitor).status == 201)
        let left = try await editor.shownCode("pi-1", token)
        try await PairingStore(pool: editor.pool, requests: editor.requests).sweep(at: start)
        #expect(try await list(editor, editor.visitor)["pairings.0"] == nil)
        #expect(try await editor.pair(left, as: editor.visitor).code == "pairing-code-unknown")
        let made = try await editor.pair(printed["code"] ?? "", as: editor.visitor)
        #expect(made.status == 201, "\(made.text)")
    }

    @Test("A scanner shows codes for itself alone, and its code is of its own site")
    func rights() async throws {
        let editor = try await EditorBench()
        let token = try await editor.scanner("pi-1")
        for path in ["pairing-code", "pairing"] {
            let method = path == "pairing" ? "GET" : "POST"
            let answer = try await editor.send(method, "/v1/scanners/pi-2/\(path)", as: token)
            #expect(answer.code == "scanner-not-yours", "\(answer.text)")
            let visitor = try await editor.send(
                method, "/v1/scanners/pi-1/\(path)", as: editor.visitor)
            #expect(visitor.status == 403)
        }
        let code = try await editor.shownCode("pi-1", token)
        editor.bench.publish(as: SiteID("other"))
        let strange = editor.bench.issue(.visitor, site: SiteID("other"))
        let elsewhere = try await editor.send(
            "POST", "/v1/sites/other/pairings", as: strange, #"{"code": "\#(code)"}"#)
        #expect(elsewhere.code == "pairing-code-unknown")
        #expect(try await editor.pair(code, as: strange).code == "site-not-yours")
    }
}
