import Foundation
import HTTPClient
import TestSupport
import Testing

extension IntegrationTests {
    /// What a token of one site can't do to another, over HTTP.
    @Suite(.timeLimit(.minutes(5))) struct TokenEndTests {
        @Test(
            "An administrator of a site keeps to it: tokens, files and radio maps of others stay theirs"
        )
        func sites() async throws {
            let small = try await SmallSite.shared.value
            let campus = small.campus
            func issue(
                _ order: [String: Any], _ token: String
            ) async throws -> Answer {
                try await campus.send("POST", "/v1/tokens", token: token, body: jsonText(order))
            }
            let made = try await issue(
                ["role": "administrator", "site": "moorgate"], small.administrator)
            #expect(made.status == 201, "\(made.text)")
            let local = made.json["token"] as? String ?? ""
            // The answer waits until the token works.
            #expect(
                try await campus.send(
                    "PUT", "/v1/sites/moorgate", token: local, body: jsonText(SmallSite.document)
                ).status == 201)
            for order in [
                ["role": "analyst", "site": SmallSite.name],
                ["role": "administrator", "site": SmallSite.name],
                ["role": "device", "site": SmallSite.name, "device": "pi-1"],
            ] {
                #expect(try await issue(order, local).code == "site-not-yours")
            }
            // Without a site it is for the issuer's own.
            let child = try await issue(["role": "administrator"], local)
            #expect(child.json["site"] as? String == "moorgate")
            #expect(child.json["issuedBy"] as? String == made.json["id"] as? String)
            let childToken = child.json["token"] as? String ?? ""
            #expect(
                try await campus.send(
                    "GET", "/v1/sites/\(SmallSite.name)/rooms", token: childToken
                ).code == "site-not-yours")
            let listed = try await campus.send("GET", "/v1/tokens", token: local)
            let sites = (listed.json["tokens"] as? [[String: Any]] ?? []).map {
                $0["site"] as? String
            }
            #expect(Set(sites) == ["moorgate"])
            let strange = try await campus.send("GET", "/v1/tokens", token: small.administrator)
            let device = (strange.json["tokens"] as? [[String: Any]] ?? []).first {
                $0["device"] as? String == "pi-1" && $0["site"] as? String == SmallSite.name
            }
            let deviceID = try #require(device?["id"] as? String)
            #expect(
                try await campus.send("DELETE", "/v1/tokens/\(deviceID)", token: local).status
                    == 404)
            #expect(
                try await campus.send(
                    "DELETE", "/v1/tokens/\(made.json["id"] as? String ?? "")?children=true",
                    token: small.administrator
                ).status == 204)
            for token in [local, childToken] {
                #expect(
                    try await campus.send("GET", "/v1/sites", token: token).code == "token-wrong")
            }
        }

        @Test(
            "A token that the command prints works at once, and making it is no denied access",
            arguments: ["gateway", "locate-only"])
        func command(role: String) async throws {
            let campus = try await SmallSite.shared.value.campus
            let made = try await campus.whereabouts(
                "token", "create", "--role", role, "--site", SmallSite.name
            ).summary
            let token = made["token"] as? String ?? ""
            #expect(try await campus.send("GET", "/v1/limits", token: token).status == 200)
            let id = try #require(made["id"] as? String)
            #expect(!campus.messages.contains(id))
        }

        @Test(
            "A file of one site is to another as if it were not there, and sending it tells nothing"
        )
        func files() async throws {
            let small = try await SmallSite.shared.value
            let campus = small.campus
            func administrator(_ site: String) async throws -> String {
                let answer = try await campus.send(
                    "POST", "/v1/tokens", token: small.administrator,
                    body: jsonText(["role": "administrator-of-site", "site": site]))
                return answer.json["token"] as? String ?? ""
            }
            let (one, other) = (
                try await administrator(SmallSite.name), try await administrator("elsewhere")
            )
            let drawing = Array(
                #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"/>"#.utf8)
            func send(_ token: String) async throws -> Answer {
                try await campus.send(
                    "POST", "/v1/media", token: token, body: drawing,
                    headers: [("content-type", "image/svg+xml")])
            }
            let first = try await send(one)
            #expect(first.status == 201, "\(first.text)")
            #expect(try await send(one).status == 200)
            let path = first.headers["location"] ?? ""
            #expect(try await campus.send("GET", path, token: one).status == 200)
            #expect(try await campus.send("GET", path, token: other).code == "media-unknown")
            #expect(try await send(other).status == 201)
            #expect(try await campus.send("GET", path, token: other).status == 200)
        }

        @Test("A stream of positions ends within five seconds of the revocation of its token")
        func streams() async throws {
            let small = try await SmallSite.shared.value
            let campus = small.campus
            let made = try await campus.send(
                "POST", "/v1/tokens", token: small.administrator,
                body: jsonText(["role": "analyst", "site": SmallSite.name]))
            let token = made.json["token"] as? String ?? ""
            let stream = try await campus.stream(
                "/v1/positions/stream?site=\(SmallSite.name)", token: token)
            #expect(stream.status == 200)
            let id = made.json["id"] as? String ?? ""
            #expect(
                try await campus.send("DELETE", "/v1/tokens/\(id)", token: small.administrator)
                    .status == 204)
            let began = ContinuousClock.now
            do {
                for try await _ in stream.body {}
            } catch is HTTPClientError {
                // However it ends.
            }
            #expect(ContinuousClock.now - began < .seconds(5))
        }

        @Test("The command says in a sentence what a token lacks, and that a site is not there")
        func command() async throws {
            let small = try await SmallSite.shared.value
            func create(_ arguments: String...) async throws -> ProgramRun {
                try await ProgramRun.of(
                    small.campus.program + ["token", "create"] + arguments,
                    environment: small.campus.environment)
            }
            let lacking = try await create("--role", "device", "--site", SmallSite.name)
            #expect(lacking.status == 1)
            #expect(lacking.errors.contains("names its site and its device."))
            #expect(!lacking.errors.contains("Problem"), "\(lacking.errors)")
            let misspelt = try await create("--role", "visitor", "--site", "smal")
            #expect(misspelt.status == 0 && misspelt.errors.contains("no site smal"))
            let refused = try await small.campus.send(
                "POST", "/v1/tokens", token: small.administrator,
                body: jsonText(["role": "visitor", "site": "smal"]))
            #expect(refused.status == 404 && refused.code == "site-unknown", "\(refused.text)")

            let short = try await create("--role", "visitor", "--expires", "1h").successful()
            let end = try #require(
                (short.summary["expiresAt"] as? String).flatMap {
                    try? Date(String($0.prefix(19)) + "Z", strategy: .iso8601)
                })
            #expect(abs(end.timeIntervalSinceNow - 3_600) < 600)
            let wrong = try await create("--role", "visitor", "--expires", "soon")
            #expect(wrong.status == 64 && wrong.errors.contains("such as 30d, 1y or 2027-06-30"))
        }
    }
}
